import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLivePage, syllables } from '../bench/live_page.ts';
import { startServiceProcess } from '../support/service/service_process.ts';
import { photographDefault } from '../support/synthetic_photo.ts';
import { expect, test } from './studio.ts';

test('with a server of one’s own, heads are made and a voice is spoken there, until it is killed', async ({
  shell,
}) => {
  test.skip(shell === 'electron', 'the microphone of this test is a flag of the browser that it starts');
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), 'likeness-own-server-'));
  const server = await startServiceProcess(join(folder, 'service'));
  const photo = Buffer.from(await photographDefault());
  const live = await openLivePage({
    voice: syllables(40),
    width: 1280,
    height: 800,
    async prepare(page) {
      await page.evaluate(() =>
        (
          window as unknown as { studio: { connections: { keepForThisRun(): Promise<unknown> } } }
        ).studio.connections.keepForThisRun(),
      );
      const go = (place: string): Promise<unknown> =>
        page.evaluate((hash) => {
          location.hash = hash;
        }, place);
      await go('#/settings/connections/new');
      await page.getByText('Our own server', { exact: true }).first().click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Our heads');
      await page.getByRole('textbox', { name: 'Address' }).fill(server.url);
      await page.getByRole('textbox', { name: 'Key', exact: true }).fill(server.key);
      await page.getByRole('button', { name: 'Save and test' }).click();
      await expect(page.getByText('Every step that is free of charge works')).toBeVisible({
        timeout: 30_000,
      });
      await expect(page.getByText('several photos of a person')).toBeVisible();
      await page.getByRole('button', { name: 'Use by default' }).click();
      const id = new URL(page.url()).hash.split('/').at(-1) ?? '';

      await go('#/portraits');
      const files = { name: 'drawn.png', mimeType: 'image/png', buffer: photo };
      await page.locator('input[type=file][accept*="image/jpeg"]').setInputFiles(files);
      const tile = page.getByRole('grid', { name: 'Photos' }).getByRole('gridcell');
      await tile.first().click();
      await page.keyboard.press('f');
      await expect(tile.first()).toHaveAccessibleName(/Female/);
      await page.getByRole('button', { name: 'Make the head' }).click();
      await expect(tile.first()).toHaveAccessibleName(/, Done,/, { timeout: 120_000 });
      await expect(tile.first()).toContainText('Our heads');
      return id;
    },
  });
  expect(server.log()).toMatch(/"endpoint":"generateModel".*"status":200/);
  // It tells when a head is made, and is listened to.
  expect(server.log()).toContain('"endpoint":"modelEvents"');

  const badge = live.page.getByRole('status').filter({ hasText: /face is shown/ });
  await expect(badge).toHaveText(/^Server (answers|is late) · its face is shown$/, { timeout: 30_000 });
  server.process.kill('SIGKILL');
  await expect(badge).toHaveText('Server does not answer · built-in face is shown', { timeout: 30_000 });

  await live.close();
  await rm(folder, { recursive: true, force: true });
});
