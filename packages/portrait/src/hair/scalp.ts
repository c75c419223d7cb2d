import { hash } from '@likeness/geometry/noise.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import type { HairStyle } from '@likeness/proto/heads/hair_style.ts';
import { skinVertexOf } from '../skull/skin_patches.ts';
import { gridTriangles } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import {
  type Canvas,
  interpolate,
  type PixelVisitor,
  trianglesWith,
  walkTriangles,
} from '../texture/texture_fill.ts';

/** How much of the hair's colour the scalp has where hair grows, and how much that varies from pore to pore. */
const shades = {
  /** Below hair: shade and roots, so that no skin shines through and the hair's edge is soft. */
  seen: { cover: 0.77, dots: 0.35 },
  shaved: { cover: 0.39, dots: 0.3 },
} as const;

const scalpTriangles = gridTriangles.map(skinVertexOf);

/** Side of the tile of hair roots, a power of two. */
const tile = 128;
let dots: Float32Array | undefined;

/** −1 … 1, darker at hair roots: specks of one to two pixels. */
function rootTile(): Float32Array {
  if (dots) return dots;
  const wrap = (n: number): number => n & (tile - 1);
  dots = Float32Array.from({ length: tile * tile }, (_, i) => {
    const [x, y] = [i % tile, Math.floor(i / tile)];
    const speck = (dx: number, dy: number): number => hash(wrap(x + dx) + 977, wrap(y + dy) + 131);
    return (
      1.1 * (speck(0, 0) - 0.5) + 0.9 * ((speck(0, 0) + speck(1, 0) + speck(0, 1) + speck(1, 1)) / 2 - 1)
    );
  });
  return dots;
}

/**
 * Shades the scalp where hair grows and the photo doesn't show it: the ground of hair, or what a razor left.
 *
 * @param uv - Of the skin's vertices.
 * @param roots - How much hair grows, 0..1 on the cranium's grid.
 */
export function shadeScalp(
  canvas: Canvas,
  uv: Float32Array,
  roots: Float32Array,
  hair: Colour,
  style: Exclude<HairStyle, 'bald'>,
): void {
  const { size } = canvas;
  const grown = new Float32Array(uv.length / 2);
  for (const [i, share] of roots.entries()) grown[skinVertexOf(i)] = share;
  walkTriangles(size, uv, trianglesWith(scalpTriangles, grown), shadePixel, {
    canvas,
    grown,
    hair,
    shade: shades[style],
    pattern: rootTile(),
    done: new Uint8Array(size * size),
  });
}

const shadePixel: PixelVisitor<{
  readonly canvas: Canvas;
  readonly grown: Float32Array;
  readonly hair: Colour;
  readonly shade: { readonly cover: number; readonly dots: number };
  readonly pattern: Float32Array;
  readonly done: Uint8Array;
}> = (i, a, b, c, shares, { canvas: { size, colour, weight }, grown, hair, shade, pattern, done }) => {
  if (done[i]) return;
  done[i] = 1;
  const grows = interpolate(grown, a, b, c, shares);
  if (grows < 0.01) return;
  const y = (i / size) | 0;
  const speck = pattern[(y & (tile - 1)) * tile + ((i - y * size) & (tile - 1))];
  // At the hairline roots stand apart: specks first, then a ground.
  const dense = smoothstep(0, 0.9, grows + 0.3 * speck * (1 - grows));
  const share = Math.min(1, shade.cover * dense * (1 + shade.dots * speck)) * (1 - weight[i]);
  if (share <= 0) return;
  for (let ch = 0; ch < 3; ch++) {
    const own = colour[3 * i + ch];
    colour[3 * i + ch] = own + (0.78 * Math.min(hair[ch], own + 40) - own) * share;
  }
};
