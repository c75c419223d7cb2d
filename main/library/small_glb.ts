import { Logger } from '@gltf-transform/core';
import { EXTMeshoptCompression, EXTTextureWebP } from '@gltf-transform/extensions';
import { meshopt, textureCompress } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { binaryChunk, binaryOf, closeGlb, openGlb } from '../gltf/glb_container.ts';
import { gltfIo } from '../gltf/gltf_io.ts';

const packing = EXTMeshoptCompression.EXTENSION_NAME;
const webp = EXTTextureWebP.EXTENSION_NAME;
/** Of WebP, 0..100: no difference is seen on skin. */
const quality = 85;

interface Region {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
}
/** As much of a glTF file as is changed here. */
interface GltfJson {
  buffers?: { byteLength: number; uri?: string }[];
  bufferViews?: (Region & { extensions?: { [packing]?: Region } })[];
  images?: { bufferView?: number; mimeType?: string }[];
  textures?: { source?: number; extensions?: Record<string, unknown> }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

/** The same head in fewer bytes: geometry and morph targets with meshopt, textures as WebP. */
export async function smallGlb(glb: Uint8Array): Promise<Uint8Array> {
  if (openGlb<GltfJson>(glb).json.extensionsRequired?.includes(packing)) return withWebp(glb);
  const io = await gltfIo();
  const document = await io.readBinary(glb);
  document.setLogger(new Logger(Logger.Verbosity.WARN));
  await document.transform(
    textureCompress({ encoder: sharp, targetFormat: 'webp', quality }),
    meshopt({ encoder: MeshoptEncoder, level: 'medium' }),
  );
  return io.writeBinary(document);
}

/**
 * Changes the textures alone. Geometry that somebody has packed stays as it is: packed once more it would lose
 * precision and, where morph targets are sparse, grow.
 */
async function withWebp(glb: Uint8Array): Promise<Uint8Array> {
  const { json, rest } = openGlb<GltfJson>(glb);
  const binary = binaryOf(rest);
  const views = json.bufferViews ?? [];
  const regionOf = (view: (typeof views)[number]): Region => view.extensions?.[packing] ?? view;
  const content = ({ byteOffset = 0, byteLength }: Region): Uint8Array =>
    binary.subarray(byteOffset, byteOffset + byteLength);

  const smaller = new Map<number, Uint8Array>();
  for (const [number, image] of (json.images ?? []).entries()) {
    const view = views[image.bufferView ?? -1];
    if (view?.buffer !== 0 || image.mimeType === 'image/webp') continue;
    const before = content(view);
    const after = await sharp(before).webp({ quality }).toBuffer();
    if (after.byteLength >= before.byteLength) continue;
    smaller.set(image.bufferView!, after);
    image.mimeType = 'image/webp';
    for (const texture of json.textures ?? []) {
      if (texture.source !== number) continue;
      delete texture.source;
      texture.extensions = { ...texture.extensions, [webp]: { source: number } };
    }
  }
  if (smaller.size === 0) return glb;

  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [number, view] of views.entries()) {
    const region = regionOf(view);
    if (region.buffer !== 0) continue;
    const bytes = smaller.get(number) ?? content(region);
    const gap = (4 - (bytes.byteLength % 4)) % 4;
    parts.push(bytes, new Uint8Array(gap));
    region.byteOffset = offset;
    region.byteLength = bytes.byteLength;
    offset += bytes.byteLength + gap;
  }
  json.buffers![0]!.byteLength = offset;
  json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), webp])];
  json.extensionsRequired = [...new Set([...(json.extensionsRequired ?? []), webp])];
  return closeGlb({ json, rest: binaryChunk(Buffer.concat(parts)) });
}
