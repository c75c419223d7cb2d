import { describe, expect, it } from 'vitest';
import { leadTonesOn } from '../src/hair/colour/hair_tone.ts';
import type { HairFlow } from '../src/hair/hair_flow.ts';
import { craniumColumnOf, hairColumns } from '../src/hair/hair_sheet.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { blankCanvas } from '../src/texture/texture_fill.ts';

const size = 256;
const usual = [90, 70, 50] as const;

/** A sheet over half a ball of 10 cm from the face, row 0, to the back; columns go round from the chin. */
const points = (() => {
  const out = new Float32Array(3 * (craniumRows + 1) * hairColumns);
  for (let row = 0; row <= craniumRows; row++) {
    for (let j = 0; j < hairColumns; j++) {
      const round = (2 * Math.PI * craniumColumnOf(j)) / craniumColumns;
      const back = Math.PI * (0.15 + 0.8 * (row / craniumRows));
      const r = 0.1 * Math.sin(back);
      out.set([r * Math.sin(round), r * Math.cos(round), 0.1 * Math.cos(back)], 3 * (row * hairColumns + j));
    }
  }
  return out;
})();

const flow: HairFlow = {
  along: Float32Array.from({ length: points.length }, (_, i) => (i % 3 === 2 ? -1 : 0)),
};

/** Tones where the front third shows hair of a colour by its place in the texture, 0..1. */
function lead(colourAt: (u: number) => readonly [number, number, number]): Float32Array {
  const seen = blankCanvas(size);
  for (let i = 0; i < size * Math.floor(size / 3); i++) {
    seen.weight[i] = 1;
    seen.colour.set(colourAt((i % size) / size), 3 * i);
  }
  return leadTonesOn(seen, points, flow, usual).colours;
}

const at = (colours: Float32Array, row: number, column: number): Float32Array =>
  colours.subarray(3 * (row * craniumColumns + column), 3 * (row * craniumColumns + column) + 3);

describe('the tone of hair that no photo shows', () => {
  it('is the photo’s own where all that is seen is of one colour', () => {
    const colours = lead(() => [170, 140, 95]);
    for (const row of [craniumRows / 2, craniumRows])
      for (const [c, value] of [170, 140, 95].entries())
        expect(Math.abs(at(colours, row, 30)[c]! - value)).toBeLessThan(5);
  });

  it('has no step at the seam, and drifts over centimetres', () => {
    // One side is dark, the other light.
    const colours = lead((u) => (u < 0.5 ? [60, 50, 40] : [180, 150, 110]));
    const seam = Math.floor(craniumRows / 3);
    for (const column of [36, 108]) {
      for (let row = seam - 2; row < craniumRows; row++) {
        const [from, to] = [at(colours, row, column)[1]!, at(colours, row + 1, column)[1]!];
        expect(Math.abs(to - from), `row ${row}, column ${column}`).toBeLessThan(12);
      }
    }
    const [one, other] = [36, 108].map((column) => at(colours, seam + 3, column)[1]!);
    expect(Math.abs(one! - other!)).toBeGreaterThan(50);
  });

  it('is lighter above than at the sides where the photo’s is, as light falls', () => {
    const colours = lead((u) => {
      const up = -Math.cos(2 * Math.PI * u);
      return up > 0.5 ? [190, 160, 120] : [95, 75, 55];
    });
    const row = Math.floor(0.62 * craniumRows);
    expect(at(colours, row, 0)[1]!).toBeGreaterThan(at(colours, row, craniumColumns / 2)[1]! + 25);
  });

  it('is of one tint behind, where the photo’s is bluish above and yellowish at the sides', () => {
    const colours = lead((u) => (-Math.cos(2 * Math.PI * u) > 0.5 ? [165, 170, 180] : [150, 135, 110]));
    const warmth = (column: number): number => {
      const [r, , b] = at(colours, Math.floor(0.8 * craniumRows), column);
      return Math.log(r! / b!);
    };
    // The photo's differ by .40; led on with slopes of their own .20.
    expect(Math.abs(warmth(0) - warmth(craniumColumns / 2))).toBeLessThan(0.15);
  });
});
