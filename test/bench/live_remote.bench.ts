/**
 * Live with a server that is 150 ms away, there and back, and one in twenty of whose packets is 300 ms late:
 * a real engine behind a line that is simulated on this machine. How old refined frames are when they come,
 * and whether the head on the screen ever stands still.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { LiveFace } from '@likeness/proto/live/live_message.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import type { Page } from 'playwright-core';
import { startFarService } from '../fixtures/service/far_service.ts';
import { buzz, openLiveStage, speak, until } from '../main/live/live_stage.ts';
import { entries, startTestEngine } from '../support/service/engine_harness.ts';
import { report } from './limits.ts';
import { connectTo, longestStill, openLivePage, syllables, watchMouth } from './live_page.ts';

const line = { roundTrip: 150, late: { share: 0.05, by: 300 } };
const load = (): string => `load ${loadavg()[0]!.toFixed(1)}`;

/** Age of a tier's frames when the page has them, milliseconds from their sound. */
async function ages(seconds: number): Promise<{ server: number[]; local: number[] }> {
  const remote = { url: '' };
  const stage = await openLiveStage(remote);
  const far = Object.assign(await startFarService(stage.engine.url), line);
  remote.url = far.url;
  const page = stage.open({ profileId: 'remote' });
  await until(() => page.reports.length > 0);
  const found = { server: [] as number[], local: [] as number[] };
  const decoders: Partial<Record<LiveFace['tier'], FaceStreamDecoder>> = {};
  page.faces.push = (...faces) => {
    for (const { kind, tier, message } of faces) {
      if (kind === 'header') decoders[tier] = new FaceStreamDecoder();
      const read = decoders[tier]?.accept(message);
      if (read?.kind === 'frame') found[tier].push(Date.now() - began - read.timeCode * 1000);
    }
    return 0;
  };
  const began = Date.now();
  await speak(page, buzz(seconds), true);
  page.close();
  await page.closed;
  await far.close();
  await stage.close();
  // The first second finds out how far away the server is.
  return { server: found.server.slice(60), local: found.local.slice(60) };
}

const { server, local } = await ages(16);
console.log(
  `${server.length} refined frames of ${local.length}: ${percentile(server, 0.5).toFixed(0)} ms (P50) after their sound; ` +
    `the built-in engine's ${percentile(local, 0.5).toFixed(0)} ms (P50), ${percentile(local, 0.95).toFixed(0)} ms (P95); ${load()}`,
);
report({
  name: 'refined frames after their sound, P95',
  value: percentile(server, 0.95),
  unit: 'ms',
  limit: 900,
  kind: 'most',
});

/**
 * Milliseconds for which the mouth on the screen stood still while the voice went on, and what the badge
 * said.
 */
async function stillness(isFar: boolean): Promise<{ still: number; badge: string; frames: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-far-'));
  const engine = await startTestEngine({ folder, entry: entries.real });
  const far = Object.assign(await startFarService(engine.url), line);
  const live = await openLivePage({
    voice: syllables(20),
    width: 900,
    height: 600,
    ...(isFar && { prepare: (page: Page) => connectTo(page, { ...engine, url: far.url }) }),
  });
  await live.page.waitForTimeout(5000);
  const { drawn } = await watchMouth(live.page, 10_000);
  const badge = isFar ? await live.page.getByRole('status').first().innerText() : '';
  await live.close();
  await far.close();
  await engine.kill();
  await rm(folder, { recursive: true, force: true });
  return { still: longestStill(drawn), badge, frames: drawn.length };
}

const near = await stillness(false);
const away = await stillness(true);
console.log(
  `longest time that the mouth stood still in running speech: built-in engine ${near.still.toFixed(0)} ms (${near.frames} frames), ` +
    `far server ${away.still.toFixed(0)} ms (${away.frames} frames; “${away.badge}”); ${load()}`,
);
report({
  name: 'far server: longest stand-still beyond the built-in engine’s',
  value: Math.max(0, away.still - near.still),
  unit: 'ms',
  limit: 50,
  kind: 'most',
});
