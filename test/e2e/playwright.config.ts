import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findElectron } from './electron.ts';
import type { SuiteShell } from './studio.ts';

const electron = findElectron();
const workers = process.env.LIKENESS_TEST_WORKERS ?? '50%';
if (electron.why && process.env.TEST_WORKER_INDEX === undefined) {
  console.log(
    `The suite runs in the browser shell only; against a real Electron it is skipped: ${electron.why}.`,
  );
}

/**
 * End to end: the built studio, its browser shell, a real Chromium. Electron's project runs where Electron
 * is.
 */
export default defineConfig<{ shell: SuiteShell }>({
  testDir: '.',
  outputDir: join(import.meta.dirname, '../../test-results/e2e'),
  timeout: 120_000,
  expect: { timeout: 20_000 },
  // Files differ too much in length to be dealt out whole.
  fullyParallel: true,
  workers: workers.endsWith('%') ? workers : Number(workers),
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  projects: [
    { name: 'browser', use: { shell: 'browser' } },
    ...(electron.program ? [{ name: 'electron', use: { shell: 'electron' as const } }] : []),
  ],
  use: { viewport: { width: 1280, height: 800 }, trace: 'off' },
});
