/**
 * A library of 10,000 heads with pictures, as a person meets it in the browser shell: opening the studio on
 * it against opening it on one of 10, searching as one types (from the key to the frame that shows what was
 * found), scrolling the grid. A real Chromium at 1280 × 800 on the built studio; without a GPU it draws by
 * llvmpipe.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { thumbnail } from '@likeness/head-renderer/thumbnail.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { type RunningStudio, startStudio } from '../e2e/studio.ts';
import { seeded } from '../main/batch/crash_points.ts';
import { report } from './limits.ts';
import { scrollGrid } from './scroll_grid.ts';
import { fillLibrary, searchWords } from './seeded_library.ts';

const many = 10_000;
const few = 10;
const openings = 5;
/** Pixels of a picture's side, as the studio draws them. */
const pictureSide = 384;

const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-window-'));
const head = await readFile(join(import.meta.dirname, '../../out/main/default-head.glb'));
const { data, width, height } = await thumbnail(head, pictureSide);
const picture = await sharp(data, { raw: { width, height, channels: 4 } })
  .webp({ quality: 82 })
  .toBuffer();

/** A data folder with so many heads, of a person who has been welcomed. */
async function home(name: string, count: number): Promise<string> {
  const data = join(folder, name);
  await fillLibrary(join(data, 'library', 'Heads'), count, [picture]);
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'settings.json'), JSON.stringify({ schemaVersion: 1, welcomed: true }));
  return data;
}

interface Opened {
  studio: RunningStudio;
  page: Page;
  /** From the command to the grid with its pictures, milliseconds. */
  milliseconds: number;
}

/** Starts the studio and goes to its library, as soon as each can be done. */
async function open(browser: Browser, data: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  const begin = performance.now();
  const studio = await startStudio(data);
  await page.goto(studio.link());
  await page.getByRole('link', { name: 'Library' }).click();
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('[role=option] img')?.naturalWidth ?? 0) > 0,
    undefined,
    { polling: 'raf', timeout: 60_000 },
  );
  return { studio, page, milliseconds: performance.now() - begin };
}

async function close({ studio, page }: Opened): Promise<void> {
  await page.context().close();
  await studio.stop();
}

const small = await home('small', few);
const large = await home('large', many);
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
const load = (): string => `load of the last minute ${loadavg()[0]?.toFixed(1)}`;

// ── Opening
// ─────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The index is made at the first start; every later one looks the folders through while it is already used.
 */
async function prepare(data: string, count: number): Promise<void> {
  const opened = await open(browser, data);
  await opened.page.waitForFunction(
    (wanted) => document.body.textContent?.includes(wanted),
    `${count.toLocaleString('en-US')} heads`,
    { timeout: 120_000 },
  );
  await close(opened);
}
await prepare(small, few);
await prepare(large, many);

const smalls: number[] = [];
const larges: number[] = [];
for (let run = 0; run < openings; run += 1) {
  for (const [data, times] of [
    [small, smalls],
    [large, larges],
  ] as const) {
    const opened = await open(browser, data);
    times.push(opened.milliseconds);
    await close(opened);
  }
}
const asMs = (times: readonly number[]): string => times.map((time) => Math.round(time)).join(' ');
console.log(`opening with 10 heads ${asMs(smalls)} ms, with 10,000 heads ${asMs(larges)} ms; ${load()}`);
report({
  name: 'opening the studio on 10,000 heads against 10, medians',
  value: percentile(larges, 0.5) / percentile(smalls, 0.5),
  unit: 'times',
  limit: 1.5,
  kind: 'most',
});

// ── Searching
// ───────────────────────────────────────────────────────────────────────────────────────────────

const opened = await open(browser, large);
const { page } = opened;
await wait(5000); // the folders have been looked through

/** What the page is asked to wait for: the first heads of the answer, and how many there are. */
interface Wanted {
  ids: string[];
  total: number;
}

/**
 * Watches for the next key, in the page. `window.keyToPixels` becomes the milliseconds from that key to the
 * frame in which the grid shows what is wanted; null where that is what it showed before. The key's time is
 * the browser's own, of when it reached it; the frame is over when a message that was posted from its
 * animation callback arrives: layout and paint lie between.
 */
function watch({ ids, total }: Wanted): void {
  const shown = (): boolean => {
    const options = [...document.querySelectorAll('[role=option]')];
    const count = Number(options[0]?.getAttribute('aria-setsize') ?? 0);
    return count === total && ids.every((id, at) => options[at]?.id.endsWith(id));
  };
  const keyToPixels = new Promise<number | null>((resolve, reject) => {
    if (shown()) return resolve(null);
    let pressed = 0;
    const note = (event: Event): void => {
      pressed ||= event.timeStamp;
    };
    for (const type of ['keydown', 'beforeinput']) window.addEventListener(type, note, { capture: true });
    const late = performance.now() + 10_000;
    const frame = (): void => {
      if (performance.now() > late) reject(new Error(`never shown: ${JSON.stringify({ ids, total })}`));
      else if (pressed === 0 || !shown()) requestAnimationFrame(frame);
      else {
        for (const type of ['keydown', 'beforeinput'])
          window.removeEventListener(type, note, { capture: true });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - pressed);
        port2.postMessage(null);
      }
    };
    requestAnimationFrame(frame);
  });
  Object.assign(window, { keyToPixels });
}

/** The library's own answer to a text, as the page gets it. */
async function answer(text: string): Promise<Wanted> {
  return page.evaluate(async (words) => {
    const { studio } = window as unknown as {
      studio: {
        library: { search(input: unknown): Promise<{ value: { models: { id: string }[]; total: number } }> };
      };
    };
    const query = { sort: 'created', descending: true, ...(words ? { text: words } : {}) };
    const { value } = await studio.library.search({ query, offset: 0, limit: 12 });
    return { ids: value.models.map(({ id }) => id), total: value.total };
  }, text.trim());
}

const prefixes = searchWords.flatMap((words) =>
  [...words].map((_, at) => [...words].slice(0, at + 1).join('')),
);
// Long before the keys, so that none finds its answer warmed up by the question.
const answers = new Map<string, Wanted>();
for (const text of prefixes) answers.set(text, await answer(text));
const random = seeded(8);
const field = page.getByRole('searchbox', { name: 'Search heads' });
const samples: number[] = [];
let unchanged = 0;
for (let round = 0; round < 3; round += 1) {
  for (const words of searchWords) {
    await field.fill('');
    await wait(600);
    let text = '';
    for (const letter of words) {
      text += letter;
      await page.evaluate(watch, answers.get(text)!);
      // What no key gives comes from an input method, as text.
      if (/[ -~]/.test(letter)) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      else await page.keyboard.insertText(letter);
      const milliseconds = await page.evaluate(
        () => (window as unknown as { keyToPixels: Promise<number | null> }).keyToPixels,
      );
      if (milliseconds === null) unchanged += 1;
      else samples.push(milliseconds);
      // A typist's pause: 60 to 200 ms, which the counting of facets falls into.
      await wait(60 + random() * 140);
    }
  }
}
console.log(
  `${samples.length} keys, P50 ${percentile(samples, 0.5).toFixed(1)} ms, longest ${Math.max(...samples).toFixed(1)} ms; ` +
    `${unchanged} more changed nothing; ${load()}`,
);
report({
  name: 'search in 10,000, key to pixels, P95',
  value: percentile(samples, 0.95),
  unit: 'ms',
  limit: 50,
  kind: 'most',
});

// ── Scrolling
// ───────────────────────────────────────────────────────────────────────────────────────────────

await field.fill('');
await page.mouse.move(700, 500);
await wait(1000);
const places = { grid: '[role=listbox]', cell: '[role=option]' };
await scrollGrid(page, places, 60);
for (const [name, pixels, limit] of [
  ['read', 40, 55],
  ['leafed', 160, 55],
  // Faster than anyone can see what passes: said, not held to.
  ['flung', 600, 0],
] as const) {
  const { fps, slowest, empty } = await scrollGrid(page, places, pixels);
  console.log(
    `${name}, ${Math.round(pixels * 30)} pixels a second: ${fps.toFixed(1)} fps, longest frame ${slowest.toFixed(0)} ms, ` +
      `${Math.round(100 * empty)} % of the looked-at places still empty; ${load()}`,
  );
  if (limit > 0) report({ name: `grid of 10,000, ${name}`, value: fps, unit: 'fps', limit, kind: 'least' });
}

await close(opened);
await browser.close();
await rm(folder, { recursive: true, force: true });
