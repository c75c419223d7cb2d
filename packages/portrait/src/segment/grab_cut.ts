import { createRequire } from 'node:module';

/** OpenCV.js; `then` is called as soon as it can be used. */
type OpenCv = typeof import('@techstark/opencv-js') & { then(ready: () => void): void };

const packageRequire = createRequire(import.meta.url);
let loaded: Promise<{ readonly cv: OpenCv }> | undefined;

const processEvents = ['uncaughtException', 'unhandledRejection'] as const;

/** Loads OpenCV, some 90 MB of memory, for the first photo that needs it. In an object: the module itself would be awaited. */
function openCv(): NonNullable<typeof loaded> {
  loaded ??= new Promise((resolve) => {
    const known = processEvents.map((event) => process.listeners(event as 'uncaughtException'));
    const cv = packageRequire('@techstark/opencv-js') as OpenCv;
    // It would take over what the process does about errors.
    for (const [n, event] of processEvents.entries())
      for (const listener of process.listeners(event as 'uncaughtException'))
        if (!known[n]!.includes(listener)) process.off(event, listener);
    cv.then(() => resolve({ cv }));
  });
  return loaded;
}

/** Classes of a trimap, by OpenCV's numbers (`cv.GrabCutClasses`). */
export const trimapClasses = { background: 0, foreground: 1, probablyBackground: 2, probablyForeground: 3 };

const rounds = 3;

/**
 * Cuts a foreground out by its colours (Rother, Kolmogorov and Blake's GrabCut, 2004). The same input gives the same cut.
 *
 * @param values - Three channels of a pixel, 0..255.
 * @param trimap - One of {@link trimapClasses} a pixel.
 * @returns 1 in the foreground.
 */
export async function grabCut(
  width: number,
  height: number,
  values: Uint8Array,
  trimap: Uint8Array,
): Promise<Uint8Array> {
  const { cv } = await openCv();
  const image = new cv.Mat(height, width, cv.CV_8UC3);
  const mask = new cv.Mat(height, width, cv.CV_8UC1);
  const models = [new cv.Mat(), new cv.Mat()] as const;
  try {
    image.data.set(values);
    mask.data.set(trimap);
    // The mixtures begin with chance.
    cv.setRNGSeed(0);
    cv.grabCut(image, mask, new cv.Rect(), ...models, rounds, cv.GC_INIT_WITH_MASK);
    return Uint8Array.from(mask.data, (value) => value & 1);
  } finally {
    for (const mat of [image, mask, ...models]) mat.delete();
  }
}
