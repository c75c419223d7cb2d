import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { aacModule } from './scripts/aac_module.ts';
import { chromiumFlags, findChromium } from './scripts/chromium.ts';
import { fixtureAssets } from './test/fixtures/studio/assets.ts';
import { contractDefine } from './test/fixtures/studio/contract_define.ts';

const here = (path: string): string => resolve(import.meta.dirname, path);

/** On a machine that others share, a test that waits for real time may fail once; twice is a fault. */
const retry = process.env.CI ? 1 : 0;

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'node',
          retry,
          environment: 'node',
          setupFiles: [here('test/fixtures/sentences_as_text.ts'), here('test/fixtures/frames_by_values.ts')],
          include: ['test/**/*.test.ts'],
          exclude: ['test/renderer/**', 'test/e2e/**'],
          // Electron's runtime is never loaded in plain Node: it would try to download itself.
          alias: { electron: here('test/fixtures/electron/index.ts') },
          server: { deps: { inline: ['electron-store'] } },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react(), fixtureAssets, aacModule],
        define: contractDefine,
        test: {
          name: 'browser',
          retry,
          include: ['test/renderer/**/*.test.{ts,tsx}'],
          setupFiles: [here('test/fixtures/sentences_as_text.ts'), here('test/fixtures/frames_by_values.ts')],
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath: findChromium() ?? '/usr/bin/chromium', args: chromiumFlags },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
