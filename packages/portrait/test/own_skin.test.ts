import { expect, it } from 'vitest';
import { learnSkin } from '../src/texture/own_skin.ts';
import { growDetail } from '../src/texture/skin_detail.ts';
import { projectPhoto } from '../src/texture/skin_texture.ts';
import { blankCanvas, fillUnknown } from '../src/texture/texture_fill.ts';

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

it('takes what is a little darker than any sure sample for shade, and what is much darker for hair', () => {
  expect(own.isShade(200, 150, 127)).toBe(false);
  expect(own.isShade(80, 55, 42)).toBe(true);
  expect(own.isShade(25, 20, 18)).toBe(false);
});

/** A canvas of one triangle that a photo of one colour covers, where skin must be bare. */
const project = (photoColour: readonly [number, number, number]) => {
  const data = new Uint8Array(8 * 8 * 3).map((_, i) => photoColour[i % 3]!);
  const layout = {
    uv: Float32Array.of(0, 0, 0.5, 0, 0, 0.5),
    triangles: Uint32Array.of(0, 1, 2),
    photo: Float32Array.of(1, 1, 6, 1, 1, 6),
    trust: Float32Array.of(1, 1, 1),
    gain: new Float32Array(9).fill(1),
    bare: Float32Array.of(1, 1, 1),
  };
  return projectPhoto({ data, width: 8, height: 8 }, layout, 32, own);
};

it("leaves a flag's red out of bare skin, and keeps shade there that doesn't spread", () => {
  const inside = 3 * 32 + 3;
  const flag = project([190, 30, 40]);
  expect(flag.weight[inside]).toBeLessThan(0.05);
  const shade = project([60, 60, 60]);
  expect(shade.weight[inside]).toBeCloseTo(1, 5);
  expect(shade.source![inside]).toBeLessThan(20);
  // What the photo doesn't reach is painted later, and may spread.
  expect(shade.source![31 * 32 + 31]).toBe(255);
});

it('brings a bluish gloss back to the colour of skin and keeps its brightness', () => {
  const gloss = Float32Array.of(190, 175, 195);
  own.settle(gloss, 1);
  expect(gloss[0]! + gloss[1]! + gloss[2]!).toBeCloseTo(560, 0);
  expect(gloss[0]! / gloss[2]!).toBeGreaterThan(1.3);
});

it('needs enough of it to be seen', () => {
  expect(learnSkin(samples.slice(0, 20))).toBeUndefined();
});

it('lets only what counts as a source tell of its surroundings', () => {
  const size = 64;
  const canvas = { ...blankCanvas(size), source: new Uint8Array(size * size) };
  for (let i = 0; i < size * size; i++) {
    const x = i % size;
    if (x > 40) continue;
    const isSkin = x < 20;
    canvas.weight[i] = 1;
    canvas.source[i] = isSkin ? 255 : 0;
    canvas.colour.set(isSkin ? [200, 150, 127] : [20, 20, 20], 3 * i);
  }
  fillUnknown(canvas);
  const at = (x: number): number => canvas.colour[3 * (32 * size + x)]!;
  expect(at(30)).toBe(20);
  expect(at(60)).toBeGreaterThan(180);
});

it('gives what is filled the grain of skin, and leaves the rest alone', () => {
  const size = 128;
  const canvas = blankCanvas(size);
  canvas.colour.fill(180);
  for (let i = 0; i < size * size; i++) canvas.weight[i] = i % size < 64 ? 1 : 0;
  growDetail(canvas, own);
  const column = (x: number): number[] =>
    Array.from({ length: size }, (_, y) => canvas.colour[3 * (y * size + x)]!);
  expect(new Set(column(10)).size).toBe(1);
  const filled = column(100);
  const deviation = Math.sqrt(filled.reduce((sum, v) => sum + (v - 180) ** 2, 0) / size);
  expect(deviation).toBeGreaterThan(1);
  expect(deviation).toBeLessThan(12);
});
