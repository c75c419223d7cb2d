import { describe, expect, it } from 'vitest';
import { growTone } from '../src/texture/grown_tone.ts';
import type { OwnSkin } from '../src/texture/own_skin.ts';
import { blankCanvas, type Canvas, fillUnknown } from '../src/texture/texture_fill.ts';

const size = 512;
const own: OwnSkin = {
  tone: [180, 130, 110],
  like: () => 1,
  isShade: () => false,
  settle: () => {},
};

/** A photo that shows the left quarter, in one colour, and tells nothing of the rest. */
function grown(colour: readonly [number, number, number]): Canvas {
  const canvas = blankCanvas(size);
  for (let i = 0; i < size * size; i++) {
    if (i % size >= size / 4) continue;
    canvas.weight[i] = 1;
    for (let c = 0; c < 3; c++) canvas.colour[3 * i + c] = colour[c]!;
  }
  growTone(canvas, own);
  fillUnknown(canvas);
  return canvas;
}
const at = ({ colour }: Canvas, x: number): number[] => [
  ...colour.subarray(3 * (256 * size + x), 3 * (256 * size + x) + 3),
];

describe('skin that no photo shows', () => {
  it('goes on from shade at the photo’s edge, without a line, and becomes its own tone', () => {
    const canvas = grown([90, 65, 55]);
    let last = at(canvas, size / 4 - 20)[0]!;
    for (let x = size / 4 - 19; x < size; x++) {
      const here = at(canvas, x)[0]!;
      expect(Math.abs(here - last), `column ${x}`).toBeLessThan(6);
      last = here;
    }
    expect(at(canvas, size / 4 + 8)[0]).toBeLessThan(115);
    for (const [c, value] of at(canvas, size - 40).entries())
      expect(value, `channel ${c}`).toBeCloseTo(own.tone[c]!, -1);
  });

  it('takes the light of what lies at the edge, but not its colour: a flag', () => {
    const [r, g] = at(grown([200, 20, 20]), size / 4 + 24);
    expect(r! / g!).toBeLessThan(1.35 * (own.tone[0] / own.tone[1]));
  });
});
