import { describe, expect, test } from 'vitest';
import {
  columnSeconds,
  levelFor,
  type SpectrogramScale,
  tileColumns,
  tileRows,
  tilesOf,
} from '../../../../renderer/takes/editor/spectrogram/spectrogram-tiles.ts';
import { TileMaker } from '../../../../renderer/takes/editor/spectrogram/tile-maker.ts';

const rate = 48_000;

/** A sine of some hertz that begins at some second, at full scale. */
const makerOf = (hertz: number, from: number): TileMaker =>
  new TileMaker(rate, async (start, count) =>
    Float32Array.from({ length: count }, (_, at) =>
      start + at >= from * rate ? Math.sin((2 * Math.PI * hertz * (start + at)) / rate) : 0,
    ),
  );
const column = (tile: Uint8Array, at: number): Uint8Array =>
  tile.subarray(at * tileRows, (at + 1) * tileRows);
const loudest = (values: Uint8Array): number => values.indexOf(Math.max(...values));

describe('a tile of a spectrogram', () => {
  const linear = (hertz: number): number => Math.floor((hertz / 10_000) * tileRows);
  const mel = (hertz: number): number =>
    Math.floor((Math.log10(1 + hertz / 700) / Math.log10(1 + 10_000 / 700)) * tileRows);
  const scales: [SpectrogramScale, (hertz: number) => number][] = [
    ['linear', linear],
    ['mel', mel],
  ];
  test.each(scales)('shows a tone in its row of a %s scale, from when it sounds', async (scale, row) => {
    for (const hertz of [250, 1000, 4000, 8000]) {
      const tile = await makerOf(hertz, 0.32).tile({ scale, level: 0, index: 0 });
      const heard = column(tile, 200);
      expect(Math.abs(loudest(heard) - row(hertz))).toBeLessThanOrEqual(1);
      // Full scale is the top of the range, silence its end.
      expect(Math.max(...heard)).toBeGreaterThan(248);
      expect(Math.max(...column(tile, 100))).toBe(0);
    }
  });

  test.each([0, 3, 6, 9, 11])('is at its time on level %d, as far as its columns go', async (level) => {
    const index = 2;
    const from = columnSeconds(level) * (tileColumns * index + 100);
    const tile = await makerOf(1000, from).tile({ scale: 'mel', level, index });
    const first = Array.from({ length: tileColumns }, (_, at) => Math.max(...column(tile, at))).findIndex(
      (value) => value > 200,
    );
    const window = Math.ceil(0.0125 / columnSeconds(level));
    expect(Math.abs(first - 100)).toBeLessThanOrEqual(window + 1);
  });
});

test('a few tiles cover any stretch at any zoom', () => {
  for (const [span, from] of [
    [0.1, 599],
    [6, 12.3],
    [600, 0],
    [10_800, 0],
  ] as const) {
    const level = levelFor(span / 1200);
    expect(tilesOf('mel', level, from, from + span).length).toBeLessThanOrEqual(9);
  }
  expect(tilesOf('mel', 0, 0.64, 1.28).map(({ index }) => index)).toEqual([1]);
});
