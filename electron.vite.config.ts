import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { contractNames } from './preload/contract.ts';
import { aacModule } from './scripts/aac_module.ts';
import { helpFiles } from './scripts/help_pages.ts';

const here = (path: string): string => resolve(import.meta.dirname, path);

/** The contract's names are put in at build time, so that bridge and page carry no schemas (and no zod). */
const contractDefine = { __CONTRACT_NAMES__: JSON.stringify(contractNames) };

/** The packages of this repository are bundled; what they depend on is not. */
const workspaces = globSync('{proto,packages/*}/package.json', { cwd: import.meta.dirname }).map(
  (path) =>
    JSON.parse(readFileSync(here(path), 'utf8')) as { name: string; dependencies?: Record<string, string> },
);
const externalizeDeps = {
  exclude: workspaces.map(({ name }) => name),
  include: [...new Set(workspaces.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})))],
};

/** Puts files that the built engine reads beside it. */
const besideTheEngine = (files: Record<string, string>): Plugin => ({
  name: 'likeness-beside-the-engine',
  generateBundle() {
    for (const [fileName, source] of Object.entries(files)) {
      this.emitFile({ type: 'asset', fileName, source: readFileSync(here(source)) });
    }
  },
});

/** Messages of the command line and the service are shown in a terminal alone: the page goes without them. */
const withoutTerminalMessages: Plugin = {
  name: 'likeness-without-terminal-messages',
  enforce: 'pre',
  load(id) {
    const [, name] = /\/packages\/messages\/src\/(commands|service)\.ts$/.exec(id) ?? [];
    return name ? `export const ${name}Messages = {};` : null;
  },
};

export default defineConfig({
  main: {
    plugins: [
      besideTheEngine({
        'speech-weights.bin': 'packages/speech/src/weights.bin',
        'second-hearing.bin': 'packages/speech/src/second_hearing.bin',
        'segmentation_weights.bin': 'packages/portrait/src/segment/segmentation_weights.bin',
      }),
    ],
    build: {
      externalizeDeps,
      outDir: 'out/main',
      sourcemap: false,
      rollupOptions: {
        input: {
          desktop: here('main/desktop.ts'),
          serve: here('main/serve.ts'),
          cli: here('main/cli.ts'),
          'command-line': here('main/command_line.ts'),
          engine: here('packages/engine/src/engine_entry.ts'),
          'service-maker': here('packages/service/src/worker/portrait_maker.ts'),
          'portrait-worker': here('packages/portrait/src/worker.ts'),
          'recording-worker': here('packages/engine/src/recordings/recording_worker.ts'),
          'library-thread': here('main/library_thread.ts'),
          'convert-thread': here('packages/gltf/src/formats/convert_thread.ts'),
          'sound-thread': here('main/takes/edits/sound_thread.ts'),
          'view-thread': here('main/takes/views/view_thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    define: contractDefine,
    build: {
      outDir: 'out/preload',
      sourcemap: false,
      // A sandboxed preload may require `electron` only: one CommonJS file with everything else in it.
      externalizeDeps: false,
      isolatedEntries: true,
      rollupOptions: {
        input: { index: here('preload/index.ts'), browser: here('preload/browser.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: here('renderer'),
    define: contractDefine,
    plugins: [react(), withoutTerminalMessages, helpFiles(import.meta.dirname)],
    worker: { format: 'es', plugins: () => [aacModule()] },
    build: {
      outDir: here('out/renderer'),
      emptyOutDir: true,
      minify: true,
      // A data URI would need a hole in the policy of the page.
      assetsInlineLimit: 0,
      sourcemap: false,
      rollupOptions: { input: here('renderer/index.html') },
    },
  },
});
