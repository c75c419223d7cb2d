/** A drawn head made into whole pictures, as codecs (I420) and PNG (RGBA) want them. */
import type { DrawnHead } from '../../speaking/film/film-stage.ts';

export interface Rgb {
  red: number;
  green: number;
  blue: number;
}

export interface PictureSize {
  width: number;
  height: number;
}

/** Background of the head: a colour, or a picture of the film's size, red, green and blue of each pixel. */
export type Backdrop = Rgb | Uint8Array;

/** The backdrop's bytes, and how many lie between two of its pixels: of a colour none. */
const bytesOf = (behind: Backdrop): { rgb: Uint8Array; stride: 0 | 3 } =>
  behind instanceof Uint8Array
    ? { rgb: behind, stride: 3 }
    : { rgb: Uint8Array.of(behind.red, behind.green, behind.blue), stride: 0 };

/** @param hex `#rrggbb` */
export const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
};

/** How the numbers of {@link Yuv.picture} are meant: what players take for granted in HD. */
export const yuvColourSpace = {
  primaries: 'bt709',
  transfer: 'bt709',
  matrix: 'bt709',
  fullRange: false,
} as const satisfies VideoColorSpaceInit;

/** Pictures in BT.709, luma 16..235, colours halved both ways. By hand: browsers differ in how they convert. */
export class Yuv {
  readonly #size: PictureSize;
  /** Nothing but what is behind the head. */
  readonly #empty: Uint8Array;
  readonly #rgb: Uint8Array;
  readonly #stride: 0 | 3;

  /** @param size even both ways @param behind what is around the head, and through its edge where that is over it */
  constructor(size: PictureSize, behind: Backdrop) {
    this.#size = size;
    const { rgb, stride } = bytesOf(behind);
    this.#rgb = rgb;
    this.#stride = stride;
    const { width, height } = size;
    this.#empty = new Uint8Array((width * height * 3) / 2);
    const pixels = new Uint8Array(width * height * 4);
    this.#empty = this.picture({ area: { left: 0, top: 0, width, height }, pixels }, true);
  }

  /**
   * The head over the colour, or its own colours alone, for a picture whose alpha is beside it.
   *
   * @returns I420, the top row first
   */
  picture({ area, pixels }: DrawnHead, isOver: boolean): Uint8Array<ArrayBuffer> {
    const { width, height } = this.#size;
    const picture = this.#empty.slice();
    const [blues, reds] = [width * height, (width * height * 5) / 4];
    const quad = new Float64Array(3);
    for (let y = 0; y < area.height; y += 2) {
      const rows = [rowOf(area, y), rowOf(area, y + 1)];
      const to = (area.top + y) * width + area.left;
      const half = ((area.top + y) / 2) * (width / 2) + area.left / 2;
      for (let x = 0; x < area.width; x += 2) {
        quad.fill(0);
        for (let at = 0; at < 4; at++) {
          const from = rows[at >> 1]! + (x + (at & 1)) * 4;
          const index = to + (at >> 1) * width + x + (at & 1);
          picture[index] = this.#add(quad, pixels, from, isOver ? index : null);
        }
        const [red, green, blue] = [quad[0]! / 4, quad[1]! / 4, quad[2]! / 4];
        picture[blues + half + x / 2] = blueness(red, green, blue);
        picture[reds + half + x / 2] = redness(red, green, blue);
      }
    }
    return picture;
  }

  /** Adds a pixel's colour to those of its quad. @param index of what is behind it, if it is over that @returns its luma */
  #add(quad: Float64Array, pixels: Uint8Array, from: number, index: number | null): number {
    let [red, green, blue] = [pixels[from]!, pixels[from + 1]!, pixels[from + 2]!];
    const alpha = pixels[from + 3]!;
    if (alpha < 255 && (index !== null || alpha === 0)) {
      const through = (255 - alpha) / 255;
      const behind = (index ?? 0) * this.#stride;
      red += this.#rgb[behind]! * through;
      green += this.#rgb[behind + 1]! * through;
      blue += this.#rgb[behind + 2]! * through;
    } else if (alpha < 255) {
      red = Math.min(255, (red * 255) / alpha);
      green = Math.min(255, (green * 255) / alpha);
      blue = Math.min(255, (blue * 255) / alpha);
    }
    quad[0]! += red;
    quad[1]! += green;
    quad[2]! += blue;
    return luma(red, green, blue);
  }
}

// ITU-R BT.709, item 3; rounded by the half that is in the offsets.
const luma = (red: number, green: number, blue: number): number =>
  16.5 + 0.182586 * red + 0.614231 * green + 0.062007 * blue;
const blueness = (red: number, green: number, blue: number): number =>
  128.5 - 0.100644 * red - 0.338572 * green + 0.439216 * blue;
const redness = (red: number, green: number, blue: number): number =>
  128.5 + 0.439216 * red - 0.398942 * green - 0.040274 * blue;

/** Where row `y` from the top begins in the pixels of an area, bytes. */
const rowOf = ({ width, height }: DrawnHead['area'], y: number): number => (height - 1 - y) * width * 4;

/** Alpha as the brightness of a grey picture: how WebM carries it, in a stream of its own. @returns I420 */
export function alphaPicture({ area, pixels }: DrawnHead, size: PictureSize): Uint8Array<ArrayBuffer> {
  const count = size.width * size.height;
  const picture = new Uint8Array((count * 3) / 2).fill(128, count);
  for (let y = 0; y < area.height; y++) {
    const from = rowOf(area, y) + 3;
    const to = (area.top + y) * size.width + area.left;
    for (let x = 0; x < area.width; x++) picture[to + x] = pixels[from + x * 4]!;
  }
  return picture;
}

/** The head over a backdrop, or with straight alpha on nothing. @returns RGBA, the top row first */
export function rgbaPicture(
  { area, pixels }: DrawnHead,
  { width, height }: PictureSize,
  behind: Backdrop | null,
): Uint8Array<ArrayBuffer> {
  const picture = new Uint8Array(width * height * 4);
  const { rgb, stride } = bytesOf(behind ?? { red: 0, green: 0, blue: 0 });
  if (behind) fillBackground(picture, rgb, stride);
  for (let y = 0; y < area.height; y++) {
    let from = rowOf(area, y);
    let to = ((area.top + y) * width + area.left) * 4;
    for (const end = from + area.width * 4; from < end; from += 4, to += 4) {
      const alpha = pixels[from + 3]!;
      if (alpha === 0) continue;
      const share = behind ? 1 : 255 / alpha;
      const through = behind ? (255 - alpha) / 255 : 0;
      const at = (to / 4) * stride;
      picture[to] = Math.min(255, pixels[from]! * share + rgb[at]! * through + 0.5);
      picture[to + 1] = Math.min(255, pixels[from + 1]! * share + rgb[at + 1]! * through + 0.5);
      picture[to + 2] = Math.min(255, pixels[from + 2]! * share + rgb[at + 2]! * through + 0.5);
      picture[to + 3] = behind ? 255 : alpha;
    }
  }
  return picture;
}

function fillBackground(picture: Uint8Array<ArrayBuffer>, rgb: Uint8Array, stride: 0 | 3): void {
  const pixels = new Uint32Array(picture.buffer);
  for (let to = 0, from = 0; to < pixels.length; to++, from += stride)
    // Little endian, as every machine that this runs on.
    pixels[to] = (0xff000000 | (rgb[from + 2]! << 16) | (rgb[from + 1]! << 8) | rgb[from]!) >>> 0;
}

/**
 * The mean colour at the head's edge. It goes where nothing is: codecs halve the colours' resolution and blur hard
 * edges, and black would then show as a dark seam around the head.
 */
export function edgeColour({ area: { width, height }, pixels }: DrawnHead): Rgb {
  const sum = { red: 0, green: 0, blue: 0 };
  let count = 0;
  const isSolid = (at: number): boolean => pixels[at * 4 + 3] === 255;
  const add = (at: number): void => {
    count += 1;
    sum.red += pixels[at * 4]!;
    sum.green += pixels[at * 4 + 1]!;
    sum.blue += pixels[at * 4 + 2]!;
  };
  for (let y = 0; y < height; y++) {
    let [first, last] = [y * width, (y + 1) * width - 1];
    while (first <= last && !isSolid(first)) first += 1;
    while (last > first && !isSolid(last)) last -= 1;
    if (first > last) continue;
    add(first);
    add(last);
  }
  const mean = (value: number): number => (count > 0 ? Math.round(value / count) : 128);
  return { red: mean(sum.red), green: mean(sum.green), blue: mean(sum.blue) };
}
