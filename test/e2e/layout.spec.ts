/** Every page in small, common and large windows: nothing cut, nothing squeezed, and notices move nothing. */

import { encodeWav } from '@likeness/proto/wav.ts';
import type { Page } from '@playwright/test';
import { photographDefault } from '../support/synthetic_photo.ts';
import { settled } from './settled.ts';
import { expect, test } from './studio.ts';

/** CSS pixels. 720 × 450 is a laptop's window at 200 %. */
const windows = [
  { width: 720, height: 450 },
  { width: 900, height: 600 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
const screens = [
  '#/portraits',
  '#/library',
  '#/live',
  '#/takes',
  '#/activity/journal',
  '#/activity/usage',
  '#/activity/latency',
  '#/settings/general',
  '#/settings/connections/built-in',
  '#/settings/keys',
  '#/settings/engine',
  '#/settings/shortcuts',
  '#/settings/storage',
  '#/settings/help/http-api',
  '#/settings/about',
];

/** What is wrong with the page as it stands, in words; runs in the page. */
function faultsOfPage(): string[] {
  const faults = new Set<string>();
  const called = (element: Element): string =>
    `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
  const seen = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 2 && height > 2 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    );
  };
  /**
   * What of it is on the screen, and what cuts it off for good: a part that scrolls cuts nothing for good.
   */
  const look = (element: Element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const shown = { left, right, top, bottom };
    const scrolled = { x: false, y: false };
    let cut = '';
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const edge =
        box === document.documentElement
          ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
          : box.getBoundingClientRect();
      const last = box === document.documentElement;
      for (const [axis, overflow, from, to] of [
        ['x', overflowX, 'left', 'right'],
        ['y', overflowY, 'top', 'bottom'],
      ] as const) {
        if (overflow === 'visible' && !last) continue;
        const outside = Math.max(edge[from] - shown[from], shown[to] - edge[to]);
        if (['auto', 'scroll'].includes(overflow)) scrolled[axis] = true;
        else if (outside > 1.5 && !scrolled[axis])
          cut ||= `${Math.round(outside)} px of it, ${axis}, by ${last ? 'the window' : box.className}`;
        shown[from] = Math.max(shown[from], edge[from]);
        shown[to] = Math.min(shown[to], edge[to]);
      }
    }
    return { ...shown, cut };
  };

  if (document.documentElement.scrollWidth > innerWidth) faults.add('the page scrolls sideways');
  for (const part of document.querySelectorAll('main, main *')) {
    if (
      part.scrollWidth > part.clientWidth + 1 &&
      ['auto', 'scroll'].includes(getComputedStyle(part).overflowX) &&
      part.clientWidth > 0
    )
      faults.add(`${part.className} scrolls sideways`);
  }
  const cards = [...document.querySelectorAll('.mantine-Notification-root')].filter(seen);
  const main = document.querySelector('main')!.getBoundingClientRect();
  for (const card of cards) {
    const { left, right, top, bottom, width } = card.getBoundingClientRect();
    if (width > 361) faults.add(`a notice is ${Math.round(width)} px wide`);
    if (left < main.left || right > main.right || top < main.top || bottom > main.bottom)
      faults.add('a notice is not within the page');
  }
  const controls = document.querySelectorAll(
    'a, button, input, textarea, [role="tab"], [role="option"], [role="slider"], .mantine-SegmentedControl-label',
  );
  for (const control of controls) {
    if (!seen(control) || control.closest('.mantine-Notification-root, [aria-hidden="true"]')) continue;
    // Off the screen until it has the focus.
    if (control.textContent === 'Skip to content') continue;
    const { cut } = look(control);
    if (cut) faults.add(`${called(control)}: cut, ${cut}`);
  }
  const rail = document.querySelector('nav')?.parentElement;
  if (rail && rail.scrollHeight > rail.clientHeight + 1) faults.add('the rail has more than it shows');
  for (const label of document.querySelectorAll(
    '.mantine-Button-label, .mantine-SegmentedControl-innerLabel, .mantine-SegmentedControl-label',
  )) {
    if (seen(label) && label.scrollWidth > label.clientWidth + 1)
      faults.add(`${called(label)}: its words are cut`);
  }
  // Words one under the other: more than one line, and hardly more than a word on each.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const words = (node.textContent ?? '').trim().split(/\s+/).filter(Boolean).length;
    if (words < 2 || !node.parentElement || !seen(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size;
    const min = node.parentElement.closest('footer, nav, button, a, label') ? 2 : 3;
    if (lines >= min && words / lines < 1.5)
      faults.add(`“${node.textContent?.slice(0, 40)}”: ${lines} lines of a word`);
  }
  return [...faults];
}

/** What is wrong with a page once nothing moves. With LIKENESS_SHOTS in the environment it is photographed, too. */
async function faultsAt(page: Page, at: string): Promise<string[]> {
  await settled(page);
  if (process.env.LIKENESS_SHOTS)
    await page.screenshot({ path: `${process.env.LIKENESS_SHOTS}/${at.replace(/[^\w]+/g, '-')}.png` });
  return (await page.evaluate(faultsOfPage)).map((fault) => `${at}: ${fault}`);
}

test('no page cuts or squeezes anything, and notices move nothing, from 720 × 450 to 2560 × 1440', async ({
  app,
}) => {
  test.setTimeout(300_000);
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.locator('input[type=file][accept*="image/jpeg"]').setInputFiles({
    name: 'drawn.png',
    mimeType: 'image/png',
    buffer: Buffer.from(await photographDefault()),
  });
  await expect(app.getByRole('grid', { name: 'Photos' }).getByRole('gridcell')).toHaveCount(1);
  await app.goto(new URL('#/takes', app.url()).href);
  const samples = Float32Array.from({ length: 32_000 }, (_, at) => Math.sin(at / 9) / 4);
  await app.locator('#main input[type=file]').setInputFiles({
    name: 'first.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(encodeWav({ sampleRate: 16_000, samples })),
  });
  await expect(app.getByRole('row', { name: /^first/ })).toBeVisible({ timeout: 60_000 });

  const cards = app.locator('.mantine-Notification-root');
  const close = app.locator('.mantine-Notification-closeButton');
  /** Two notices, which stay while the focus is in one of them. */
  const showNotices = async (): Promise<void> => {
    await app.evaluate(() => {
      for (const message of ['The first trial notice', 'The second trial notice'])
        window.dispatchEvent(new ErrorEvent('error', { message }));
    });
    await expect(cards).toHaveCount(2);
    await close.first().focus();
  };
  const hideNotices = async (): Promise<void> => {
    for (const count of [1, 0]) {
      await close.first().click();
      await expect(cards).toHaveCount(count);
    }
  };
  /** Where everything on the page is. */
  const positions = (): Promise<string> =>
    app.evaluate(() =>
      JSON.stringify(
        [...document.querySelectorAll('main :is(a, button, input, [role="tab"])')].map((part) =>
          part.getBoundingClientRect(),
        ),
      ),
    );
  /** The same twice in a row: a page that still loads moves by itself. */
  const stillPositions = async (): Promise<string> => {
    let last = '';
    const isStill = async (): Promise<boolean> => {
      const before = last;
      last = await positions();
      return last === before;
    };
    await expect.poll(isStill, { intervals: [200] }).toBe(true);
    return last;
  };
  const faults: string[] = [];
  for (const screen of screens) {
    await app.goto(new URL(screen, app.url()).href);
    await expect(app.locator('#main h1').first()).toBeVisible();
    for (const size of windows) {
      await app.setViewportSize(size);
      const at = `${size.width} × ${size.height} ${screen}`;
      faults.push(...(await faultsAt(app, at)));
      const before = await stillPositions();
      await showNotices();
      faults.push(...(await faultsAt(app, `${at}, with notices`)));
      const during = await positions();
      await hideNotices();
      // What a page loads late moves it as well, but hiding notices doesn't move it again.
      if (during !== before && (await stillPositions()) !== during)
        faults.push(`${at}: notices move the page`);
    }
  }
  expect(faults).toEqual([]);
});

test('at 150 % everything is larger, nothing is cut, and what opens lies where it was opened', async ({
  app,
}) => {
  test.setTimeout(180_000);
  await app.getByRole('button', { name: 'Look around first' }).click();
  await app.goto(new URL('#/settings/general', app.url()).href);
  const heading = app.locator('#main h1');
  // The page before it has a heading of its own height.
  await expect(heading).toHaveText('Settings');
  const before = (await heading.boundingBox())?.height ?? 0;
  await app.getByText('150%').click();
  await expect.poll(async () => (await heading.boundingBox())?.height ?? 0).toBeGreaterThan(1.4 * before);
  const faults: string[] = [];
  for (const screen of screens) {
    await app.goto(new URL(screen, app.url()).href);
    await expect(heading.first()).toBeVisible();
    for (const size of windows.slice(2)) {
      await app.setViewportSize(size);
      faults.push(...(await faultsAt(app, `150 % ${size.width} ${screen}`)));
    }
  }
  expect(faults).toEqual([]);

  await app.goto(new URL('#/activity/journal', app.url()).href);
  const field = app.getByLabel('Connection').first();
  await field.click();
  await expect(app.getByRole('listbox')).toBeVisible();
  // It grows into its place.
  await expect(async () => {
    const list = (await app.getByRole('listbox').boundingBox()) ?? { x: 0, y: 0 };
    const box = (await field.boundingBox()) ?? { x: 0, y: 0, height: 0 };
    expect(Math.abs(list.x - box.x)).toBeLessThan(12);
    expect(list.y - box.y - box.height).toBeGreaterThan(-2);
    expect(list.y - box.y - box.height).toBeLessThan(30);
  }).toPass({ timeout: 5000 });
});
