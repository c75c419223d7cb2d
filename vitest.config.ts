import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
import { aacModule } from './scripts/aac_module.ts';
import { chromiumFlags, findChromium } from './scripts/chromium.ts';
import { fixtureAssets } from './test/fixtures/studio/assets.ts';
import { contractDefine } from './test/fixtures/studio/contract_define.ts';
import { browserFiles, headFiles, processFiles } from './test/projects.ts';
import { isLongRun } from './test/support/sizes.ts';

const here = (path: string): string => resolve(import.meta.dirname, path);

/**
 * On a machine that others share, a test that waits for real time may fail once; twice is a fault. The summary
 * lists it as flaky.
 */
const retry = 1;
/** The full sizes of `npm run test:long` take up to ten times as long. */
const limit = (milliseconds: number): number => milliseconds * (isLongRun ? 10 : 1);
const setupFiles = ['messages_as_text', 'frames_by_values', 'longer_waits'].map((name) =>
  here(`test/fixtures/${name}.ts`),
);

/**
 * All cores, or the share that `scripts/test.ts` gives each of its lanes. Vitest's default of one worker less than
 * there are cores leaves half of a small machine idle.
 */
const maxWorkers = process.env.LIKENESS_TEST_WORKERS ?? '100%';

/** Gives page tests stores that can be reset. */
const storeRegistry: Plugin = {
  name: 'store-registry',
  enforce: 'pre',
  resolveId: (source, importer) =>
    /(base|\.)\/store\.ts$/.test(source) && importer !== here('test/renderer/store_registry.ts')
      ? here('test/renderer/store_registry.ts')
      : undefined,
};

/** A project of tests in Node. */
const inNode = (
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration => ({
  test: {
    retry,
    environment: 'node',
    setupFiles,
    expect: { poll: { timeout: limit(20_000) } },
    testTimeout: limit(60_000),
    hookTimeout: limit(120_000),
    maxWorkers,
    execArgv: ['--import', here('test/support/native_modules.ts')],
    // Node's own modules: Vite's cost a sixth more processor time.
    experimental: { viteModuleRunner: false },
    ...test,
  },
});

export default defineConfig({
  test: {
    projects: [
      inNode({
        name: 'pure',
        include: ['{test,packages/*/test}/**/*.test.ts'],
        exclude: [...browserFiles, ...processFiles, ...headFiles],
        pool: 'threads',
        isolate: false,
        setupFiles: [...setupFiles, here('test/support/unchanged_globals.ts')],
      }),
      inNode({
        name: 'process',
        include: processFiles,
        exclude: headFiles,
        pool: 'forks',
        // Files share two processes: one of its own costs each file .7 s of processor time.
        isolate: false,
        setupFiles: [...setupFiles, here('test/support/unchanged_globals.ts')],
        unstubGlobals: true,
      }),
      inNode({
        name: 'heads',
        include: headFiles,
        pool: 'forks',
        // One process, whose networks and compiled code stay warm from file to file.
        isolate: false,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
      {
        plugins: [storeRegistry, react(), fixtureAssets, aacModule()],
        // React's production build, as shipped: the development build is slower and runs effects at other times.
        define: { ...contractDefine, 'process.env.NODE_ENV': '"production"' },
        oxc: { jsx: { runtime: 'automatic', development: false } },
        // Found only when a worker starts, it would reload the page under a test.
        optimizeDeps: { include: ['mediabunny'] },
        test: {
          name: 'browser',
          retry,
          maxWorkers,
          include: browserFiles,
          // Loading the page's modules and compiling them anew costs each file as much as its tests do.
          isolate: false,
          setupFiles: [...setupFiles, here('test/renderer/empty_page.ts')],
          expect: { poll: { timeout: limit(20_000) } },
          testTimeout: limit(60_000),
          hookTimeout: limit(120_000),
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
