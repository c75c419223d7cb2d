import type { Picture } from './photo.ts';
import { blankCanvas, type Canvas, fillUnknown, walkTriangles } from './texture_fill.ts';

/** What the bake needs of the skin: everything a vertex, over one layout. */
export interface SkinLayout {
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
  /** × 2: photo pixels. */
  readonly photo: Float32Array;
  /** 0..1: how far the photo is to be trusted there. */
  readonly trust: Float32Array;
}

/** sRGB 0..255. */
export type Colour = readonly [number, number, number];

/** Reads a picture bilinearly into `out`; the border repeats. */
export function readPixel(picture: Picture, x: number, y: number, out: Float32Array): void {
  const { data, width, height } = picture;
  const px = Math.min(width - 1.001, Math.max(0, x - 0.5));
  const py = Math.min(height - 1.001, Math.max(0, y - 0.5));
  const ix = px | 0;
  const iy = py | 0;
  const fx = px - ix;
  const fy = py - iy;
  const i = 3 * (iy * width + ix);
  const j = i + 3 * width;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  out[0] = data[i]! * w00 + data[i + 3]! * w10 + data[j]! * w01 + data[j + 3]! * w11;
  out[1] = data[i + 1]! * w00 + data[i + 4]! * w10 + data[j + 1]! * w01 + data[j + 4]! * w11;
  out[2] = data[i + 2]! * w00 + data[i + 5]! * w10 + data[j + 2]! * w01 + data[j + 5]! * w11;
}

/** Projects the photo on the skin's layout; what it can't see stays unknown. */
export function projectPhoto(picture: Picture, skin: SkinLayout, size: number): Canvas {
  const canvas = blankCanvas(size);
  const pixel = new Float32Array(3);
  const { photo, trust } = skin;
  walkTriangles(size, skin.uv, skin.triangles, (i, a, b, c, wa, wb, wc) => {
    const w = wa * trust[a]! + wb * trust[b]! + wc * trust[c]!;
    if (w <= canvas.weight[i]! || w < 0.004) return;
    readPixel(
      picture,
      wa * photo[2 * a]! + wb * photo[2 * b]! + wc * photo[2 * c]!,
      wa * photo[2 * a + 1]! + wb * photo[2 * b + 1]! + wc * photo[2 * c + 1]!,
      pixel,
    );
    canvas.weight[i] = w;
    canvas.colour[3 * i] = pixel[0]! * w;
    canvas.colour[3 * i + 1] = pixel[1]! * w;
    canvas.colour[3 * i + 2] = pixel[2]! * w;
  });
  return canvas;
}

/** The canvas as bytes, once everything in it is known. */
export function canvasBytes(canvas: Canvas): Uint8Array {
  fillUnknown(canvas);
  const out = new Uint8Array(canvas.size * canvas.size * 3);
  for (let i = 0; i < out.length; i++) out[i] = Math.max(0, Math.min(255, Math.round(canvas.colour[i]!)));
  return out;
}
