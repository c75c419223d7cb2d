import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo, openLivePage, syllables } from '../bench/live_page.ts';
import { startFarService } from '../fixtures/service/far_service.ts';
import { entries, startTestEngine } from '../support/service/engine_harness.ts';
import { expect, test } from './studio.ts';

test('a server that goes away leaves the face to the built-in engine, says so, and is taken back', async ({
  shell,
}) => {
  test.skip(shell === 'electron', 'the microphone of this test is a flag of the browser that it starts');
  test.setTimeout(180_000);
  const folder = await mkdtemp(join(tmpdir(), 'likeness-far-'));
  const engine = await startTestEngine({ folder, entry: entries.real });
  const far = await startFarService(engine.url);
  const live = await openLivePage({
    voice: syllables(40),
    width: 900,
    height: 600,
    prepare: (page) => connectTo(page, { ...engine, url: far.url }),
  });
  const badge = live.page.getByRole('status').filter({ hasText: /face is shown/ });
  // On a machine that is busy with other things it may be late all the same.
  const isShown = /^Server (answers|is late) · its face is shown$/;
  await expect(badge).toHaveText(isShown, { timeout: 30_000 });

  far.gone = true;
  await expect(badge).toHaveText('Server does not answer · built-in face is shown', { timeout: 30_000 });
  const frames = await live.page.evaluate<number>('framesDrawn()');
  await expect.poll(() => live.page.evaluate<number>('framesDrawn()')).toBeGreaterThan(frames + 10);

  far.gone = false;
  await expect(badge).toHaveText(isShown, { timeout: 40_000 });

  await live.close();
  await far.close();
  await engine.kill();
  await rm(folder, { recursive: true, force: true });
});
