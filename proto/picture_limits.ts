/** Bytes of a photo that is opened, and pixels of one that a page decodes itself. */
export const maxPicture = { bytes: 256 * 1024 * 1024, pixels: 150_000_000 } as const;

/** The parts of a picture's header, as sharp reads it, that tell how much memory its pixels take to decode. */
export interface PictureHeader {
  readonly format?: string | undefined;
  readonly channels?: number | undefined;
  /** Such as `ushort`. */
  readonly depth?: string | undefined;
  /** Also of an interlaced PNG. */
  readonly isProgressive?: boolean | undefined;
  readonly chromaSubsampling?: string | undefined;
  readonly compression?: string | undefined;
}

/** Memory that decoding one picture may take, beside what is made of it. */
const maxDecodingBytes = 600e6;
/** Pixels of a picture that is decoded line by line: some seconds of work. */
const maxStreamedPixels = 500e6;

/** Samples that a JPEG keeps for each pixel. */
const samplesOfJpeg: Readonly<Record<string, number>> = {
  '4:2:0': 1.5,
  '4:2:0:4': 2.5,
  '4:2:2': 2,
  '4:2:2:4': 3,
  '4:4:4': 3,
  '4:4:4:4': 4,
};

/** Most pixels of a picture of this kind that are decoded, and what its kind is called. */
export function pixelBounds(header: PictureHeader): { kind: string; pixels: number } {
  const { kind, bytes } = decodingOf(header);
  return { kind, pixels: Math.min(maxStreamedPixels, bytes > 0 ? maxDecodingBytes / bytes : Infinity) };
}

/** Bytes that decoding holds for each pixel, measured with sharp on pictures of 200 megapixels; 0: line by line. */
function decodingOf({
  format,
  channels = 4,
  depth,
  isProgressive,
  chromaSubsampling = '',
  compression,
}: PictureHeader): { kind: string; bytes: number } {
  switch (format) {
    case 'jpeg':
      // The coefficients of all scans, two bytes a sample.
      return isProgressive
        ? { kind: 'progressive JPEG', bytes: 2 * (samplesOfJpeg[chromaSubsampling] ?? channels) }
        : { kind: 'JPEG', bytes: 0 };
    case 'png':
      return isProgressive
        ? { kind: 'interlaced PNG', bytes: channels * (depth === 'ushort' ? 2 : 1) }
        : { kind: 'PNG', bytes: 0 };
    case 'tiff':
      return { kind: 'TIFF', bytes: 0 };
    case 'heif':
      // Planes of colour, their RGB, and a copy that sharp reads: see `heic.ts` of the engine.
      return compression === 'hevc' ? { kind: 'HEIC', bytes: 10 } : { kind: 'AVIF', bytes: 4 };
    default:
      return { kind: format === 'webp' ? 'WebP' : (format?.toUpperCase() ?? ''), bytes: 4 };
  }
}
