import { join } from 'node:path';
import { encodeWav } from '@likeness/proto/wav.ts';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { seriousFaults } from './accessibility.ts';
import { at } from './microphone.ts';
import { skip, takeClock } from './page_clock.ts';
import { enter, expect, test } from './studio.ts';

/** Begins a session that listens to a voice. */
async function startSpeaking(page: Page): Promise<void> {
  // A list that was looked at before must show what is recorded after.
  await page.goto(at(page, 'takes'));
  await expect(page.getByText('No takes yet')).toBeVisible();
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('meter')).toBeVisible();
  // The microphone may be there before the session is.
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeEnabled({ timeout: 30_000 });
}

test('a voice moves the head, is recorded, played and exported', async ({ live: page }) => {
  test.setTimeout(240_000);
  await startSpeaking(page);
  await page.keyboard.press('r');
  // After the countdown.
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-tone="record"]')).toHaveText(/[2-9] s/, { timeout: 30_000 });
  await page.keyboard.press('r');
  await expect(page.getByText('Take saved')).toBeVisible({ timeout: 30_000 });
  // Nothing lies over the panel's tabs while the pointer rests on the button.
  await takeClock(page);
  await page.getByRole('button', { name: 'Record' }).hover();
  // Longer than the theme's delay, after which a tooltip would be there.
  await skip(page, 600);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();

  await page.getByRole('button', { name: 'Show take' }).click();
  await expect(page).toHaveURL(/#\/takes\/.+/);
  await expect(page.getByRole('row', { name: /^Take 1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /Live Link Face/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);

  await page.locator('#main input[type=file]').setInputFiles({
    name: 'said.wav',
    mimeType: 'audio/wav',
    buffer: Buffer.from(
      encodeWav({
        sampleRate: 16_000,
        samples: Float32Array.from({ length: 16_000 }, (_, i) => Math.sin(i / 9) / 4),
      }),
    ),
  });
  await expect(page.getByRole('row', { name: /^said/ })).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Move to the trash' }).click();
  await expect(page.getByRole('row', { name: /^said/ })).toBeHidden();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByRole('row', { name: /^said/ })).toBeVisible();

  expect(await seriousFaults(page)).toEqual([]);
});

/** The outline's left and right end at a quarter of the head's height, and its top: pixels of the page. */
const outline = (page: Page): Promise<{ left: number; right: number; top: number }> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-speaking]')!;
    const { width, height } = canvas;
    // Where a graphics card draws, what it has drawn is gone once it was shown: this runs before that.
    const copy = new OffscreenCanvas(width, height).getContext('2d')!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const isHead = (x: number, y: number): boolean => data[(y * width + x) * 4 + 3]! > 128;
    const box = canvas.getBoundingClientRect();
    const scale = box.width / width;
    const columns = Array.from({ length: width }, (_, x) => x);
    let top = 0;
    while (top < height && !columns.some((x) => isHead(x, top))) top++;
    const row = Math.min(height - 1, Math.round((window.innerHeight * 0.3 - box.top) / scale));
    const inside = columns.filter((x) => isHead(x, row));
    return {
      left: box.left + scale * (inside[0] ?? 0),
      right: box.left + scale * (inside.at(-1) ?? 0),
      top: box.top + scale * top,
    };
  });

type Outline = Awaited<ReturnType<typeof outline>>;

/** How far each end went, pixels. */
function sway(seen: readonly Outline[]): Outline {
  const range = (of: (one: Outline) => number): number =>
    Math.max(...seen.map(of)) - Math.min(...seen.map(of));
  return { left: range((one) => one.left), right: range((one) => one.right), top: range((one) => one.top) };
}

/** Looks again and again until the head has swayed so far. @param between waits for the next look */
async function expectSway(
  page: Page,
  far: (swayed: Outline) => number,
  pixels: number,
  between: () => Promise<unknown>,
): Promise<void> {
  const seen: Outline[] = [];
  await expect
    .poll(
      async () => {
        await between();
        seen.push(await outline(page));
        return far(sway(seen));
      },
      { timeout: 60_000, intervals: [0] },
    )
    .toBeGreaterThan(pixels);
}

/**
 * Sharpness that yields to a busy machine moves an edge until it has settled: then three seconds show no
 * change.
 *
 * @param step waits for the next look, or puts the page's clock forward
 * @param looks how many of them make three seconds
 */
async function expectStill(page: Page, step: () => Promise<unknown>, looks: number): Promise<void> {
  const seen: Outline[] = [];
  await expect
    .poll(
      async () => {
        await step();
        seen.push(await outline(page));
        const { left, right, top } = sway(seen.slice(-looks));
        return seen.length >= looks && left + right + top < 0.5;
      },
      { timeout: 45_000, intervals: [0] },
    )
    .toBe(true);
}

/** The same, by a clock that was taken. */
const expectStillBySkips = (page: Page): Promise<void> => expectStill(page, () => skip(page, 600), 6);

test('the head sways and nods while somebody speaks, and stays where that is switched off', async ({
  live: page,
}) => {
  test.setTimeout(180_000);
  await startSpeaking(page);
  await expect(page.locator('canvas[data-speaking]')).toBeVisible({ timeout: 30_000 });
  // The voice's time can't be put forward.
  const wait = (): Promise<void> => page.waitForTimeout(200);
  await expectSway(page, ({ left, right }) => Math.min(left, right), 3, wait);
  await page.getByText('Face', { exact: true }).click();
  await page.getByRole('switch', { name: 'Head movement' }).click();
  await expectStill(page, wait, 16);
});

test('a head that nobody drives breathes and sways, and is still where motion is reduced', async ({
  live: page,
}) => {
  test.setTimeout(120_000);
  await page.goto(at(page, 'live'));
  await expect(page.locator('canvas[data-speaking]')).toBeVisible({ timeout: 30_000 });
  await takeClock(page);
  await expectSway(
    page,
    ({ left, right, top }) => left + right + top,
    3.5,
    () => skip(page, 500),
  );
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expectStillBySkips(page);

  // What it does not do by itself it does on request: its eyes and head follow the pointer.
  await page.getByText('Face', { exact: true }).click();
  await page.getByRole('switch', { name: 'Eyes follow the pointer' }).click();
  const stage = (await page.getByRole('application').boundingBox())!;
  const lookTo = (x: number): Promise<void> =>
    page.mouse.move(stage.x + stage.width * x, stage.y + stage.height / 2);
  await lookTo(0.05);
  await expectStillBySkips(page);
  const left = await outline(page);
  await lookTo(0.95);
  await expect.poll(() => outline(page)).not.toEqual(left);
});

/** Sum of red, green and blue by which a cell changes at least where an eye shuts. */
const minChange = 12;

/** Where the picture changes most while something happens: 0 at its left edge, 1 at its right one. */
async function placeOfChange(page: Page, happen: () => Promise<unknown>): Promise<number> {
  // Coarse cells: where sharpness yields to a busy machine, the head's edge changes too, but by less than a
  // cell.
  const cells = 24;
  // What is on the screen, not the canvas: WebGL's picture is gone once it is shown.
  const pixels = async (): Promise<Buffer> =>
    sharp(await page.locator('canvas[data-speaking]').screenshot())
      .removeAlpha()
      .resize(cells, cells, { fit: 'fill' })
      .raw()
      .toBuffer();
  const changesBetween = (one: Buffer, other: Buffer): number[] => {
    const changes = new Array<number>(cells * cells).fill(0);
    for (const [at, value] of other.entries()) changes[Math.floor(at / 3)]! += Math.abs(value - one[at]!);
    return changes;
  };
  const before = await pixels();
  await happen();
  // It has happened when the picture is another one and stays it.
  let changes: number[] = [];
  let last = before;
  await expect
    .poll(
      async () => {
        const now = await pixels();
        const moving = Math.max(...changesBetween(last, now));
        changes = changesBetween(before, now);
        last = now;
        return Math.max(...changes) > minChange && moving < minChange / 2;
      },
      { timeout: 20_000, intervals: [100] },
    )
    .toBe(true);
  const max = changes.indexOf(Math.max(...changes));
  return ((max % cells) + 0.5) / cells;
}

test('the page is a mirror, and others see the head as it is', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.evaluate(() => {
    // As an earlier studio kept it.
    localStorage.setItem('likeness.live', JSON.stringify({ mirror: true }));
  });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await page.goto(at(page, 'live'));
  await expect(page.locator('canvas[data-speaking]')).toBeVisible({ timeout: 30_000 });
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('p');
  const head = await opening;
  await head.emulateMedia({ reducedMotion: 'reduce' });
  await expect(head.locator('canvas[data-speaking]')).toBeVisible({ timeout: 30_000 });
  await takeClock(head);
  await expectStillBySkips(head);
  // The left eye winks: on the left of a mirror, and on the right of a picture. Keys hold in the window, too.
  const inWindow = await placeOfChange(head, () => head.keyboard.press('6'));
  expect(inWindow).toBeGreaterThan(0.5);
  const inPage = await placeOfChange(page, () => head.keyboard.press('6'));
  expect(inPage).toBeLessThan(0.5);

  await page.getByText('Face', { exact: true }).click();
  await page.getByRole('switch', { name: 'Mirror the window' }).click();
  await expectStillBySkips(head);
  expect(await placeOfChange(head, () => head.keyboard.press('6'))).toBeLessThan(0.5);
});

test('speaking is begun, interrupted and ended by keys', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.goto(at(page, 'live'));
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Interrupt' })).toBeVisible();
  await page.keyboard.press('x');
  await page.keyboard.press('c');
  // What is said of a measurement is said where it was made, and goes by itself.
  const remark = page.getByRole('complementary').getByText('The room was not silent');
  await takeClock(page);
  await page.getByRole('button', { name: /Measure the room/ }).click();
  await expect(remark).toBeVisible({ timeout: 10_000 });
  await skip(page, 5000);
  await expect(remark).toBeVisible();
  await skip(page, 10_000);
  await expect(remark).toBeHidden();
  for (const view of ['Face', 'Keys', 'Latency']) {
    await page.getByText(view, { exact: true }).click();
    expect(await seriousFaults(page)).toEqual([]);
  }
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
});

test('the head has a window of its own, and the session lives as long as it', async ({ live: page }) => {
  test.setTimeout(180_000);
  await startSpeaking(page);
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('p');
  const head = await opening;
  const canvas = head.locator('canvas[data-speaking]');
  await expect(canvas).toBeVisible({ timeout: 30_000 });
  // The page's own face, not one at rest: it moves with the voice.
  const first = await canvas.screenshot();
  await expect.poll(async () => first.equals(await canvas.screenshot()), { timeout: 20_000 }).toBe(false);

  await page.getByText('Face', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Background' }).click();
  await page.getByRole('option', { name: 'Green' }).click();
  await expect(head.getByRole('application')).toHaveCSS('background-color', 'rgb(0, 255, 0)');
  await expect(page.getByRole('application')).toHaveCSS('background-color', 'rgb(0, 255, 0)');

  // Elsewhere in the studio the session goes on, and is seen to.
  await page.goto(at(page, 'takes'));
  const openSession = page.getByText('Live session open');
  await expect(openSession).toBeVisible();
  const here = await canvas.screenshot();
  await expect.poll(async () => here.equals(await canvas.screenshot()), { timeout: 20_000 }).toBe(false);
  expect(await seriousFaults(head)).toEqual([]);
  const gone = head.waitForEvent('close');
  // The window closes while it handles the key: whether the press comes back is of no interest.
  await head.keyboard.press('Escape').catch(() => undefined);
  await gone;
  await expect(openSession).toBeHidden();
});

test('a studio that is killed while it records has the take when it starts again', async ({
  live: page,
  start,
}) => {
  test.setTimeout(180_000);
  await startSpeaking(page);
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('[data-tone="record"]')).toHaveText(/[3-9] s/, { timeout: 30_000 });
  await page.studio.kill();

  const again = await page.context().newPage();
  await enter(again, await start());
  await again.goto(at(again, 'takes'));
  await expect(again.getByText('The studio ended during the recording')).toBeVisible();
  const length = again.getByRole('slider', { name: 'Position in the take' });
  expect(Number(await length.getAttribute('aria-valuemax'))).toBeGreaterThan(2);
});

test('a microphone that is unplugged is told, and taken again when it is back', async ({ live: page }) => {
  test.setTimeout(120_000);
  // No browser unplugs its fake microphone: the events are those that a real one sends.
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    const list = mediaDevices.enumerateDevices.bind(mediaDevices);
    let isThere = true;
    let opened = 0;
    let lookedFor = 0;
    mediaDevices.enumerateDevices = async () => {
      if (isThere) return list();
      lookedFor += 1;
      return [];
    };
    mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      opened += 1;
      const end = (stays: boolean): void => {
        isThere = stays;
        stream.getAudioTracks()[0]?.dispatchEvent(new Event('ended'));
      };
      const plugIn = (): void => {
        isThere = true;
        mediaDevices.dispatchEvent(new Event('devicechange'));
      };
      Object.assign(window, { end, plugIn, opened: () => opened, lookedFor: () => lookedFor });
      return stream;
    };
  });
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('meter')).toBeVisible();
  await takeClock(page);
  await page.evaluate('end(false)');
  await expect(page.getByRole('alert')).toContainText('was unplugged');
  // Longer than the time after which it is looked for: it is gone, and so it stays.
  await skip(page, 1500);
  await expect.poll(() => page.evaluate<number>('lookedFor()')).toBeGreaterThan(0);
  await expect(page.getByRole('alert')).toContainText('was unplugged');
  await page.evaluate('plugIn()');
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();

  // The system set it to another sample rate: it ends, and was never away.
  const opened = await page.evaluate<number>('opened()');
  await page.evaluate('end(true)');
  await expect.poll(() => page.evaluate<number>('opened()')).toBe(opened + 1);
  await expect(page.getByRole('meter')).toBeVisible();
  await expect(page.getByRole('alert')).toBeHidden();
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('paused while this window was hidden')).toBeVisible();
});

test('a file is spoken to its end, then the session is over', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.goto(at(page, 'live'));
  await page
    .locator('#main input[type=file]')
    .setInputFiles(join(import.meta.dirname, '../fixtures/sounds/tone.flac'));
  await expect(page.getByText('The file has ended')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('button', { name: 'Start speaking' })).toBeVisible();
  await page
    .locator('#main input[type=file]')
    .setInputFiles({ name: 'x.ogg', mimeType: 'audio/ogg', buffer: Buffer.from('no') });
  await expect(page.getByRole('complementary').getByRole('alert')).toContainText('can’t be played', {
    timeout: 20_000,
  });
});

test('a refused microphone is told with what to do', async ({ live: page }) => {
  test.setTimeout(120_000);
  await page.context().clearPermissions();
  await page.goto(at(page, 'live'));
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await expect(page.getByRole('alert')).toContainText('No permission for the microphone', {
    timeout: 30_000,
  });
  // There is no session without a sound: a file can be spoken instead.
  await expect(page.getByRole('button', { name: 'From a file' })).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
});
