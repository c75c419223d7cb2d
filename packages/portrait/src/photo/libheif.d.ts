declare module 'libheif-js/libheif-wasm/libheif-bundle.js' {
  /** Memory of the decoder: valid until it is called again. */
  export interface HeifChannel {
    readonly id: unknown;
    readonly width: number;
    readonly height: number;
    /** Bytes a row. */
    readonly stride: number;
    readonly data: Uint8Array;
  }

  type Handle = object;

  /** A decoded image; its channels as long as the decoder lives. */
  export interface DecodedHeif {
    readonly code?: unknown;
    readonly channels: readonly HeifChannel[];
    /** Its address in the decoder's memory, which the C functions take. */
    readonly image: { readonly $$: { readonly ptr: number } };
  }

  /** The functions of libheif that the engine calls. One that fails answers with a `code`. */
  export interface Heif {
    readonly heif_error_code: { readonly heif_error_Ok: unknown };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: {
      readonly heif_chroma_interleaved_RGB: unknown;
      readonly heif_chroma_interleaved_RGBA: unknown;
    };
    readonly heif_channel: { readonly heif_channel_interleaved: unknown };
    heif_context_alloc(): Handle;
    heif_context_read_from_memory(context: Handle, bytes: Uint8Array): { readonly code: unknown };
    heif_js_context_get_primary_image_handle(context: Handle): Handle & { readonly code?: unknown };
    heif_image_handle_get_width(image: Handle): number;
    heif_image_handle_get_height(image: Handle): number;
    heif_image_handle_has_alpha_channel(image: Handle): boolean | number;
    heif_js_decode_image2(image: Handle, colourSpace: unknown, chroma: unknown): DecodedHeif;
    readonly HEAPU32: Uint32Array;
    _malloc(bytes: number): number;
    /** @param to address for as many `heif_error`s; with a count of 0 nothing is written @returns how many there are */
    _heif_image_get_decoding_warnings(image: number, from: number, to: number, count: number): number;
  }

  /** Begins a decoder with a memory of its own. */
  export default function start(): Heif;
}
