import { expect, it } from 'vitest';
import { settleLiftedTint } from '../src/texture/lifted_tint.ts';
import type { BlendedBands } from '../src/texture/multiband_blend.ts';
import { learnSkin, type OwnSkin } from '../src/texture/own_skin.ts';
import { blankCanvas, type Canvas } from '../src/texture/texture_fill.ts';
import { broadTone, logarithms } from '../src/texture/tone_grid.ts';

const size = 512;
const tone = [200, 150, 130] as const;
const own: OwnSkin = learnSkin(
  Array.from({ length: 400 }, (_, i) => tone.map((v) => v * (0.9 + 0.0005 * i)) as [number, number, number]),
)!;

/** Skin with a bluish patch of some 2 cm in its middle, whose pixels are lighter and darker by turns. */
function skin(): Canvas {
  const canvas = blankCanvas(size);
  canvas.weight.fill(1);
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [i % size, Math.floor(i / size)];
    const inPatch = Math.hypot(x - 256, y - 256) < 24;
    const light = inPatch ? 1 + 0.1 * (x % 2) : 1;
    for (let c = 0; c < 3; c++)
      canvas.colour[3 * i + c] = tone[c]! * light * (inPatch ? [0.9, 0.95, 1.2][c]! : 1);
  }
  return canvas;
}

/** Two triangles over the whole layout, whose photo was lightened so many times. */
const lifted = (gain: number, plain = 1) => ({
  uv: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1),
  triangles: Uint32Array.of(0, 1, 2, 1, 3, 2),
  gain: new Float32Array(12).fill(gain),
  plain: new Float32Array(4).fill(plain),
});
const bandsOf = (canvas: Canvas): Pick<BlendedBands, 'logs' | 'tones'> => {
  const logs = logarithms(canvas);
  return { logs, tones: broadTone(logs, own) };
};
const at = (x: number): number => 3 * (256 * size + x);
/** Blue against red, in times of what the skin about has. */
const blue = ({ colour }: Canvas): number => ((colour[at(256) + 2]! / colour[at(256)]!) * tone[0]) / tone[2];
const brightness = ({ colour }: Canvas, x: number): number =>
  colour[at(x)]! + colour[at(x) + 1]! + colour[at(x) + 2]!;

it('gives lifted shade the skin’s tint, and leaves its light', () => {
  const canvas = skin();
  const before = skin();
  const log = settleLiftedTint(canvas, lifted(1.4), 1, bandsOf(canvas));
  expect(blue(before)).toBeCloseTo(1.33, 2);
  expect(blue(canvas)).toBeLessThan(1.08);
  for (const x of [256, 257]) expect(brightness(canvas, x)).toBeCloseTo(brightness(before, x), 1);
  // A vertex outside the patch has nothing to record.
  expect(log(0, 2)).toBeCloseTo(0, 2);
});

it('leaves what was not lifted, what is no plain skin, and all of it where the photo’s light shall stay', () => {
  for (const [gain, plain, strength] of [
    [1, 1, 1],
    [1.4, 0, 1],
    [1.4, 1, 0],
  ] as const) {
    const canvas = skin();
    settleLiftedTint(canvas, lifted(gain, plain), strength, bandsOf(canvas));
    expect(Buffer.from(canvas.colour.buffer).equals(Buffer.from(skin().colour.buffer))).toBe(true);
  }
});
