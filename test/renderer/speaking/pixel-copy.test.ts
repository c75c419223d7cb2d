import { expect, onTestFinished, test } from 'vitest';
import { PixelCopy } from '../../../renderer/speaking/software/pixel-copy.ts';

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

/** Makes pictures take so many milliseconds at least, as far as the page can tell. */
function takeAtLeast(gl: WebGL2RenderingContext, milliseconds: number): { looks: number } {
  const seen = { looks: 0 };
  const begunAt = new WeakMap<WebGLSync, number>();
  const fence = gl.fenceSync.bind(gl);
  gl.fenceSync = (...how) => {
    const made = fence(...how)!;
    begunAt.set(made, performance.now());
    return made;
  };
  const status = gl.getSyncParameter.bind(gl);
  gl.getSyncParameter = (sync, name) => {
    seen.looks += 1;
    return performance.now() - begunAt.get(sync)! < milliseconds ? gl.UNSIGNALED : status(sync, name);
  };
  return seen;
}

test('a second picture is not begun before the first could be there, a third has to wait', async () => {
  const { source, gl, brush, copy, paint } = pair();
  takeAtLeast(gl, 30);
  const seen: number[] = [];
  const one = (red: number): Promise<void> => {
    paint(red, red);
    return new Promise((resolve) =>
      copy.begin(() => {
        seen.push(brush.getImageData(0, 0, 1, 1).data[0]!);
        resolve();
      }),
    );
  };
  await one(1);
  const first = one(1);
  // It would only stand behind the first.
  expect(copy.isBusy).toBe(true);
  const begun = performance.now();
  while (performance.now() - begun < 60) {}
  expect(copy.isBusy).toBe(false);
  const second = one(0.2);
  expect(copy.isBusy).toBe(true);
  expect(() => copy.begin(() => undefined)).toThrow('on their way');
  await Promise.all([first, second]);
  expect(seen).toEqual([255, 255, 51]);
  expect(copy.isBusy).toBe(false);
  [source.width, source.height] = [8, 8];
  await one(1);
  expect(brush.canvas.width).toBe(8);
});

test('the page is not asked for time again and again while a picture is on its way', async () => {
  const { gl, copy, paint } = pair();
  const seen = takeAtLeast(gl, 40);
  const one = (): Promise<void> => {
    paint(1, 1);
    return new Promise((resolve) => copy.begin(resolve));
  };
  for (let k = 0; k < 25; k++) await one();
  seen.looks = 0;
  for (let k = 0; k < 5; k++) await one();
  // Some ten times; every millisecond it would be 200 times. A busy machine brings a picture later.
  expect(seen.looks / 5).toBeLessThan(80);
});

test('nothing comes any more once it is closed', async () => {
  const { gl, brush, copy, paint } = pair();
  paint(1, 1);
  let came = false;
  copy.begin(() => {
    came = true;
  });
  copy.close();
  // Pictures that are begun after it would come after it.
  const later = new PixelCopy(gl, brush);
  onTestFinished(() => later.close());
  for (let k = 0; k < 3; k++) await new Promise<void>((resolve) => later.begin(resolve));
  expect(came).toBe(false);
});
