import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

/** End to end: the built studio, its browser shell, a real Chromium. Electron's project runs where Electron is. */
export default defineConfig({
  testDir: '.',
  outputDir: join(import.meta.dirname, '../../test-results/e2e'),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json']],
  use: { viewport: { width: 1280, height: 800 }, trace: 'off' },
});
