import { expect, onTestFinished, test } from 'vitest';
import { PixelCopy } from '../../../renderer/speaking/pixel-copy.ts';

/** A WebGL canvas of 4 × 2 pixels, a plain one and what copies from one to the other. */
function pair() {
  const source = document.createElement('canvas');
  [source.width, source.height] = [4, 2];
  const gl = source.getContext('webgl2', { antialias: false })!;
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const copy = new PixelCopy(gl, brush);
  onTestFinished(() => copy.close());
  /** Fills the lower row with one red and the upper with another. */
  const paint = (lower: number, upper: number): void => {
    gl.enable(gl.SCISSOR_TEST);
    for (const [row, red] of [lower, upper].entries()) {
      gl.scissor(0, row, source.width, 1);
      gl.clearColor(red, 0, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
  };
  return { source, gl, brush, copy, paint };
}

test('a picture comes the right way up, in the size that it was drawn in', async () => {
  const { brush, copy, paint } = pair();
  paint(0, 1);
  await new Promise<void>((resolve) => copy.begin(resolve));
  expect([brush.canvas.width, brush.canvas.height]).toEqual([4, 2]);
  expect([...brush.getImageData(0, 0, 1, 2).data]).toEqual([255, 0, 0, 255, 0, 0, 0, 255]);
});

test('one picture is on its way at a time; the next may begin when it is there, in another size', async () => {
  const { source, brush, copy, paint } = pair();
  const seen: number[] = [];
  const one = (red: number): Promise<void> => {
    paint(red, red);
    return new Promise((resolve) =>
      copy.begin(() => {
        seen.push(brush.getImageData(0, 0, 1, 1).data[0]!);
        // Who drew may draw again at once.
        expect(copy.isBusy).toBe(false);
        resolve();
      }),
    );
  };
  const first = one(1);
  expect(copy.isBusy).toBe(true);
  expect(() => copy.begin(() => undefined)).toThrow('on its way');
  await first;
  await one(0.2);
  expect(seen).toEqual([255, 51]);
  [source.width, source.height] = [8, 8];
  await one(1);
  expect(brush.canvas.width).toBe(8);
});

test('the page is not asked for time again and again while a picture is on its way', async () => {
  const { gl, copy, paint } = pair();
  // A drawing that takes 40 ms, as far as the page can tell.
  let begunAt = 0;
  let looks = 0;
  const status = gl.getSyncParameter.bind(gl);
  gl.getSyncParameter = (sync, name) => {
    looks += 1;
    return performance.now() - begunAt < 40 ? gl.UNSIGNALED : status(sync, name);
  };
  const one = (): Promise<void> => {
    paint(1, 1);
    begunAt = performance.now();
    return new Promise((resolve) => copy.begin(resolve));
  };
  for (let k = 0; k < 25; k++) await one();
  looks = 0;
  for (let k = 0; k < 5; k++) await one();
  // Every millisecond would be 200 times.
  expect(looks / 5).toBeLessThan(25);
});

test('nothing comes any more once it is closed', async () => {
  const { copy, paint } = pair();
  paint(1, 1);
  let came = false;
  copy.begin(() => {
    came = true;
  });
  copy.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(came).toBe(false);
});
