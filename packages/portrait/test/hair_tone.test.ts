import { describe, expect, it } from 'vitest';
import { leadTonesOn, toneCells } from '../src/hair/colour/hair_tone.ts';
import { blankCanvas } from '../src/texture/texture_fill.ts';

const size = 256;
const defaultColour = [90, 70, 50] as const;

/** Tones where the front third shows hair of a colour by its place in the texture, 0..1. */
function lead(colourAt?: (u: number) => readonly [number, number, number]) {
  const seen = blankCanvas(size);
  for (let i = 0; colourAt && i < size * Math.floor(size / 3); i++) {
    seen.weight[i] = 1;
    seen.colour.set(colourAt((i % size) / size), 3 * i);
  }
  return leadTonesOn(seen, defaultColour);
}
type Tones = ReturnType<typeof lead>;

const at = ({ colours }: Tones, across: number, down: number): number[] =>
  colours.map(
    (channel) => channel[Math.floor(down * toneCells) * toneCells + Math.floor(across * toneCells)]!,
  );

describe('the tone of hair that no photo shows', () => {
  it('is the photo’s own where all that is seen is of one colour', () => {
    const tones = lead(() => [170, 140, 95]);
    for (const down of [0.5, 0.99])
      for (const [c, value] of [170, 140, 95].entries())
        expect(Math.abs(at(tones, 0.2, down)[c]! - value)).toBeLessThan(1);
    expect(tones.contrast).toBe(0.07);
  });

  it('goes on from each side, without a step', () => {
    const tones = lead((u) => (u < 0.5 ? [60, 50, 40] : [180, 150, 110]));
    for (const across of [0.2, 0.8])
      for (let row = Math.floor(toneCells / 3) - 1; row + 1 < toneCells; row++) {
        const [from, to] = [0, 1].map((k) => at(tones, across, (row + k + 0.5) / toneCells)[1]!);
        expect(Math.abs(to! - from!), `row ${row}`).toBeLessThan(20);
      }
    expect(at(tones, 0.8, 0.35)[1]! - at(tones, 0.2, 0.35)[1]!).toBeGreaterThan(50);
  });

  it('far from what is seen is that of most of it, not of its dark edge', () => {
    const seen = blankCanvas(size);
    const rows = Math.floor(size / 3);
    for (let i = 0; i < size * rows; i++) {
      seen.weight[i] = 1;
      seen.colour.fill(i < size * (rows - 20) ? 150 : 60, 3 * i, 3 * i + 3);
    }
    const tones = leadTonesOn(seen, defaultColour);
    expect(at(tones, 0.5, 0.34)[0]).toBeLessThan(90);
    expect(at(tones, 0.5, 0.9)[0]).toBeGreaterThan(125);
  });

  it('is the usual one where none is seen', () => {
    expect(at(lead(), 0.5, 0.5)).toEqual([...defaultColour]);
  });

  it('is as lively as what is seen', () => {
    let n = 0;
    const tones = lead(() => (n++ % 2 ? [110, 110, 110] : [75, 75, 75]));
    expect(tones.contrast).toBeGreaterThan(0.15);
  });
});
