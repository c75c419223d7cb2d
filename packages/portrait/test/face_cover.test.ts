import { expect, it } from 'vitest';
import { coverOf, coverScores, type FaceCover } from '../src/preflight/face_cover.ts';

/** As a bare face with thin lips measures. */
const bare: FaceCover = {
  lower: 6,
  unlikeHair: 3,
  lowerLight: 0.85,
  tipLight: 1.1,
  noseTip: 8,
  lips: 5,
  mouthLine: 0.25,
  nostrils: 0.2,
  rough: 0.03,
  eyes: 0.8,
  eyeContrast: 2.5,
};
/** As a black mask does. */
const masked: FaceCover = {
  ...bare,
  lower: 10,
  lowerLight: 0.4,
  tipLight: 0.4,
  noseTip: 12,
  mouthLine: 0.04,
  nostrils: 0.8,
};

it('leaves a lowered bare face alone, whose nostrils are out of view, whose nose shines and whose lips are thin', () => {
  const lowered = { ...bare, nostrils: 0.8, noseTip: 20, tipLight: 1.4, lower: 10 };
  expect(coverOf(coverScores(lowered))).toBeNull();
  // The line of the mouth tells it from a mask.
  expect(coverOf(coverScores({ ...lowered, mouthLine: 0.03 }))).toBe('mouth');
});

it('tells masks, and cloth of a colour that no skin has in spite of its folds', () => {
  expect(coverOf(coverScores(masked))).toBe('mouth');
  expect(coverOf(coverScores({ ...masked, lower: 30, mouthLine: 0.3 }))).toBe('mouth');
});

it('says how far a face is from its limits', () => {
  expect(coverScores(bare).mouth).toBeLessThan(-0.3);
  expect(coverScores(bare).eyes).toBeLessThan(-0.5);
  expect(coverScores(masked).mouth).toBeGreaterThan(0.1);
  const dark = coverScores({ ...bare, eyes: 0.1, eyeContrast: 0.5 });
  expect([coverOf(dark), dark.eyes > 0.5]).toEqual(['eyes', true]);
});
