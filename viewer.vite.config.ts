import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const here = (path: string): string => resolve(import.meta.dirname, path);

/**
 * The page for browser sources. OBS contains an old Chromium (103 in OBS 29 to 30), so the syntax targets
 * that version. Addresses are relative, because a token precedes them.
 */
export default defineConfig({
  root: here('renderer/obs'),
  base: './',
  logLevel: 'warn',
  build: {
    target: 'chrome103',
    outDir: here('out/viewer'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: false,
    // three.js alone has two thirds of it.
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: here('renderer/obs/index.html') },
  },
});
