import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, test as base, chromium, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { mainFlags } from '../../scripts/main_flags.ts';
import { findElectron, startElectron } from './electron.ts';

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
}

/**
 * Starts `out/main/serve.js` of a clone, by default this one, as `npm start` does, and waits for its link.
 */
export async function startStudio(
  home: string,
  environment: Record<string, string> = {},
  from = root,
): Promise<RunningStudio> {
  const child = spawn(process.execPath, [...mainFlags, join(from, 'out/main/serve.js')], {
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
  };
}

/** The shell that the suite runs against: the projects of `playwright.config.ts` set it. */
export type SuiteShell = 'browser' | 'electron';

interface Fixtures {
  shell: SuiteShell;
  /** A data folder of the test's own. */
  home: string;
  /** The studio's page, entered as a person does, and the served studio behind it; null under Electron. */
  app: Page & { studio: RunningStudio | null };
}
interface WorkerFixtures {
  chromiumBrowser: Browser;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shell: ['browser', { option: true }],
  chromiumBrowser: [
    // Playwright wants the pattern, even empty.
    // biome-ignore lint/correctness/noEmptyPattern: fixtures without dependencies are written so
    async ({}, use) => {
      const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: fixtures without dependencies are written so
  home: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'likeness-e2e-'));
    await use(home);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  page: async ({ shell, home, chromiumBrowser, viewport }, use) => {
    if (shell === 'electron') {
      const running = await startElectron(findElectron().program ?? '', home);
      await use(running.page);
      await running.stop();
      return;
    }
    const context = await chromiumBrowser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-US' });
    await use(await context.newPage());
    await context.close();
  },
  app: async ({ shell, home, page }, use) => {
    const studio = shell === 'electron' ? null : await startStudio(home);
    if (studio) await page.goto(studio.link());
    // The sign-in page replaces itself by the studio's page.
    await page.waitForFunction(() => 'studio' in window);
    await use(Object.assign(page, { studio }));
    await studio?.stop();
  },
});

export { expect } from '@playwright/test';
