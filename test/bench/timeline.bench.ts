/**
 * The timeline of a take of ten minutes: 67 channels at 60 frames a second and sound at 48 kHz, every region open,
 * drawn at four zooms while one scrolls along, in a real Chromium without a GPU. And how long an edit takes to the
 * picture.
 */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { report } from './limits.ts';
import type { TimelineFigures } from './timeline_entry.ts';

const size = { width: 1600, height: 600 };

/** One frame of a screen at 60 Hz. */
const frame = 16.7;

const built = await build({
  configFile: false,
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    write: false,
    minify: false,
    lib: { entry: join(import.meta.dirname, 'timeline_entry.ts'), formats: ['iife'], name: 'bench' },
  },
});
const [output] = [built].flat();
if (!output || !('output' in output)) throw new Error('Nothing was built.');
const [script] = output.output;

const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
const page = await browser.newPage({ viewport: { width: 1700, height: 800 } });
await page.addScriptTag({ content: script.code });
const figures = await page.evaluate(
  ({ width, height }) =>
    (
      window as unknown as {
        bench: { timelineFigures(width: number, height: number): Promise<TimelineFigures> };
      }
    ).bench.timelineFigures(width, height),
  size,
);
await browser.close();

const max = (name: string, value: number, limit: number): void =>
  report({ name, value, unit: 'ms', limit, kind: 'most' });
for (const [seen, value] of Object.entries(figures.draws)) max(`one picture, P95, ${seen}`, value, frame);
max('an edit to face and curves in sight, P95', figures.edit, 50);
max('curves of ten minutes', figures.curves, 300);
max('sound of ten minutes', figures.sound, 300);
