/** What a timeline draws: the least and greatest of every column, at any zoom, and after a part has changed. */
import { expect, test } from 'vitest';
import { CurveRaster } from '../../../../renderer/takes/editor/timeline/curve-raster.ts';
import { frameColumns } from '../../../../renderer/takes/editor/timeline/frame-columns.ts';
import { MinMaxPyramid } from '../../../../renderer/takes/editor/timeline/min-max-pyramid.ts';

/** Values that differ, from a small generator: the same each time. */
function noise(length: number): Float32Array {
  let state = 12345;
  return Float32Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  });
}

const extremes = (values: Float32Array, from: number, to: number): [number, number] => {
  const part = values.slice(from, to);
  return [Math.min(...part), Math.max(...part)];
};

for (const [length, block] of [
  [1, 1],
  [7, 1],
  [1000, 1],
  [1013, 64],
  [64, 64],
  [5, 64],
] as const)
  test(`a pyramid of ${length} values in blocks of ${block} knows every stretch, also once some have changed`, () => {
    const values = noise(length);
    const pyramid = MinMaxPyramid.of(values, block);
    const check = (): void => {
      for (let from = 0; from < length; from += Math.max(1, length >> 5))
        for (let to = from + 1; to <= length; to += Math.max(1, length >> 5)) {
          expect(pyramid.measure(from, to)).toBe(true);
          expect([pyramid.low, pyramid.high]).toEqual(extremes(values, from, to));
        }
    };
    check();
    const [from, to] = [Math.floor(length / 3), Math.ceil(length / 2)];
    values.fill(3, from, to);
    if (to < length) values[to] = -7;
    pyramid.update(from, to + 1);
    check();
  });

test('a stretch without values is none', () => {
  const pyramid = MinMaxPyramid.of(noise(10));
  expect(pyramid.measure(4, 4)).toBe(false);
  expect(pyramid.measure(10, 20)).toBe(false);
  expect(MinMaxPyramid.of(new Float32Array(0)).measure(0, 5)).toBe(false);
});

test('columns begin at the first frame at or after their edge, wherever frames are', () => {
  const times = Float64Array.of(0, 0.1, 0.2, 0.7, 0.8);
  const { first, mix } = frameColumns(times, { from: 0, span: 1 }, 4);
  expect([...first]).toEqual([0, 3, 3, 4, 5]);
  // At 0.25 s a tenth of the way from 0.2 to 0.7.
  expect(mix[1]).toBeCloseTo(0.1, 6);
  expect(mix[2]).toBeCloseTo(0.6, 6);
});

/** Rows of a picture's column that are not of the ground. */
function inked(raster: CurveRaster, x: number): number[] {
  const { width, height, data } = raster.image;
  return Array.from({ length: height }, (_, y) => y).filter((y) => data[(y * width + x) * 4]! > 0);
}

test('one frame that stands out among thousands is drawn to its height', () => {
  const values = new Float32Array(36_000);
  values[20_000] = 1;
  const times = Float64Array.from(values, (_, at) => at / 60);
  const raster = new CurveRaster(300, 50);
  raster.fill([0, 0, 0]);
  const place = { left: 0, top: 0, bottom: 50, min: 0, max: 1, line: 2 };
  raster.curve(
    MinMaxPyramid.of(values),
    frameColumns(times, { from: 0, span: 600 }, 300),
    place,
    [255, 0, 0],
  );
  const column = Math.floor((20_000 / 36_000) * 300);
  expect(inked(raster, column)[0]).toBe(0);
  expect(inked(raster, column)).toHaveLength(50);
  expect(inked(raster, 10)).toEqual([48, 49]);
});

test('between two frames a curve is a straight line', () => {
  const raster = new CurveRaster(100, 101);
  raster.fill([0, 0, 0]);
  raster.curve(
    MinMaxPyramid.of(Float32Array.of(0, 1)),
    frameColumns(Float64Array.of(0, 1), { from: 0, span: 1 }, 100),
    { left: 0, top: 0, bottom: 101, min: 0, max: 1, line: 1 },
    [255, 0, 0],
  );
  for (const x of [10, 50, 90]) {
    const rows = inked(raster, x);
    expect(Math.abs(rows.reduce((sum, row) => sum + row, 0) / rows.length - (99.5 - x))).toBeLessThan(1.5);
  }
});
