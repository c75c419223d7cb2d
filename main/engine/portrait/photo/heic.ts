import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}

/**
 * Decodes a HEIC photo, which sharp's own libheif reads no pixels of: HEVC is not in its builds.
 *
 * @param header sizes that were held to the bounds
 * @param profile its ICC profile, as sharp reads it from the header: iPhones write Display P3
 * @returns an upright PNG with that profile, not compressed; null where the photo is damaged
 */
export async function decodeHeic(
  photo: Uint8Array,
  header: { width: number; height: number },
  profile: Uint8Array | undefined,
): Promise<Uint8Array | null> {
  const pixels = await decodePixels(photo, header);
  if (!pixels) return null;
  const { data, ...raw } = pixels;
  const png = await sharp(data, { raw, limitInputPixels: false }).png({ compressionLevel: 0 }).toBuffer();
  return profile ? withProfile(png, profile) : png;
}

/** Each photo has a decoder with a memory of its own, which is given back with it. */
async function decodePixels(
  photo: Uint8Array,
  header: { width: number; height: number },
): Promise<Pixels | null> {
  const { default: start } = await import('libheif-js/libheif-wasm/libheif-bundle.js');
  const heif = start();
  const context = heif.heif_context_alloc();
  const { code } = heif.heif_context_read_from_memory(context, photo);
  if (code !== heif.heif_error_code.heif_error_Ok) return null;
  const image = heif.heif_js_context_get_primary_image_handle(context);
  if (image.code !== undefined) return null;
  const width = heif.heif_image_handle_get_width(image);
  const height = heif.heif_image_handle_get_height(image);
  if (width * height > header.width * header.height) return null;
  const hasAlpha = Boolean(heif.heif_image_handle_has_alpha_channel(image));
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = heif.heif_chroma;
  const colours = heif.heif_colorspace.heif_colorspace_RGB;
  const decoded = heif.heif_js_decode_image2(image, colours, hasAlpha ? rgba : rgb);
  if (decoded.code !== undefined) return null;
  const plane = decoded.channels.find(({ id }) => id === heif.heif_channel.heif_channel_interleaved);
  if (!plane || plane.width !== width || plane.height !== height) return null;
  const channels = hasAlpha ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const row = plane.data.subarray(y * plane.stride, y * plane.stride + width * channels);
    data.set(row, y * width * channels);
  }
  return { data, width, height, channels };
}

/** Bytes before the second chunk of a PNG: its signature and IHDR. */
const headerBytes = 33;

/** Puts an ICC profile into a PNG that has none. */
function withProfile(png: Buffer, profile: Uint8Array): Uint8Array {
  const data = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, headerBytes), chunk, png.subarray(headerBytes)]);
}
