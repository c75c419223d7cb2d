/**
 * The studio as a person meets it in the browser shell: cold start to a usable screen, a call's round trip
 * from the page to main and back, a click's way to the place that it opens, memory of the main process at
 * rest.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { percentile } from '@likeness/proto/percentile.ts';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { startStudio } from '../e2e/studio.ts';
import { report } from './limits.ts';

const starts = 5;
const calls = 2000;
const home = await mkdtemp(join(tmpdir(), 'likeness-bench-'));
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });

/** Milliseconds from the command to the first screen a person can use. */
async function coldStart(): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const begin = performance.now();
  const studio = await startStudio(home);
  await page.goto(studio.link());
  await page.getByRole('button').first().waitFor();
  const milliseconds = performance.now() - begin;
  await studio.stop();
  await context.close();
  return milliseconds;
}

const colds: number[] = [];
for (let run = 0; run <= starts; run += 1) colds.push(await coldStart());
// The first fills the system's file cache, as the installer or the build would have.
const measured = colds.slice(1);
console.log(`cold starts: ${colds.map((milliseconds) => Math.round(milliseconds)).join(' ')} ms`);
report({
  name: 'cold start to a usable screen, median',
  value: percentile(measured, 0.5) / 1000,
  unit: 's',
  limit: 1.5,
  kind: 'most',
});

const studio = await startStudio(home);
const page = await browser.newPage();
await page.goto(studio.link());
await page.getByRole('button').first().waitFor();
const roundTrips = await page.evaluate(async (count) => {
  const { studio } = window as unknown as { studio: { app: { settings: () => Promise<unknown> } } };
  const samples: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const begin = performance.now();
    await studio.app.settings();
    samples.push(performance.now() - begin);
  }
  return samples;
}, calls);
report({
  name: 'contract round trip over the browser shell, P95',
  value: percentile(roundTrips, 0.95),
  unit: 'ms',
  limit: 5,
  kind: 'most',
});

await page.getByText('Look around first').click();
/**
 * Milliseconds from a click on a place to the frame that shows its heading, once each place's code is loaded.
 */
const clicks = await page.evaluate(async (rounds) => {
  const samples: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, heading] of [
      ['takes', 'Takes'],
      ['portraits', 'Portraits'],
    ] as const) {
      const begin = performance.now();
      document.querySelector<HTMLAnchorElement>(`a[href="#/${place}"]`)?.click();
      while (document.querySelector('h1')?.textContent !== heading)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      if (round > 0) samples.push(performance.now() - begin);
    }
  }
  return samples;
}, 20);
report({
  name: 'a click on a place to its heading, P95',
  value: percentile(clicks, 0.95),
  unit: 'ms',
  limit: 100,
  kind: 'most',
});

await page.close();
await wait(3000);
const status = readFileSync(`/proc/${studio.process.pid}/status`, 'utf8');
const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
report({
  name: 'main process at rest, resident memory',
  value: resident,
  unit: 'MB',
  limit: 150,
  kind: 'most',
});

await studio.stop();
await browser.close();
await rm(home, { recursive: true });
