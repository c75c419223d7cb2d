import { curveRate, lagBetween } from '@likeness/proto/takes/curve_lag.ts';
import { faceDifference } from '@likeness/proto/takes/face_difference.ts';
import { expect, test } from 'vitest';
import { madeFace, syllables } from '../../fixtures/made_face.ts';

const later =
  (by: number, curve = syllables) =>
  (time: number): number =>
    curve(time - by);

test.each([0, 0.12, -0.12, 0.045, -0.033])('a face that comes %f s later has that lag', (by) => {
  const a = madeFace({ jawOpen: syllables, mouthClose: () => 0 });
  const b = madeFace({ jawOpen: later(by), mouthClose: () => 0 });
  const { jaw, lips } = faceDifference(a, b);
  expect(jaw!.lag).toBeCloseTo(by, 2);
  expect(Math.abs(jaw!.lag - by)).toBeLessThan(0.003);
  expect(jaw!.r).toBeGreaterThan(0.99);
  expect(Math.abs(lips!.lag - by)).toBeLessThan(0.003);
});

test('its frame rate does not count, nor how far it opens', () => {
  const a = madeFace({ jawOpen: syllables });
  const b = madeFace({ jawOpen: (time) => 0.4 * syllables(time - 0.08) }, { frameRate: 24 });
  expect(Math.abs(faceDifference(a, b).jaw!.lag - 0.08)).toBeLessThan(0.004);
});

test('where nothing moves, or the take is too short, there is no lag', () => {
  expect(lagBetween(new Float32Array(500), new Float32Array(500))).toBeNull();
  const short = madeFace({ jawOpen: syllables }, { seconds: 0.5 });
  expect(faceDifference(short, short).jaw).toBeNull();
});

test('each channel differs by what it was made to, by region and moment', () => {
  const a = madeFace({ jawOpen: syllables, mouthPucker: () => 0.2, browInnerUp: () => 0, onlyA: () => 1 });
  const b = madeFace({
    browInnerUp: () => 0,
    mouthPucker: (time) => (time >= 5 ? 0.6 : 0.2),
    jawOpen: (time) => syllables(time) + 0.1,
    onlyB: () => 1,
  });
  const { channels, regions, alone, seconds } = faceDifference(a, b);
  expect(seconds).toBeCloseTo(10 - 1 / 60, 9);
  expect(channels.map(({ name }) => name)).toEqual(['mouthPucker', 'jawOpen', 'browInnerUp']);
  expect(channels[0]!.rms).toBeCloseTo(0.4 * Math.SQRT1_2, 2);
  expect(channels[1]!.rms).toBeCloseTo(0.1, 5);
  expect(channels[2]!.rms).toBe(0);
  expect(alone).toEqual(['onlyA', 'onlyB']);
  expect(regions.get('mouth')![4 * curveRate]).toBeCloseTo(0, 6);
  expect(regions.get('mouth')![6 * curveRate]).toBeCloseTo(0.4, 6);
  expect(regions.has('eyes')).toBe(false);
});

test('a face without frames differs in nothing that can be told', () => {
  const none = madeFace({ jawOpen: syllables }, { seconds: 0 });
  expect(faceDifference(none, madeFace({ jawOpen: syllables }))).toMatchObject({ seconds: 0, jaw: null });
});

test('visemes beside ARKit’s channels move no head, and count for nothing', () => {
  const a = madeFace({ jawOpen: syllables, viseme_aa: () => 0 });
  const b = madeFace({ jawOpen: syllables, viseme_aa: () => 1 });
  expect(faceDifference(a, b).channels.map(({ name }) => name)).toEqual(['jawOpen']);
  const visemes = (weight: number) => madeFace({ viseme_aa: () => weight });
  expect(faceDifference(visemes(0), visemes(1)).channels[0]!.rms).toBe(1);
});
