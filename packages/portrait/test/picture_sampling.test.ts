import { seededRandom } from '@likeness/proto/seeded_random.ts';
import { describe, expect, it } from 'vitest';
import { readGrid, readRows, readStack, stackGrids } from '../src/photo/picture_sampling.ts';
import { blur } from '../src/photo/pixel_filters.ts';
import { blankCanvas, fillUnknown, trianglesWith, walkTriangles } from '../src/texture/texture_fill.ts';

const [width, height] = [7, 5];
const random = seededRandom(9);
const grid = (): Float32Array => Float32Array.from({ length: width * height }, random);
const places = Array.from({ length: 40 }, () => [9 * random() - 1, 7 * random() - 1] as const);

describe('a grid is read alike', () => {
  const grids = [grid(), grid(), grid()];

  it('together with others at one place, also beyond its border', () => {
    const stack = stackGrids(grids, width, height);
    const out = new Float64Array(3);
    for (const [x, y] of places) {
      readStack(stack, x, y, out);
      for (const [g, value] of out.entries())
        expect(value).toBeCloseTo(readGrid(grids[g]!, width, height, x, y), 6);
    }
  });

  it('row by row', () => {
    const line = new Float32Array(3 * width);
    for (const [, y] of places) {
      readRows(grids, width, height, y, line);
      for (let x = 0; x < width; x++)
        // The last column lies a thousandth beyond where a grid is read.
        for (const [g, values] of grids.entries())
          expect(line[g * width + x]).toBeCloseTo(readGrid(values, width, height, x + 0.5, y), 2);
    }
  });
});

it('a box blur is the mean of what lies within its radius, edges repeated', () => {
  const values = grid();
  for (const radius of [0, 1, 2, 9]) {
    const soft = blur(values, width, height, radius);
    for (const [i, value] of soft.entries()) {
      let sum = 0;
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) {
          const x = Math.max(0, Math.min(width - 1, (i % width) + dx));
          const y = Math.max(0, Math.min(height - 1, Math.floor(i / width) + dy));
          sum += values[y * width + x]!;
        }
      expect(value).toBeCloseTo(sum / (2 * radius + 1) ** 2, 5);
    }
  }
});

describe('what is unknown', () => {
  it.each([8, 12, 7])('is filled wholly on a canvas of %i pixels', (size) => {
    const canvas = blankCanvas(size);
    canvas.weight[0] = 1;
    canvas.colour.set([200, 100, 50]);
    fillUnknown(canvas);
    for (let i = 0; i < size * size; i++) {
      // An odd size has a last row that no coarser pixel knows of.
      expect(canvas.colour[3 * i]).toBeCloseTo(200, 3);
      expect(canvas.colour[3 * i + 2]).toBeCloseTo(50, 3);
    }
  });
});

describe('pixels of triangles', () => {
  const size = 32;
  // A square of two triangles, one of them long and thin beside it.
  const uv = Float32Array.of(0.1, 0.1, 0.9, 0.1, 0.1, 0.9, 0.9, 0.9, 0.95, 0.12);
  const triangles = Uint32Array.of(0, 1, 2, 1, 3, 2, 1, 4, 3);

  it('are walked wherever a pixel’s middle lies in one, with shares that give its place', () => {
    const seen = new Uint8Array(size * size);
    walkTriangles(size, uv, triangles, (pixel, a, b, c, shares) => {
      seen[pixel] = 1;
      const at = (axis: number): number =>
        size *
        (shares[0]! * uv[2 * a + axis]! + shares[1]! * uv[2 * b + axis]! + shares[2]! * uv[2 * c + axis]!);
      expect(Math.abs(at(0) - ((pixel % size) + 0.5))).toBeLessThan(1.2);
      expect(Math.abs(at(1) - (Math.floor(pixel / size) + 0.5))).toBeLessThan(1.2);
    });
    for (let y = 4; y < 28; y++) for (let x = 4; x < 28; x++) expect(seen[y * size + x]).toBe(1);
    expect(seen[16 * size + 31]).toBe(0);
    expect(seen[1 * size + 16]).toBe(0);
  });

  it('are left out where no corner has a value', () => {
    expect([...trianglesWith(triangles, [1, 0, 0, 0, 0])]).toEqual([0, 1, 2]);
    expect([...trianglesWith(triangles, [0, 0, 0, 0, 0.1])]).toEqual([1, 4, 3]);
    expect(trianglesWith(triangles, [0, 0, 0, 0, 0])).toHaveLength(0);
  });
});
