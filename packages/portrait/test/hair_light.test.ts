import { describe, expect, it } from 'vitest';
import { evenHairLight } from '../src/hair/colour/hair_light.ts';
import { blankCanvas, type Canvas } from '../src/texture/texture_fill.ts';

type Rgb = readonly [number, number, number];

const size = 192;
const skinColour: Rgb = [200, 150, 125];
const [brown, grey, fair]: Rgb[] = [
  [110, 80, 55],
  [170, 165, 158],
  [200, 165, 120],
];

/** What a photo from the front shows, by place in the layout, 0..1: the middle of its upper half. */
function show(colourAt: (u: number, v: number) => Rgb, isHair = (_u: number, _v: number) => true) {
  const [seen, sure] = [blankCanvas(size), blankCanvas(size)];
  for (let y = 0; y < size / 2; y++) {
    for (let x = size / 4; x < (3 * size) / 4; x++) {
      const [i, u, v] = [y * size + x, (x + 0.5) / size, (y + 0.5) / size];
      seen.weight[i] = 1;
      seen.colour.set(colourAt(u, v), 3 * i);
      if (!isHair(u, v)) continue;
      sure.weight[i] = 1;
      sure.colour.set(colourAt(u, v), 3 * i);
    }
  }
  return { seen, sure };
}

/** A canvas' colour at a place of the layout, 0..1. */
function at({ colour, weight }: Canvas, u: number, v: number): number[] {
  const i = Math.floor(v * size) * size + Math.floor(u * size);
  return [0, 1, 2].map((c) => colour[3 * i + c]! / weight[i]!);
}

const brightness = (rgb: number[]): number => rgb[0]! + rgb[1]! + rgb[2]!;
const times = (colour: Rgb, light: number): Rgb => [colour[0] * light, colour[1] * light, colour[2] * light];

describe('light on one side of the hair', () => {
  it('goes where half a head lies in shadow, and leaves what is lit', () => {
    const { seen, sure } = show((u) => times(grey!, u < 0.5 ? 1 : 0.45));
    evenHairLight(seen, sure, { hairColour: times(grey!, 0.7), skinColour }, 1);
    for (const canvas of [seen, sure]) {
      const [lit, shaded] = [at(canvas, 0.35, 0.2), at(canvas, 0.65, 0.2)];
      expect(brightness(shaded) / brightness(lit)).toBeGreaterThan(0.8);
      expect(brightness(lit) / brightness([...grey!])).toBeGreaterThan(0.85);
    }
  });

  it('is glare where brown hair is as light as skin: the other side takes on little of it', () => {
    const { seen, sure } = show((u) => (u < 0.5 ? [225, 205, 170] : brown!));
    evenHairLight(seen, sure, { hairColour: brown!, skinColour }, 1);
    expect(brightness(at(seen, 0.65, 0.2)) / brightness([...brown!])).toBeLessThan(1.6);
    expect(brightness(at(seen, 0.35, 0.2))).toBeLessThan(0.7 * (225 + 205 + 170));
  });

  it('stays where both sides have it: roots, ends, and highlights between', () => {
    const colourAt = (u: number, v: number): Rgb =>
      times(fair!, (v < 0.12 ? 0.8 : 1) * (Math.floor(u * 64) % 2 ? 1.1 : 0.9));
    const { seen, sure } = show(colourAt);
    const before = seen.colour.slice();
    evenHairLight(seen, sure, { hairColour: fair!, skinColour }, 1);
    const max = before.reduce(
      (far, value, i) => Math.max(far, Math.abs((seen.colour[i]! - value) / (value || 1))),
      0,
    );
    expect(max).toBeLessThan(0.05);
  });

  it('is a lamp’s and a sky’s where the crown is far lighter and colder than all else', () => {
    const [sky, side]: [Rgb, Rgb] = [
      [205, 215, 225],
      [140, 126, 104],
    ];
    const { seen, sure } = show((_, v) => (v < 0.1 ? sky : side));
    evenHairLight(seen, sure, { hairColour: side, skinColour }, 1);
    const [top, below] = [at(seen, 0.4, 0.02), at(seen, 0.4, 0.4)];
    const warmth = ([r, , b]: number[]): number => Math.log(r! / b!);
    // Before, 1.74 times as light, and .39 colder.
    expect(brightness(top) / brightness(below)).toBeLessThan(1.45);
    expect(brightness(top)).toBeGreaterThan(brightness(below));
    expect(Math.abs(warmth(top) - warmth(below))).toBeLessThan(0.12);
  });

  it('leaves no skin’s tint on grey hair that is thin, and a dye where it is', () => {
    for (const [hairColour, stays] of [
      [[178, 154, 148], false],
      [[176, 130, 160], true],
    ] as [Rgb, boolean][]) {
      const { seen, sure } = show(() => hairColour);
      evenHairLight(seen, sure, { hairColour, skinColour }, 1);
      const [r, g, b] = at(seen, 0.4, 0.2);
      expect(g! - (r! + b!) / 2 < -6).toBe(stays);
    }
  });

  it('is so deep a shade, or so strange a hue, that made hair shows instead', () => {
    for (const behind of [times(fair!, 0.2), [60, 24, 40]] as Rgb[]) {
      const { seen, sure } = show((u, v) => (u > 0.6 && v > 0.2 ? behind : fair!));
      evenHairLight(seen, sure, { hairColour: fair!, skinColour }, 1);
      const weightAt = (u: number): number =>
        sure.weight[Math.floor(0.4 * size) * size + Math.floor(u * size)]!;
      expect(weightAt(0.35)).toBeGreaterThan(0.9);
      expect(weightAt(0.72)).toBeLessThan(0.1);
    }
  });

  it('stays where a head keeps the photo’s light', () => {
    const { seen, sure } = show((u) => times(grey!, u < 0.5 ? 1 : 0.45));
    const before = seen.colour.slice();
    evenHairLight(seen, sure, { hairColour: grey!, skinColour }, 0);
    expect(seen.colour).toEqual(before);
  });
});
