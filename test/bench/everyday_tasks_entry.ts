/**
 * Clicks, keys and seconds of ten everyday tasks in the built studio, on a data folder of its own: prints a table
 * in Markdown. `node test/bench/everyday_tasks_entry.ts` after `npm run build`.
 */
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { startStudio } from '../e2e/studio.ts';

const samples = join(import.meta.dirname, '../../renderer/base/samples');
const portraits = join(import.meta.dirname, '../fixtures/portraits');
/** Milliseconds for what the engine makes on a busy machine. */
const making = 600_000;

const home = await mkdtemp(join(tmpdir(), 'likeness-tasks-'));
const studio = await startStudio(home);
const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...chromiumFlags] });
const page: Page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
page.setDefaultTimeout(60_000);

/** What a person does in the task that is measured. */
const done = { clicks: 0, keys: 0 };
async function click(target: Locator, options?: Parameters<Locator['click']>[0]): Promise<void> {
  done.clicks += options?.clickCount ?? 1;
  await target.click(options);
}
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    done.keys += 1;
    await page.keyboard.press(key);
  }
}
/** Typing a word counts as one key: all programs want as many letters. */
async function type(text: string): Promise<void> {
  done.keys += 1;
  await page.keyboard.type(text);
}
const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
const goTo = (place: string): Promise<unknown> => page.goto(new URL(`#/${place}`, page.url()).href);
const tiles = page.getByRole('grid', { name: 'Photos' }).getByRole('gridcell');
const head = (name: string): Locator => page.getByRole('option', { name: new RegExp(`^${name}`) });
const dialog = page.getByRole('dialog');

/** The calls of the page's bridge that a task needs. */
interface Bridge {
  takes: { list(): Promise<{ value: { id: string }[] }> };
  takeEdits: {
    open(input: { id: string }): Promise<{ value: { revision: number } }>;
    apply(input: { id: string; after: number; operations: unknown[] }): Promise<unknown>;
  };
}

const rows: string[] = [];
/** @param work - Calls its argument when the person has nothing more to do. */
async function measure(name: string, work: (handsOff: () => void) => Promise<void>): Promise<void> {
  Object.assign(done, { clicks: 0, keys: 0 });
  const begin = performance.now();
  const since = (): number => (performance.now() - begin) / 1000;
  let handsOffAt: number | undefined;
  try {
    await work(() => {
      handsOffAt = since();
    });
    const end = since();
    const seconds = handsOffAt ?? end;
    rows.push(
      `| ${name} | ${done.clicks} | ${done.keys} | ${seconds.toFixed(1)} | ${(end - seconds).toFixed(1)} |`,
    );
  } catch (error) {
    await page.screenshot({ path: join(tmpdir(), 'everyday_task.png') });
    rows.push(`| ${name} | ${done.clicks} | ${done.keys} | did not end | |`);
    console.error(`${name}: ${String(error).slice(0, 600)}`);
    await page.keyboard.press('Escape');
  }
  console.log(rows.at(-1));
}

try {
  await page.goto(studio.link());
  await page.getByText('Look around first').click();

  await measure('Folder to heads (3 photos)', async (handsOff) => {
    await goTo('portraits');
    const files = ['ada', 'ben', 'cy'].map((name) => join(home, `${name}.jpg`));
    for (const [at, from] of ['default_0_0', 'man_0_0', 'stylised_0_0'].entries())
      await copyFile(join(portraits, `${from}.jpg`), files[at]!);
    // The system's dialog is one click here.
    done.clicks += 1;
    await page.locator('#main input[type=file]').first().setInputFiles(files);
    await tiles.nth(2).waitFor();
    for (const [at, key] of ['f', 'm', 'f'].entries()) {
      await click(tiles.filter({ hasText: ['ada', 'ben', 'cy'][at]! }));
      await press(key);
    }
    await click(button(/^Make 3 heads/).first());
    handsOff();
    await page
      .getByRole('group', { name: /, Done,/ })
      .nth(2)
      .waitFor({ timeout: making });
  });

  await measure('Find a head and rename it', async () => {
    await goTo('library');
    await head('ada').waitFor();
    await press('/');
    await type('ada');
    await page.getByText('1 head', { exact: true }).waitFor();
    await click(head('ada'));
    await press('F2');
    await dialog
      .or(page.getByRole('textbox', { name: 'Name' }))
      .first()
      .waitFor();
    await press('Control+A');
    await type('Ada Lovelace');
    await press('Enter');
    await head('Ada Lovelace').waitFor();
  });

  await measure('Give three heads the same look', async (handsOff) => {
    await press('Escape');
    await goTo('library');
    await click(head('Ada Lovelace'));
    await press('Enter');
    await click(
      page.getByRole('radiogroup', { name: 'Hair colour' }).getByRole('radio', { name: '#7a4f2c' }),
    );
    await click(button('Copy look to…'));
    await click(dialog.getByRole('checkbox', { name: 'ben' }));
    await click(dialog.getByRole('checkbox', { name: 'cy' }));
    await click(button(/^Make 2 heads/, dialog));
    await click(button(/^Make version 2/));
    handsOff();
    await button('Version 2, the head now').waitFor({ timeout: making });
  });

  await goTo('takes');
  await page.locator('#main input[type=file]').setInputFiles([
    { name: 'Sample voice.wav', mimeType: 'audio/wav', buffer: await readFile(join(samples, 'voice.wav')) },
    {
      name: 'Sample voice.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Hello. I am a head. You speak, and I speak, too.'),
    },
  ]);
  await page.getByRole('row', { name: /^Sample voice/ }).waitFor({ timeout: making });
  await button('Play').waitFor();
  await page.getByRole('listbox', { name: 'Words of the take' }).getByRole('option').first().waitFor();

  await measure('Add a blink to a take', async () => {
    await click(page.getByRole('listbox', { name: 'Blinks' }), {
      clickCount: 2,
      position: { x: 300, y: 14 },
    });
    await page
      .getByRole('option', { name: /^Blink at/ })
      .first()
      .waitFor();
  });

  // An animator's mistake: the mouth stands open over the whole take.
  await page.evaluate(async () => {
    const { takes, takeEdits } = (window as unknown as { studio: Bridge }).studio;
    const { id } = (await takes.list()).value[0]!;
    const { revision } = (await takeEdits.open({ id })).value;
    const key = { time: 0, to: 'step' };
    const drawn = { kind: 'draw', from: 0, to: 60 };
    await takeEdits.apply({
      id,
      after: revision,
      operations: [
        { ...drawn, channel: 'jawOpen', keys: [{ ...key, value: 0.4 }] },
        { ...drawn, channel: 'mouthClose', keys: [{ ...key, value: 0 }] },
      ],
    });
  });
  await measure('Fix one closure of lips', async () => {
    await click(page.getByRole('tab', { name: 'Take', exact: true }));
    await click(button('The take as text'));
    const open = button(/^Close lips at/);
    await open.first().waitFor();
    const count = await open.count();
    await click(open.first());
    await open.nth(count - 1).waitFor({ state: 'detached' });
  });

  await measure('Recover a deleted take', async () => {
    await goTo('takes');
    const row = page.getByRole('row', { name: /^Sample voice/ });
    await row.click();
    await page.keyboard.press('Delete');
    await row.waitFor({ state: 'hidden' });
    await press('Control+Z');
    await row.waitFor();
  });

  await measure('Send the live face to OBS', async () => {
    await goTo('live');
    await click(button('Send'));
    // The switch is drawn by its label, which lies over it.
    await click(dialog.getByRole('switch', { name: 'Open page and socket' }), { force: true });
    await click(button('Copy: Page for a browser source', dialog));
  });
  await page.keyboard.press('Escape');

  await goTo('settings/connections/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Lab');
  await page.getByRole('textbox', { name: 'Address' }).first().fill('https://lab.example');
  await button('Create connection').click();
  await button('Use by default').waitFor();
  await goTo('library');
  await measure('Change to another server', async () => {
    await click(page.locator('footer').getByRole('link').first());
    await click(page.getByRole('link', { name: /^Lab/ }).or(button(/^Lab/)).first());
    await click(button('Use by default'));
    await page.getByText('Used by default').first().waitFor();
  });

  await measure('Export a head to Blender (GLB)', async (handsOff) => {
    await goTo('library');
    await click(head('Ada Lovelace'));
    await press('e');
    await Promise.all([page.waitForEvent('download'), click(button(/^Export \d/, dialog)).then(handsOff)]);
  });
  await goTo('takes');
  await measure('Film for a phone (until it is being filmed)', async (handsOff) => {
    await click(page.getByRole('row', { name: /^Sample voice/ }));
    await press('e');
    await click(button(/9:16/, dialog));
    await click(button(/^Export \d/, dialog));
    handsOff();
    await button(/^Filming/).waitFor();
  });
} finally {
  console.log(
    ['| task | clicks | keys | seconds | then waited |', '|---|---|---|---|---|', ...rows].join('\n'),
  );
  await browser.close();
  await studio.stop();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
}
