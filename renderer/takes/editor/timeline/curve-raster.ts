/**
 * Draws curves and sound into pixels. Stroking 67 paths of a thousand points on a canvas takes longer than a frame;
 * filling one vertical span for each column takes a fraction of that.
 */
import type { FrameColumns } from './frame-columns.ts';
import type { MinMaxPyramid } from './min-max-pyramid.ts';

export type Ink = readonly [red: number, green: number, blue: number];

/** Where a curve is drawn, in device pixels: `max` is at `top`, `min` at `bottom`. */
export interface CurveBounds {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly min: number;
  readonly max: number;
  /** Thickness of the line. */
  readonly line: number;
}

export class CurveRaster {
  readonly image: ImageData;
  readonly #pixels: Uint32Array;

  constructor(width: number, height: number) {
    this.image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.image.data.buffer);
  }

  fill(colour: Ink, top = 0, bottom = this.image.height): void {
    const { width } = this.image;
    this.#pixels.fill(packed(colour), top * width, Math.min(bottom, this.image.height) * width);
  }

  rectangle(colour: Ink, left: number, top: number, right: number, bottom: number, share = 1): void {
    const { width, height } = this.image;
    const [x0, x1] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))];
    const [y0, y1] = [Math.max(0, Math.round(top)), Math.min(height, Math.round(bottom))];
    for (let y = y0; y < y1; y++)
      for (let x = x0; x < x1; x++) {
        if (share === 1) this.#pixels[y * width + x] = packed(colour);
        else this.#blend(y * width + x, colour, share);
      }
  }

  /** Draws a curve: in each column a span from its minimum to its maximum there. */
  curve(curve: MinMaxPyramid, columns: FrameColumns, bounds: CurveBounds, colour: Ink): void {
    const { values } = curve;
    if (values.length === 0) return;
    const { first, mix, count } = columns;
    const { left, top, bottom, min, max, line } = bounds;
    const scale = (bottom - top - line) / (max - min);
    const middle = bottom - line / 2;
    const half = line / 2;
    const last = values.length - 1;
    const valueAt = (edge: number): number => {
      const after = first[edge]!;
      const next = values[Math.min(after, last)]!;
      const before = values[after > 0 ? after - 1 : 0]!;
      return before + (next - before) * mix[edge]!;
    };
    let start = valueAt(0);
    for (let column = 0; column < count; column++) {
      const end = valueAt(column + 1);
      let low = start < end ? start : end;
      let high = start < end ? end : start;
      if (first[column]! < first[column + 1]! && curve.measure(first[column]!, first[column + 1]!)) {
        if (curve.low < low) low = curve.low;
        if (curve.high > high) high = curve.high;
      }
      if (low < min) low = min;
      if (high > max) high = max;
      if (low <= high)
        this.#span(
          left + column,
          middle - (high - min) * scale - half,
          middle - (low - min) * scale + half,
          colour,
        );
      start = end;
    }
  }

  /**
   * Draws a sound around the middle of the bounds.
   *
   * @param edges seconds of the sound at the columns' edges @param perUnit value of full loudness
   */
  sound(
    sound: Pick<MinMaxPyramid, 'measure' | 'low' | 'high'>,
    rate: number,
    edges: Float64Array,
    bounds: CurveBounds,
    colour: Ink,
    perUnit: number,
  ): void {
    const { left, top, bottom, line } = bounds;
    const middle = (top + bottom) / 2;
    const half = (bottom - top) / 2 / perUnit;
    const count = Math.min(this.image.width - left, edges.length - 1);
    for (let column = 0; column < count; column++) {
      const from = Math.floor(edges[column]! * rate);
      // One sample more than the column holds: neighbours touch, and narrow windows show a line.
      const to = Math.floor(edges[column + 1]! * rate) + 1;
      if (!sound.measure(from, Math.max(to, from + 1))) continue;
      const high = middle - sound.high * half;
      const low = middle - sound.low * half;
      this.#span(left + column, Math.min(high, middle - line / 2), Math.max(low, middle + line / 2), colour);
    }
  }

  /** A part of one column; its ends cover their pixels as far as they reach. */
  #span(x: number, top: number, bottom: number, colour: Ink): void {
    const { width, height } = this.image;
    const from = Math.max(0, top);
    const to = Math.min(height, bottom);
    if (to <= from || x < 0 || x >= width) return;
    const firstRow = Math.floor(from);
    const lastRow = Math.ceil(to) - 1;
    const solid = packed(colour);
    if (firstRow === lastRow) {
      this.#blend(firstRow * width + x, colour, to - from);
      return;
    }
    this.#blend(firstRow * width + x, colour, firstRow + 1 - from);
    for (let row = firstRow + 1; row < lastRow; row++) this.#pixels[row * width + x] = solid;
    this.#blend(lastRow * width + x, colour, to - lastRow);
  }

  #blend(pixel: number, [red, green, blue]: Ink, share: number): void {
    const { data } = this.image;
    const at = pixel * 4;
    data[at] = data[at]! + (red - data[at]!) * share;
    data[at + 1] = data[at + 1]! + (green - data[at + 1]!) * share;
    data[at + 2] = data[at + 2]! + (blue - data[at + 2]!) * share;
    data[at + 3] = 255;
  }
}

/** As the four bytes lie in memory on every machine that browsers run on: little-endian. */
const packed = ([red, green, blue]: Ink): number => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
