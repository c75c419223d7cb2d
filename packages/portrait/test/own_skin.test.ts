import { expect, it } from 'vitest';
import { learnSkin } from '../src/texture/own_skin.ts';

/** A skin in even light and in shade, a little redder there, with some noise. */
const samples = Array.from({ length: 400 }, (_, i): [number, number, number] => {
  const light = 0.55 + (0.45 * i) / 400;
  const noise = 3 * Math.sin(12.9 * i);
  return [210 * light + noise, 160 * light ** 1.05, 135 * light ** 1.1 - noise];
});
const own = learnSkin(samples)!;

it('knows its own colours, also in the shade', () => {
  expect(own.like(200, 150, 127)).toBe(1);
  expect(own.like(120, 88, 70)).toBeGreaterThan(0.9);
  expect(own.like(85, 60, 46)).toBeGreaterThan(0.5);
  expect(own.tone[0]).toBeGreaterThan(own.tone[2]);
});

it("takes a flag's red, a wall's grey and white, leaves and dark hair for something else", () => {
  for (const [r, g, b] of [
    [190, 30, 40],
    [150, 150, 152],
    [250, 250, 250],
    [90, 130, 70],
    [40, 36, 34],
  ] as const)
    expect(own.like(r, g, b)).toBeLessThan(0.05);
});

it('needs enough of it to be seen', () => {
  expect(learnSkin(samples.slice(0, 20))).toBeUndefined();
});
