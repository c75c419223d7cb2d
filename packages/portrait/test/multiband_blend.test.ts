import { describe, expect, it } from 'vitest';
import { blendBands } from '../src/texture/multiband_blend.ts';
import { blankCanvas, type Canvas } from '../src/texture/texture_fill.ts';

const size = 1024;
const tone = [200, 150, 130] as const;
/** Two triangles over the whole layout. */
const layout = {
  uv: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1),
  triangles: Uint32Array.of(0, 1, 2, 1, 3, 2),
};

/** Skin whose colour is multiplied by what is drawn on it. */
function skin(draw: (x: number, y: number) => number): Canvas {
  const canvas = blankCanvas(size);
  canvas.weight.fill(1);
  for (let i = 0; i < size * size; i++)
    for (let c = 0; c < 3; c++) canvas.colour[3 * i + c] = tone[c]! * draw(i % size, Math.floor(i / size));
  return canvas;
}
const red = ({ colour }: Canvas, x: number, y = 512): number => colour[3 * (y * size + x)]!;
/** A dark strip of 8 mm, as where a cheek turns away from the lamp. */
const strip = (x: number): number => (Math.abs(x - 512) < 14 ? 0.6 : 1);
/** Pores and wrinkles, .6 mm wide. */
const pores = (x: number): number => 1 + 0.04 * Math.sign(Math.sin(Math.PI * x));
const [none, all] = [new Float32Array(5), new Float32Array(5).fill(1)];
const nowhere = { edge: none, alike: none, smeared: none };
const everywhere = { ...nowhere, edge: all };

describe('spots and streaks at the edge of a photo', () => {
  it('give way to the tone of the skin about them, by as much as is wanted', () => {
    const before = skin(strip);
    const dark = red(before, 512) / red(before, 400);
    const whole = skin(strip);
    blendBands(whole, layout, everywhere, 1, tone);
    expect(dark).toBeCloseTo(0.6);
    expect(red(whole, 512) / red(whole, 400)).toBeGreaterThan(0.88);
    const half = skin(strip);
    blendBands(half, layout, everywhere, 0.5, tone);
    expect(red(half, 512) / red(half, 400)).toBeGreaterThan(0.7);
    expect(red(half, 512) / red(half, 400)).toBeLessThan(0.88);
  });

  it('stay where the photo is to be believed', () => {
    const canvas = skin(strip);
    blendBands(canvas, layout, nowhere, 1, tone);
    // As bytes: comparing three million numbers one by one takes seconds.
    expect(Buffer.from(canvas.colour.buffer).equals(Buffer.from(skin(strip).colour.buffer))).toBe(true);
  });

  it('leave pores and wrinkles as they are', () => {
    const canvas = skin((x) => strip(x) * pores(x + 0.5));
    blendBands(canvas, layout, everywhere, 1, tone);
    expect(red(canvas, 300) / red(canvas, 301)).toBeCloseTo(pores(300.5) / pores(301.5), 2);
  });

  it('leave whiskers graded as they are, only fainter: cut off, each would have an outline', () => {
    const whiskers = (x: number): number => Math.exp(0.3 * Math.sin((Math.PI * x) / 6));
    const canvas = skin(whiskers);
    blendBands(canvas, layout, everywhere, 1, tone);
    // A crest lies at 303, half its height at 301.
    const [middle, half, crest] = [300, 301, 303].map((x) => Math.log(red(canvas, x)));
    expect(crest! - middle!).toBeLessThan(0.12);
    expect((half! - middle!) / (crest! - middle!)).toBeCloseTo(0.5, 1);
  });

  it('leave little detail where the photo’s pixels are drawn out', () => {
    const canvas = skin((x) => pores(x + 0.5));
    blendBands(canvas, layout, { ...everywhere, smeared: all }, 1, tone);
    expect(Math.abs(Math.log(red(canvas, 300) / red(canvas, 301)))).toBeLessThan(0.05);
    expect(Math.log(pores(300.5) / pores(301.5))).toBeGreaterThan(0.07);
  });

  it('don’t bring skin’s tone into a beard all over a jaw', () => {
    const beard = (_: number, y: number): number => (y > 512 ? 0.25 : 1);
    const canvas = skin(beard);
    blendBands(canvas, layout, everywhere, 1, tone);
    expect(red(canvas, 512, 800) / red(canvas, 512, 200)).toBeLessThan(0.35);
  });
});

describe('what one side of a face alone shows', () => {
  const onSkin = { ...nowhere, alike: all };
  const left = 300;
  const right = size - left;
  /** A patch of some 10 mm, multiplied channel by channel. */
  const patch = (canvas: Canvas, at: number, gains: readonly number[]): void => {
    for (let y = 500; y < 524; y++)
      for (let x = at - 12; x < at + 12; x++)
        for (let c = 0; c < 3; c++) canvas.colour[3 * (y * size + x) + c]! *= gains[c]!;
  };
  const redness = (canvas: Canvas, x: number): number =>
    red(canvas, x) / canvas.colour[3 * (512 * size + x) + 2]! / (tone[0] / tone[2]);

  it('is no tint of the skin', () => {
    const canvas = skin(() => 1);
    patch(canvas, left, [1.15, 1, 0.85]);
    expect(redness(canvas, left)).toBeGreaterThan(1.3);
    blendBands(canvas, layout, onSkin, 1, tone);
    expect(redness(canvas, left)).toBeLessThan(1.12);
  });

  it('is no shade of it beyond what a nose’s side has', () => {
    const canvas = skin(() => 1);
    patch(canvas, left, [0.7, 0.7, 0.7]);
    blendBands(canvas, layout, onSkin, 1, tone);
    expect(red(canvas, left) / tone[0]).toBeGreaterThan(0.77);
  });

  it('but the deep, red shade of a nostril stays, for else its edge would turn green', () => {
    const canvas = skin(() => 1);
    patch(canvas, left, [0.5, 0.15, 0.15]);
    blendBands(canvas, layout, onSkin, 1, tone);
    const greenness = Array.from({ length: 60 }, (_, k) => left - 30 + k).map((x) => 1 / redness(canvas, x));
    expect(Math.max(...greenness)).toBeLessThan(1.25);
    expect(red(canvas, left) / tone[0]).toBeCloseTo(0.5, 1);
  });

  it('but both cheeks may blush', () => {
    const canvas = skin(() => 1);
    for (const at of [left, right]) patch(canvas, at, [1.05, 1, 0.95]);
    const before = redness(canvas, left);
    blendBands(canvas, layout, onSkin, 1, tone);
    expect(redness(canvas, left)).toBeCloseTo(before, 2);
  });
});
