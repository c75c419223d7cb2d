import type { Raster } from '../contract/head_model.ts';
import type { Vector } from '../math/vector.ts';
import { toLinear } from '../photo/linear_light.ts';
import { pixelOf } from '../texture/texture_fill.ts';

/** Side of the ears' corner in the skin's texture, parts of its side. */
export const earPatch = 0.138;

/** Mirrors the first ear's corner of the skin's picture, RGB, into the second one's. */
export function withBothEars(data: Uint8Array, side: number): Uint8Array {
  const reach = Math.ceil(side * earPatch) + 2;
  for (let y = 0; y < reach; y++)
    for (let x = 0; x < reach; x++) {
      const from = 3 * (y * side + x);
      data.copyWithin(3 * (y * side + side - 1 - x), from, from + 3);
    }
  return data;
}

/** A texture's colour at a vertex, linear RGB. */
export function colourAt({ data, width, height, channels }: Raster, uv: Float32Array, i: number): Vector {
  const at = channels * pixelOf(uv, i, width, height);
  return [0, 1, 2].map((c) => toLinear(data[at + c])) as Vector;
}
