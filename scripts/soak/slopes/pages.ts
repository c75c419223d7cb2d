/** A studio's window that goes from page to page. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startStudio } from '../../../test/e2e/studio.ts';
import { footprintOf } from '../../../test/main/shell/browser/broken_connections.ts';
import { chromiumFlags, findChromium } from '../../chromium.ts';
import { printSlopes, type Sample, sampleOf } from './samples.ts';

/** Switches between two looks at the window. */
const between = 100;

export async function pageSlopes(switches: number): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'likeness-soak-pages-'));
  await writeFile(join(home, 'settings.json'), JSON.stringify({ schemaVersion: 1, welcomed: true }));
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumFlags });
  const studio = await startStudio(home);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  await page.goto(studio.link());
  const rail = page.getByRole('navigation').first().getByRole('link');
  await rail.first().waitFor();
  const count = await rail.count();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  const inWindow: Sample[] = [];
  const inStudio: Sample[] = [];
  for (let done = 0; done < switches; done += 1) {
    await rail.nth(done % count).click();
    await page.locator('main').waitFor();
    if (done % between > 0) continue;
    await devTools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devTools.send('Performance.getMetrics');
    const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0;
    const studioSample = sampleOf(done, studio.process.pid!, footprintOf(studio.process).megabytes * 2 ** 20);
    inStudio.push(studioSample);
    inWindow.push({
      at: done,
      megabytes: metric('JSHeapUsedSize') / 2 ** 20,
      listeners: metric('JSEventListeners'),
      nodes: metric('Nodes'),
    });
  }
  printSlopes(`window, ${switches} switches between ${count} pages`, inWindow, ['a thousand', 1000]);
  printSlopes('its studio', inStudio, ['a thousand', 1000]);
  await browser.close();
  await studio.stop();
  await rm(home, { recursive: true, force: true });
}
