import {
  type ExportRate,
  exportRates,
  frameCount,
  frameRateOf,
  frameTime,
  hertz,
  rateText,
  smpteTimecode,
} from '@likeness/proto/takes/frame_rates.ts';
import { expect, test } from 'vitest';

const rateOf = (rate: ExportRate, own = 60) => frameRateOf(rate, own);

test('a frame of ten minutes lies exactly at n / rate, and the face is as long as the sound', () => {
  for (const name of exportRates) {
    const rate = rateOf(name);
    const count = frameCount(600, rate);
    const last = frameTime(count - 1, rate);
    expect(last).toBeLessThanOrEqual(600 + 1e-9);
    expect(600 - last).toBeLessThan(1 / hertz(rate));
  }
  expect(frameTime(17_982, rateOf('29.97'))).toBe((17_982 * 1001) / 30_000);
  expect(frameCount(0, rateOf('24'))).toBe(1);
});

test('a take near a usual rate has that one’s fraction, and any other its own', () => {
  expect(rateOf('own', 29.97)).toEqual({ numerator: 30_000, denominator: 1001 });
  expect(rateOf('own', 86.13)).toEqual({ numerator: 86.13, denominator: 1 });
  expect(rateText(rateOf('59.94'))).toBe('59.94');
});

// SMPTE ST 12-1: numbers 00 and 01 (00 to 03 of 60) are left out at each minute, save every tenth.
test.each([
  ['29.97', 1799, '00:00:59;29'],
  ['29.97', 1800, '00:01:00;02'],
  ['29.97', 3597, '00:01:59;29'],
  ['29.97', 3598, '00:02:00;02'],
  ['29.97', 17_981, '00:09:59;29'],
  ['29.97', 17_982, '00:10:00;00'],
  ['29.97', 107_892, '01:00:00;00'],
  ['59.94', 3599, '00:00:59;59'],
  ['59.94', 3600, '00:01:00;04'],
  ['59.94', 35_964, '00:10:00;00'],
  ['24', 14_400, '00:10:00:00'],
  ['25', 37, '00:00:01:12'],
  ['120', 119, '00:00:00:119'],
] as const)('at %s frame %i is %s', (rate, frame, timecode) => {
  expect(smpteTimecode(frame, rateOf(rate))).toBe(timecode);
});

test('drop-frame time code gives each frame a number of its own and stays by the clock', () => {
  for (const name of ['29.97', '59.94'] as const) {
    const rate = rateOf(name);
    const base = Math.round(hertz(rate));
    const seen = new Set<string>();
    for (let frame = 0; frame < base * 1260; frame += 1) {
      const code = smpteTimecode(frame, rate);
      seen.add(code);
      const [hours = 0, minutes = 0, seconds = 0, frames = 0] = code.split(/[:;]/).map(Number);
      const shown = hours * 3600 + minutes * 60 + seconds + frames / base;
      // Each minute's dropped numbers are made up for by its end: never more than a tenth of a second.
      expect(Math.abs(shown - frameTime(frame, rate))).toBeLessThan(0.1);
    }
    expect(seen.size).toBe(base * 1260);
  }
});
