import type { FileHandle } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { readPart } from '@likeness/node-kit/read_part.ts';
import { binChunk, glbVersion, jsonChunk } from '@likeness/proto/glb_header.ts';
import { countsOf, viewsOf } from './glb_accessor_bounds.ts';
import { type Json, list } from './glb_fields.ts';
import { checkImages, type GlbSource } from './glb_image_bounds.ts';
import { atMost, Fault, type GlbFault, glbLimits } from './glb_limits.ts';
import { checkMotion, checkNodes, meshesOf } from './glb_scene_bounds.ts';

/**
 * Checks a GLB against `glbLimits` before any of it is decoded: only its JSON chunk is parsed, and the
 * headers of its pictures are read. Call it before decoding.
 *
 * @returns null if it may be decoded
 */
export const glbFault = (glb: Uint8Array): Promise<GlbFault | null> => {
  const bytes = Buffer.from(glb.buffer, glb.byteOffset, glb.byteLength);
  return faultOf({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) });
};

/** Bytes to read from a file at once: a whole small head, the JSON of most. */
const firstBytes = 16 * 1024;

/** As `glbFault`, for an open file; reads only a small part of it. */
export async function glbFileFault(file: FileHandle): Promise<GlbFault | null> {
  const { size } = await file.stat();
  const first = await readPart(file, 0, Math.min(size, firstBytes));
  return faultOf({
    size,
    read: async (at, length) =>
      at + length <= first.length
        ? first.subarray(at, at + length)
        : readPart(file, at, Math.max(0, Math.min(length, size - at))),
  });
}

async function faultOf(source: GlbSource): Promise<GlbFault | null> {
  try {
    await check(source);
    return null;
  } catch (error) {
    if (error instanceof Fault) return { kind: error.kind, text: error.problem };
    throw error;
  }
}

async function check(source: GlbSource): Promise<void> {
  const { size } = source;
  const head = await source.read(0, 20);
  const version = glbVersion(head);
  if (head.length < 20 || version === null) throw new Fault(t('glb_fault.not_glb'), 'damaged');
  if (version !== 2) throw new Fault(t('glb_fault.version', { version }), 'damaged');
  const declaredSize = head.readUInt32LE(8);
  if (declaredSize !== size) throw new Fault(t('glb_fault.size', { said: declaredSize, size }), 'damaged');
  atMost(size, glbLimits.fileBytes, 'bytes');
  const jsonBytes = head.readUInt32LE(12);
  if (head.readUInt32LE(16) !== jsonChunk) throw new Fault(t('glb_fault.no_json_first'), 'damaged');
  if (20 + jsonBytes > size) throw new Fault(t('glb_fault.cut_in_json'), 'damaged');
  atMost(jsonBytes, glbLimits.jsonBytes, 'json_bytes');
  const gltf = parsed(await source.read(20, jsonBytes));
  const binary = await binaryOf(source, 20 + jsonBytes);
  checkGltf(gltf, binary.length);
  await checkImages(gltf, source, binary.start);
}

/** Finds the binary chunk; empty if there is none. */
async function binaryOf(source: GlbSource, at: number): Promise<{ start: number; length: number }> {
  const head = await source.read(at, 8);
  if (head.length < 8) return { start: at, length: 0 };
  // Unknown chunk types are skipped, as the format asks.
  if (head.readUInt32LE(4) !== binChunk) return { start: at, length: 0 };
  const length = head.readUInt32LE(0);
  if (at + 8 + length > source.size) throw new Fault(t('glb_fault.cut_in_bin'), 'damaged');
  return { start: at + 8, length };
}

function parsed(bytes: Buffer): Json {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Fault(t('glb_fault.json_is_none'), 'damaged');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(t('glb_fault.json_is_no_gltf'), 'damaged');
  measure(value);
  return value as Json;
}

/**
 * Counts the JSON's values level by level: a recursive walk would overflow the stack on the very nesting it
 * looks for.
 */
function measure(root: object): void {
  let level: object[] = [root];
  let values = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > glbLimits.jsonDepth)
      throw new Fault(t('glb_fault.json_depth', { most: glbLimits.jsonDepth }));
    const below: object[] = [];
    for (const value of level) {
      const inside = Object.values(value);
      values += inside.length;
      atMost(values, glbLimits.jsonValues, 'json_values');
      for (const one of inside) {
        if (typeof one === 'object' && one !== null) below.push(one);
        else if (typeof one === 'string' && !one.startsWith('data:'))
          atMost(one.length, glbLimits.textLength, 'characters');
      }
    }
    level = below;
  }
}

function checkGltf(gltf: Json, binaryBytes: number): void {
  for (const name of ['materials', 'textures', 'samplers', 'cameras']) list(gltf, name);
  for (const name of ['extensionsUsed', 'extensionsRequired']) {
    const used = gltf[name];
    if (used !== undefined && !(Array.isArray(used) && used.length <= 1000))
      throw new Fault(t('glb_fault.no_list', { name }));
  }
  const views = viewsOf(gltf, binaryBytes);
  const counts = countsOf(gltf, views);
  const meshes = meshesOf(gltf, counts);
  checkNodes(gltf, meshes, counts);
  checkMotion(gltf, counts);
}
