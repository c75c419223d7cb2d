import { expect, it } from 'vitest';
import { extendDetail } from '../src/texture/extended_detail.ts';
import { blankCanvas } from '../src/texture/texture_fill.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const size = 512;
const uv = fineFace.layout.map((v) => 0.5 + 0.64 * (v - 0.5));
/** Texels from the middle to the chin, whose mirror image lies as far within the oval. */
const toChin = size * (Math.max(...fineFace.oval.map((i) => uv[2 * i + 1]!)) - 0.5);

/** Skin with a dot in every fourth texel of every fourth row within the oval. */
function stubbledFace() {
  const canvas = blankCanvas(size);
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [i % size, Math.floor(i / size)];
    const isDot = x % 4 === 0 && y % 4 === 0 && Math.hypot(x - size / 2, y - size / 2) < 0.95 * toChin;
    canvas.colour.fill(isDot ? 140 : 170, 3 * i, 3 * i + 3);
  }
  return canvas;
}

/** Largest difference from smooth skin in a row of texels so far below the middle. */
function detailAt(colour: Float32Array, down: number): number {
  const row = Math.round(size / 2 + down) * size;
  const values = Array.from({ length: 60 }, (_, k) => colour[3 * (row + size / 2 - 30 + k)]!);
  return Math.max(...values.map((value) => Math.abs(value - 170)));
}

it('stubble goes on below the chin and fades out there; above the eyes nothing changes', () => {
  const { colour } = stubbledFace();
  const canvas = stubbledFace();
  extendDetail(canvas, uv);
  const rows = (from: number, to: number): number[] =>
    Array.from({ length: 8 }, (_, k) => detailAt(canvas.colour, toChin * (from + ((to - from) * k) / 7)));
  const near = Math.max(...rows(1.02, 1.07));
  const further = Math.max(...rows(1.18, 1.23));
  expect(near).toBeGreaterThan(12);
  expect(further).toBeGreaterThan(1);
  expect(further).toBeLessThan(near / 2);
  expect(Math.max(...rows(1.3, 1.35))).toBe(0);
  const half = 3 * size * (size / 2);
  expect(canvas.colour.subarray(0, half)).toEqual(colour.subarray(0, half));
});
