import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  test as base,
  chromium,
  expect,
  type Page,
} from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { mainFlags } from '../../scripts/main_flags.ts';
import { findElectron, startElectron } from './electron.ts';
import { microphoneFlags, voiceFile } from './microphone.ts';

const root = join(import.meta.dirname, '../..');

/** The built studio's browser shell on a data folder of its own. */
export interface RunningStudio {
  home: string;
  /** What the studio printed so far. */
  output(): string;
  /** A link that was not used yet. */
  link(): string;
  process: ChildProcess;
  stop(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts `out/main/serve.js` of a clone, by default this one, as `npm start` does, and waits for its link.
 *
 * @param port to listen on; 0: any free port
 */
export async function startStudio(
  home: string,
  environment: Record<string, string> = {},
  from = root,
  port = 0,
): Promise<RunningStudio> {
  const where = port === 0 ? [] : ['--port', String(port)];
  const child = spawn(process.execPath, [...mainFlags, join(from, 'out/main/serve.js'), ...where], {
    cwd: from,
    env: { ...process.env, LIKENESS_HOME: home, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    const take = (text: Buffer): void => {
      output += text;
      if (/#token=\S+/.test(output)) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`the studio ended with ${code}: ${output}`)));
  });
  return {
    home,
    process: child,
    output: () => output,
    link: () => /(http:\S+)\s*$/.exec(output.trim())?.[1] ?? '',
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The shell that the suite runs against: the projects of `playwright.config.ts` set it. */
export type SuiteShell = 'browser' | 'electron';

interface Fixtures {
  shell: SuiteShell;
  /** A data folder of the test's own. */
  home: string;
  /** Starts a studio of the browser shell on `home`. It is stopped after the test. */
  start(): Promise<RunningStudio>;
  /** The studio's page, entered as a person does, and the served studio behind it; null under Electron. */
  app: Page & { studio: RunningStudio | null };
  /**
   * The same in a small window of the browser, whose microphone speaks and where things may move; past the
   * first-run screen.
   */
  live: Page & { studio: RunningStudio };
}

/** Where a worker's tests take place, one after the other. */
interface Seat {
  context: BrowserContext;
  /**
   * Each studio gets the port of the one before, so that Chromium keeps the page's files and their compiled
   * code; 0 before the first.
   */
  port: number;
}
interface WorkerFixtures {
  chromiumBrowser: Browser;
  seat: Seat;
}

/** Pages draw so often: without a GPU, drawing at a display's rate takes half of the processor's time. */
const framesPerSecond = 15;

/** Draws the page's frames at this rate, as a slow display does. */
function slowDisplay(rate: number): void {
  const display = window.requestAnimationFrame.bind(window);
  const waiting = new Map<number, FrameRequestCallback>();
  let lastId = 0;
  let isDue = false;
  let drawnAt = 0;
  const draw = (time: number): void => {
    isDue = false;
    drawnAt = performance.now();
    const callbacks = [...waiting.values()];
    waiting.clear();
    for (const callback of callbacks) callback(time);
  };
  window.requestAnimationFrame = (callback) => {
    lastId += 1;
    waiting.set(lastId, callback);
    if (!isDue) {
      isDue = true;
      setTimeout(() => display(draw), Math.max(0, drawnAt + 1000 / rate - performance.now() - 8));
    }
    return lastId;
  };
  window.cancelAnimationFrame = (id) => void waiting.delete(id);
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shell: ['browser', { option: true }],
  chromiumBrowser: [
    // Playwright wants the pattern, even empty.
    // biome-ignore lint/correctness/noEmptyPattern: fixtures without dependencies are written so
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'likeness-voice-'));
      const browser = await chromium.launch({
        executablePath: findChromium() ?? '',
        args: [...chromiumFlags, ...microphoneFlags(voiceFile(folder))],
      });
      await use(browser);
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  seat: [
    async ({ chromiumBrowser }, use) => {
      const context = await chromiumBrowser.newContext({ locale: 'en-US' });
      await context.addInitScript(slowDisplay, framesPerSecond);
      await use({ context, port: 0 });
      await context.close();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: fixtures without dependencies are written so
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'likeness-e2e-'));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  start: async ({ home, seat }, use) => {
    const started: RunningStudio[] = [];
    await use(async () => {
      // Somebody else may have taken the port meanwhile.
      const studio = await startStudio(home, {}, root, seat.port).catch(() => startStudio(home));
      seat.port = Number(new URL(studio.link()).port);
      started.push(studio);
      return studio;
    });
    for (const studio of started) await studio.stop();
  },
  page: async ({ shell, home, seat, viewport }, use) => {
    if (shell === 'electron') {
      const running = await startElectron(findElectron().program ?? '', home);
      await use(running.page);
      await running.stop();
      return;
    }
    await seatPage(seat, { reducedMotion: 'reduce', viewport }, use);
  },
  app: async ({ shell, page, start }, use) => {
    const studio = shell === 'electron' ? null : await start();
    const link = studio?.link() ?? '';
    if (studio) await page.goto(link);
    // The sign-in page replaces itself by the studio’s page.
    await page.waitForFunction(() => 'studio' in window);
    if (studio) await nextLink(studio, link);
    await use(Object.assign(page, { studio }));
  },
  live: async ({ seat, start }, use) => {
    await seat.context.grantPermissions(['microphone']);
    const studio = await start();
    await seatPage(
      seat,
      { reducedMotion: 'no-preference', viewport: { width: 720, height: 480 } },
      async (page) => {
        await enter(page, studio);
        await use(Object.assign(page, { studio }));
      },
    );
  },
});

/** Waits for the link that the studio prints after this one, which opens nothing any more. */
export const nextLink = (studio: RunningStudio, link: string): Promise<void> =>
  expect.poll(studio.link).not.toBe(link);

/** Gives a page of the seat's browser, which knows nothing of the tests before; closes all pages after it. */
async function seatPage(
  { context, port }: Seat,
  { reducedMotion, viewport }: { reducedMotion: 'reduce' | 'no-preference'; viewport: Viewport | null },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await context.newPage();
  await page.emulateMedia({ reducedMotion });
  if (viewport) await page.setViewportSize(viewport);
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', {
    origin: `http://127.0.0.1:${port}`,
    storageTypes: 'cookies,local_storage,indexeddb,cache_storage,service_workers',
  });
  await session.detach();
  await use(page);
  await context.clearPermissions();
  for (const each of context.pages()) await each.close();
}
type Viewport = { width: number; height: number };

/** Enters a studio by its link, past the first-run screen; one that was here before does not greet again. */
export async function enter(page: Page, studio: RunningStudio): Promise<void> {
  await page.goto(studio.link());
  await page.waitForFunction(() => 'studio' in window);
  const greeting = page.getByText('Look around first');
  const places = page.getByRole('navigation', { name: 'Pages' });
  await expect(greeting.or(places).first()).toBeVisible();
  if (await greeting.isVisible()) await greeting.click();
}

export { expect } from '@playwright/test';
