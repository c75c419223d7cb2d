import { expect, onTestFinished, test, vi } from 'vitest';
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

/**
 * Makes pictures take so many milliseconds, by a clock that only timers put forward: each of them rings at once.
 */
function takeTime(gl: WebGL2RenderingContext, milliseconds: number): { looks: number; now: number } {
  const seen = { looks: 0, now: 0 };
  const begin = window.setTimeout.bind(window);
  const spies = [
    vi.spyOn(performance, 'now').mockImplementation(() => seen.now),
    vi.spyOn(window, 'setTimeout').mockImplementation(((ring: () => void, delay = 0) =>
      begin(() => {
        seen.now += delay;
        ring();
      })) as typeof window.setTimeout),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const begunAt = new WeakMap<WebGLSync, number>();
  const fence = gl.fenceSync.bind(gl);
  gl.fenceSync = (...how) => {
    const made = fence(...how)!;
    begunAt.set(made, seen.now);
    return made;
  };
  gl.getSyncParameter = (sync) => {
    seen.looks += 1;
    return seen.now - begunAt.get(sync)! < milliseconds ? gl.UNSIGNALED : gl.SIGNALED;
  };
  return seen;
}

test('a second picture is not begun before the first could be there, a third has to wait', async () => {
  const { source, gl, brush, copy, paint } = pair();
  const clock = takeTime(gl, 30);
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
  clock.now += 60;
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
  const seen = takeTime(gl, 40);
  const one = (): Promise<void> => {
    paint(1, 1);
    return new Promise((resolve) => copy.begin(resolve));
  };
  for (let k = 0; k < 60; k++) await one();
  seen.looks = 0;
  for (let k = 0; k < 5; k++) await one();
  // First after seven tenths of the time that pictures take, then every millisecond.
  expect(seen.looks).toBe(5 * 13);
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
