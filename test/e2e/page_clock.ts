/** A page's clock that a test puts forward, instead of waiting. */
import type { Page } from '@playwright/test';

/**
 * Lets `skip` put the page's clock forward from now on. Unlike Playwright's own clock it belongs to this page alone,
 * and the display's frames and the sound go on as they do.
 */
export const takeClock = (page: Page): Promise<void> =>
  page.evaluate(() => {
    let skipped = 0;
    const now = performance.now.bind(performance);
    performance.now = () => now() + skipped;
    const [begin, end] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
    const waiting = new Map<number, { dueAt: number; ring: () => void }>();
    const setTimeout = (action: (...given: unknown[]) => void, delay = 0, ...given: unknown[]): number => {
      const ring = (): void => {
        waiting.delete(id);
        action(...given);
      };
      const id: number = begin(ring, delay);
      waiting.set(id, { dueAt: performance.now() + delay, ring });
      return id;
    };
    const clearTimeout = (id?: number): void => {
      waiting.delete(id ?? 0);
      end(id);
    };
    const skip = (milliseconds: number): void => {
      skipped += milliseconds;
      for (const [id, { dueAt, ring }] of [...waiting].sort(([, a], [, b]) => a.dueAt - b.dueAt))
        if (dueAt <= performance.now() && waiting.has(id)) {
          end(id);
          ring();
        }
    };
    Object.assign(window, { setTimeout, clearTimeout, skip });
  });

/** Puts the page's clock forward, and waits until what follows is on the screen. */
export const skip = (page: Page, milliseconds: number): Promise<void> =>
  page.evaluate(async (passed) => {
    (window as unknown as { skip(milliseconds: number): void }).skip(passed);
    // What falls due is drawn at the next frame, and its pixels may come some frames later.
    for (let frame = 0; frame < 6; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
  }, milliseconds);
