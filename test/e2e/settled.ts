import type { Page } from '@playwright/test';

/** Frames without a change after which a screen has settled. */
const quietFrames = 4;
/** Milliseconds after which a screen that goes on changing, as one with a clock does, is taken as it is. */
const longest = 2000;

/**
 * Waits until a screen is what it will be: nothing fades, slides or changes colour, and no element came or
 * went for some frames. What moves for ever (a spinner, a meter) does not hold it up.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    ([frames, milliseconds]) =>
      new Promise<void>((resolve) => {
        const begun = performance.now();
        let quiet = 0;
        const observer = new MutationObserver(() => {
          quiet = 0;
        });
        observer.observe(document, { subtree: true, childList: true });
        const look = (): void => {
          const moves = document
            .getAnimations()
            .some(
              (one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity,
            );
          quiet = moves ? 0 : quiet + 1;
          if (quiet < frames! && performance.now() - begun < milliseconds!) requestAnimationFrame(look);
          else {
            observer.disconnect();
            resolve();
          }
        };
        requestAnimationFrame(look);
      }),
    [quietFrames, longest],
  );
}
