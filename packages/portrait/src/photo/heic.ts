import type { heif_image_handle, MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { type PixelRows, storedTiff } from './stored_tiff.ts';

/** A decoded image, or a `code` why there is none; its channels are valid as long as the decoder lives. */
interface DecodedHeif {
  readonly code?: unknown;
  readonly channels: readonly (Omit<PixelRows, 'channels'> & { readonly id: unknown })[];
  /** Its address in the decoder's memory, which the C functions take. */
  readonly image: { readonly $$: { readonly ptr: number } };
}

/**
 * Decodes a HEIC photo, which sharp's own libheif reads no pixels of: HEVC is not in its builds. The decoder is started
 * for this photo alone: its memory is freed only with it.
 *
 * @param header sizes that were held to the bounds
 * @param profile its ICC profile, as sharp reads it from the header: iPhones write Display P3
 * @returns an upright TIFF with that profile, not compressed; null where the photo is damaged
 */
export async function decodeHeic(
  photo: Uint8Array,
  header: { width: number; height: number },
  profile: Uint8Array | undefined,
): Promise<Uint8Array | null> {
  const { default: start } = await import('libheif-js/libheif-wasm/libheif-bundle.js');
  const heif = start();
  const context = heif.heif_context_alloc();
  const { code } = heif.heif_context_read_from_memory(context, photo);
  if (code !== heif.heif_error_code.heif_error_Ok) return null;
  const image: heif_image_handle & Pick<DecodedHeif, 'code'> =
    heif.heif_js_context_get_primary_image_handle(context);
  if (image.code !== undefined) return null;
  const width = heif.heif_image_handle_get_width(image);
  const height = heif.heif_image_handle_get_height(image);
  if (width * height > header.width * header.height) return null;
  const hasAlpha = Boolean(heif.heif_image_handle_has_alpha_channel(image));
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = heif.heif_chroma;
  const colours = heif.heif_colorspace.heif_colorspace_RGB;
  const decoded: DecodedHeif = heif.heif_js_decode_image2(image, colours, hasAlpha ? rgba : rgb);
  if (decoded.code !== undefined || lacksTiles(heif, decoded)) return null;
  const pixels = decoded.channels.find(({ id }) => id === heif.heif_channel.heif_channel_interleaved);
  if (!pixels || pixels.width !== width || pixels.height !== height) return null;
  const { data, stride } = pixels;
  return storedTiff({ width, height, channels: hasAlpha ? 4 : 3, stride, data }, profile);
}

/** libheif's `heif_error_Decoder_plugin_error`, and its `heif_suberror_End_of_data`. */
const decoderError = 7;
const endOfData = 100;
/** Words of 32 bits in a `heif_error`: code, subcode, address of the message. */
const warningWords = 3;

/** Whether tiles are missing or damaged: libheif leaves them green, and only warns. */
function lacksTiles(heif: MainModule, { image }: DecodedHeif): boolean {
  const address = image.$$.ptr;
  const count = heif._heif_image_get_decoding_warnings(address, 0, 0, 0);
  if (count === 0) return false;
  const to = heif._malloc(4 * warningWords * count);
  heif._heif_image_get_decoding_warnings(address, 0, to, count);
  const heap: Uint32Array = heif.HEAPU32;
  const warnings = heap.subarray(to / 4, to / 4 + warningWords * count);
  return warnings.some(
    (value, at) =>
      (at % warningWords === 0 && value === decoderError) || (at % warningWords === 1 && value === endOfData),
  );
}

/** Whether a HEIF file is shorter than its boxes say: sharp leaves missing tiles green, without a word. */
export function endsEarly(photo: Uint8Array): boolean {
  const view = new DataView(photo.buffer, photo.byteOffset, photo.byteLength);
  let at = 0;
  while (at + 16 <= view.byteLength) {
    const length = view.getUint32(at);
    // 0: to the end of the file; 1: a longer number follows the box's name.
    if (length === 0) return false;
    at += length === 1 ? Number(view.getBigUint64(at + 8)) : Math.max(8, length);
  }
  return at > view.byteLength;
}

/** Whether a HEIF file that names no encoding as its brand holds AV1, which sharp decodes: `mif1` may be either. */
export function holdsAv1(photo: Uint8Array): boolean {
  const file = Buffer.from(photo.buffer, photo.byteOffset, photo.byteLength);
  return file.includes('av1C') && !file.includes('hvcC');
}
