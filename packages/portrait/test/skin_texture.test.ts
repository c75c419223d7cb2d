import { describe, expect, it } from 'vitest';
import { fillFromMirror, projectPhoto } from '../src/texture/skin_texture.ts';
import { blankCanvas, type Canvas, fillUnknown } from '../src/texture/texture_fill.ts';

const size = 128;

/** A grey canvas; `at` gives a column's light and how well it is known. */
function canvasOf(at: (x: number) => [light: number, known: number]): Canvas {
  const canvas = blankCanvas(size);
  for (let i = 0; i < size * size; i++) {
    const [light, known] = at(i % size);
    canvas.weight[i] = known;
    canvas.colour.fill(light * known, 3 * i, 3 * i + 3);
  }
  return canvas;
}
const lightAt = ({ colour, weight }: Canvas, x: number): number => {
  const i = 64 * size + x;
  return colour[3 * i + 1]! / weight[i]!;
};

describe("a face's better side lends to the other", () => {
  const half = size / 2;

  it('in the light of the side that borrows, where that is the lighter one', () => {
    const canvas = canvasOf((x) => (x < 16 ? [0, 0] : [x < half ? 180 : 120, 1]));
    fillFromMirror(canvas);
    expect(canvas.weight[64 * size + 4]).toBeGreaterThan(0.8);
    expect(lightAt(canvas, 4)).toBeCloseTo(180, -1);
  });

  it('without darkening it for the side in the shade', () => {
    const canvas = canvasOf((x) => (x >= size - 16 ? [0, 0] : [x < half ? 180 : 120, 1]));
    fillFromMirror(canvas);
    expect(lightAt(canvas, size - 5)).toBeCloseTo(180, 0);
  });

  it('and is not taken for more than 1.8 times as light', () => {
    const canvas = canvasOf((x) => (x < 16 ? [0, 0] : [x < half ? 240 : 40, 1]));
    fillFromMirror(canvas);
    expect(lightAt(canvas, 4)).toBeCloseTo(72, 0);
  });
});

describe('a place that the photo hardly shows', () => {
  it('is filled from what is known: a shade of hair would become a stain', () => {
    const photo = { width: size, height: size, data: new Uint8Array(3 * size * size) };
    for (let i = 0; i < size * size; i++) photo.data.fill(i % size < 102 ? 200 : 20, 3 * i, 3 * i + 3);
    const xs = [0, 0.75, 0.8, 1];
    const uv = Float32Array.from(xs.flatMap((x) => [x, 0, x, 1]));
    const canvas = projectPhoto(
      photo,
      {
        uv,
        triangles: Uint32Array.from([0, 2, 4].flatMap((i) => [i, i + 1, i + 2, i + 1, i + 3, i + 2])),
        photo: uv.map((value) => value * size),
        trust: Float32Array.from([1, 1, 1, 1, 0.04, 0.04, 0.04, 0.04]),
        gain: new Float32Array(24).fill(1),
      },
      size,
    );
    fillUnknown(canvas);
    expect(canvas.colour[3 * (64 * size + 120)]).toBeGreaterThan(120);
  });
});
