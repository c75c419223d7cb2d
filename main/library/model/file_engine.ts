import type { FileHandle } from 'node:fs/promises';
import { glbVersion, jsonChunk } from '#proto/glb_header.ts';
import { glbLimits } from '../../gltf/glb_limits.ts';

/** A scene, as far as the engine writes its name into it. */
interface Said {
  scene?: unknown;
  scenes?: { extras?: { engine?: unknown } }[];
}

/**
 * Which engine made a head's file, as the file says; empty where it doesn't. The file is closed afterwards.
 * Only its JSON is read.
 */
export async function engineOfFile(opened: Promise<FileHandle>): Promise<string> {
  const file = await opened.catch(() => null);
  if (!file) return '';
  try {
    const head = Buffer.alloc(20);
    const { bytesRead } = await file.read(head, 0, 20, 0);
    if (bytesRead < 20 || glbVersion(head) !== 2 || head.readUInt32LE(16) !== jsonChunk) return '';
    const length = head.readUInt32LE(12);
    if (length > glbLimits.jsonBytes) return '';
    const json = Buffer.alloc(length);
    if ((await file.read(json, 0, length, 20)).bytesRead < length) return '';
    const { scene, scenes } = JSON.parse(json.toString('utf8')) as Said;
    const engine = scenes?.[typeof scene === 'number' ? scene : 0]?.extras?.engine;
    return typeof engine === 'string' ? engine.slice(0, 60) : '';
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
