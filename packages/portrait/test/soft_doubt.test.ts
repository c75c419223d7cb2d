import { expect, it } from 'vitest';
import { takeDoubtful } from '../src/texture/soft_doubt.ts';
import { blankCanvas } from '../src/texture/texture_fill.ts';

const size = 1024;

it('takes the weight where most of a place is doubtful, softly at its edge, and leaves single pixels', () => {
  const canvas = blankCanvas(size);
  canvas.weight.fill(1);
  canvas.colour.fill(150);
  const doubt = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) doubt.fill(255, y * size + 512, (y + 1) * size);
  const speck = 300 * size + 200;
  doubt[speck] = 255;
  takeDoubtful(canvas, doubt);
  const row = 700 * size;
  expect(canvas.weight[speck]).toBe(1);
  expect(canvas.weight[row + 480]).toBe(1);
  expect(canvas.weight[row + 540]).toBe(0);
  expect(canvas.colour[3 * (row + 540)]).toBe(0);
  const steps = Array.from(
    { length: 60 },
    (_, i) => canvas.weight[row + 480 + i]! - canvas.weight[row + 481 + i]!,
  );
  expect(Math.max(...steps)).toBeLessThan(0.35);
});
