import { t } from '@likeness/messages';
import { type ImageKind, imageKind } from '@likeness/node-kit/image_kind.ts';
import sharp from 'sharp';
import { index, type Json, list } from './glb_fields.ts';
import { atMost, Fault, glbLimits } from './glb_limits.ts';

/** Where a GLB is read from: a file, or bytes in memory. */
export interface GlbSource {
  size: number;
  read(at: number, length: number): Promise<Buffer>;
}

/** Pixels according to a picture's own header, not to the glTF. */
export async function checkImages(gltf: Json, source: GlbSource, binaryStart: number): Promise<void> {
  const views = list(gltf, 'bufferViews');
  let pixels = 0;
  const known = new Map<unknown, { width: number; height: number }>();
  for (const [number, image] of list(gltf, 'images', glbLimits.images).entries()) {
    const size = known.get(image.bufferView) ?? (await sizeOf(await bytesOf(image), number));
    if (image.uri === undefined) known.set(image.bufferView, size);
    const { width, height } = size;
    const side = Math.max(width, height);
    if (side > glbLimits.imageSide || width * height > glbLimits.imagePixels)
      throw new Fault(t('glb_fault.picture_size', { number, width, height, most: 8192 }));
    pixels += width * height;
    atMost(pixels, glbLimits.allPixels, 'pixels');
  }

  async function bytesOf({ uri, bufferView }: Json): Promise<Buffer> {
    if (uri !== undefined) {
      const data = typeof uri === 'string' && /^data:[^,]{0,200};base64,/.exec(uri);
      if (!data) throw new Fault(t('glb_fault.pictures_elsewhere'));
      return Buffer.from(uri.slice(data[0].length), 'base64');
    }
    const view = views[index(bufferView ?? null, views.length, 'glb_part.buffer_view')!]!;
    if (view.buffer !== 0) throw new Fault(t('glb_fault.pictures_elsewhere'));
    return source.read(binaryStart + Number(view.byteOffset ?? 0), Number(view.byteLength));
  }
}

/** Pictures that a GLB may have, besides KTX2. */
const textureKinds: ReadonlySet<ImageKind | null> = new Set(['jpeg', 'png', 'webp', 'avif']);

async function sizeOf(bytes: Buffer, number: number): Promise<{ width: number; height: number }> {
  // KTX 2.0, 3: identifier, vkFormat, typeSize, pixelWidth, pixelHeight.
  if (bytes.length >= 28 && bytes.toString('latin1', 1, 7) === 'KTX 20')
    return { width: bytes.readUInt32LE(20), height: bytes.readUInt32LE(24) };
  // Decoders sniff the content too: a file named JPEG may be an SVG, which can contain scripts.
  if (!textureKinds.has(imageKind(bytes))) throw new Fault(t('glb_fault.picture_kind', { number }));
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
    return { width, height };
  } catch {
    throw new Fault(t('glb_fault.picture_header', { number }));
  }
}
