/** Rolls through a grid of pictures in the studio's page. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Turns the wheel 120 times, as a hand does for some seconds.
 *
 * @param selectors of the grid and its cells
 * @returns Frames a second, the longest time between two (milliseconds), and the share of visible places that
 * had no cell yet
 */
export async function scrollGrid(
  page: Page,
  selectors: { grid: string; cell: string },
  pixelsATurn: number,
): Promise<{ fps: number; slowest: number; empty: number }> {
  await page.evaluate(({ grid: gridSelector, cell }) => {
    const state = { times: [] as number[], empty: 0, seen: 0, running: true };
    Object.assign(window, { scrolling: state });
    const grid = document.querySelector(gridSelector)!;
    const frame = (now: number): void => {
      if (!state.running) return;
      state.times.push(now);
      const { left, top, bottom } = grid.getBoundingClientRect();
      if (state.times.length % 10 === 0)
        for (const y of [top + 30, (top + bottom) / 2, bottom - 60]) {
          state.seen += 1;
          if (!document.elementFromPoint(left + 80, y)?.closest(cell)) state.empty += 1;
        }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, selectors);
  for (let turn = 0; turn < 120; turn += 1) {
    await page.mouse.wheel(0, pixelsATurn);
    await wait(33);
  }
  return page.evaluate(() => {
    const { scrolling } = window as unknown as {
      scrolling: { times: number[]; empty: number; seen: number; running: boolean };
    };
    scrolling.running = false;
    const { times, empty, seen } = scrolling;
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    return {
      fps: (1000 * gaps.length) / (times.at(-1)! - times[0]!),
      slowest: Math.max(...gaps),
      empty: empty / seen,
    };
  });
}
