/**
 * `npm run docs:pictures -- <photos> <sound>`: takes the README's pictures of the studio's places. `photos` is a folder for
 * `likeness batch`, of people who may be shown; `sound` is speech as WAV, with its words beside it (`a.wav`, `a.txt`).
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { at, microphoneFlags } from './microphone.ts';
import { startStudio } from './studio.ts';

const root = join(import.meta.dirname, '../..');
const { positionals } = parseArgs({ allowPositionals: true });
const [photos, sound] = positionals.map((path) => resolve(path));
if (!photos || !sound)
  throw new Error('Name a folder of photos and a sound: npm run docs:pictures -- photos voice.wav');

const home = await mkdtemp(join(tmpdir(), 'likeness-pictures-'));
await writeFile(join(home, 'settings.json'), JSON.stringify({ schemaVersion: 1, theme: 'dark' }));
execFileSync(process.execPath, [join(root, 'scripts/likeness.ts'), 'batch', photos, '--quiet'], {
  env: { ...process.env, LIKENESS_HOME: home },
  stdio: 'inherit',
});

const studio = await startStudio(home);
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: [...chromiumFlags, ...microphoneFlags(sound)],
});
const context = await browser.newContext({
  viewport: { width: 1280, height: 800 },
  locale: 'en-US',
  colorScheme: 'dark',
  permissions: ['microphone'],
});
await asWithGraphicsCard(context);
const page = await context.newPage();
const picture = async (name: string): Promise<void> => {
  await page.mouse.move(900, 787);
  await page.screenshot({ path: join(root, `docs/${name}.png`) });
};

await page.goto(studio.link());
await page.getByText('Look around first').waitFor();
await page.waitForTimeout(1500);
await picture('welcome');
await page.getByText('Look around first').click();

await page.goto(at(page, 'library'));
await page.waitForTimeout(5000);
await picture('library');

await page.goto(at(page, 'live'));
await page.getByRole('button', { name: 'Start speaking' }).click();
await page.getByRole('meter').waitFor();
await page.getByRole('button', { name: 'Record', exact: true }).click();
await page.getByRole('button', { name: 'Stop recording' }).waitFor({ timeout: 30_000 });
await page.waitForTimeout(4000);
await picture('live');
await page.getByRole('button', { name: 'Stop recording' }).click();
await page.getByRole('button', { name: 'Stop', exact: true }).click();

await page.goto(at(page, 'takes'));
await page.locator('#main input[type=file]').setInputFiles([sound, sound.replace(/\.wav$/i, '.txt')]);
await page.locator('canvas[data-timeline]').waitFor({ timeout: 60_000 });
// The second hearing and the words come after the take.
await page.waitForTimeout(15_000);
await picture('takes');

await page.goto(at(page, 'activity'));
await page.waitForTimeout(1500);
await picture('activity');

await browser.close();
await studio.stop();
await rm(home, { recursive: true, force: true });

/** Draws heads as on a machine with a graphics card, which most have: slowly, but the same. */
async function asWithGraphicsCard(where: BrowserContext): Promise<void> {
  await where.addInitScript(() => {
    const own = WebGL2RenderingContext.prototype.getParameter;
    const unmaskedRenderer = 0x9246;
    WebGL2RenderingContext.prototype.getParameter = function (name: number): unknown {
      return name === unmaskedRenderer ? 'a graphics card' : own.call(this, name);
    };
  });
}
