/**
 * Live, from pixels: how long after a sound enters the audio worklet its mouth is on the screen, and how many
 * frames a second the head is drawn at 720p. The microphone is Chromium's fake one, fed with vowels out of
 * silence.
 *
 * The sound's time is taken by a worklet that hears what the studio's hears. The mouth's is taken from its
 * pixels, which are read back when they are drawn, and from what Chromium says of the frame that brought them
 * to the display.
 *
 * A second listening takes pictures of the page as it is presented (Chromium's screencast), as a check on
 * that account. To copy, pack and send sixty pictures a second takes half a core, so the figures of it are
 * later than they would be.
 *
 * Where the time goes is told stage by stage, and who had the processor. Environment:
 * - `LIVE_LOAD=4`: so many busy processes beside it, at normal priority; without it a load of 4 is measured
 *   last.
 * - `LIVE_SLOW=1.7`: the page's thread is so many times slower (Chromium's own throttling); engine and main
 *   are not.
 * - `LIVE_AGAINST=<clone>`: nothing but pairs, this clone and the other one by turns, both built;
 *   `LIVE_PAIRS` of them (3), of `LIVE_SECONDS` (35). What else the machine does at the time falls on both.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { percentile } from '@likeness/proto/percentile.ts';
import sharp from 'sharp';
import { report } from './limits.ts';
import {
  heardMeanwhile,
  type LivePage,
  type MouthPicture,
  mouthDelays,
  mouthLag,
  mouthPlace,
  openLivePage,
  tracePresentations,
  vowels,
  watchMouth,
} from './live_page.ts';
import { stageLines, stagesOf, takeStageNotes } from './live_stages.ts';
import { watchProcessor } from './processor_shares.ts';
import { startLoad } from './steady_load.ts';

/** Seconds in which delays settle, and of listening after them. */
const settling = 4;
const listening = 35;
/**
 * Share of the way from the resting mouth to the vowel's at which the mouth has moved for anybody who looks.
 */
const movedShare = 0.2;

/** Pictures of the page as they are presented, until the returned function is called. */
async function startScreencast({ cdp, page }: LivePage): Promise<() => Promise<MouthPicture[]>> {
  const shots: { at: number; jpeg: Buffer }[] = [];
  cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    shots.push({ at: (metadata.timestamp ?? 0) * 1000, jpeg: Buffer.from(data, 'base64') });
    cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the page is closed
  });
  await cdp.send('Page.startScreencast', { format: 'jpeg', quality: 60, maxWidth: 240, maxHeight: 160 });
  return async () => {
    await cdp.send('Page.stopScreencast');
    const stage = (await page.locator('[role=application]').boundingBox())!;
    const viewport = page.viewportSize()!;
    const pictures: MouthPicture[] = [];
    for (const { at, jpeg } of shots) {
      const image = sharp(jpeg);
      const { width } = await image.metadata();
      const scale = width / viewport.width;
      const region = {
        left: Math.round((stage.x + stage.width * mouthPlace.left) * scale),
        top: Math.round((stage.y + stage.height * mouthPlace.top) * scale),
        width: Math.round(stage.width * mouthPlace.width * scale),
        height: Math.round(stage.height * mouthPlace.height * scale),
      };
      pictures.push({ at, grey: await image.extract(region).greyscale().raw().toBuffer() });
    }
    return pictures;
  };
}

const load = (): string => `load ${loadavg()[0]!.toFixed(1)}`;
const figures = (delays: readonly number[]): string =>
  delays.length === 0
    ? '(too late to tell its vowels apart)'
    : `${percentile(delays, 0.5).toFixed(0)} ms (P50), ${percentile(delays, 0.95).toFixed(0)} ms (P95)`;
const probe = pathToFileURL(join(import.meta.dirname, 'stage_probe_process.ts')).href;

interface Listening {
  lookahead: 0 | 20;
  /** Busy processes beside it. */
  busy: number;
  seconds?: number;
  /** The clone whose studio it is; this one unless given. */
  root?: string;
  /** What else is done on the page that is open. */
  andThen?: (live: LivePage) => Promise<void>;
}

/** Milliseconds from sounds to the display: of mouths that begin to move, and of all frames of the face. */
interface Heard {
  mouths: number[];
  frames: number[];
}

/** Listens to vowels for a time and says what came of it. */
async function listen({ lookahead, busy, seconds = listening, root, andThen }: Listening): Promise<Heard> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-stages-'));
  // A small window: each picture is copied and packed by the processor that draws, too.
  const live = await openLivePage({
    voice: vowels(20),
    lookahead,
    width: 720,
    height: 480,
    root,
    environment: { STAGES_FOLDER: folder, NODE_OPTIONS: `--import=${probe}` },
  });
  const { page, cdp, studioPid } = live;
  const endLoad = await startLoad(busy);
  const slow = Number(process.env.LIVE_SLOW ?? 1);
  if (slow > 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: slow });
  const children = readFileSync(`/proc/${studioPid}/task/${studioPid}/children`, 'utf8');
  const pids = [studioPid, ...children.split(' ').filter(Boolean).map(Number)];
  await page.waitForTimeout(settling * 1000);
  const shownAt = await tracePresentations(live);
  await takeStageNotes(page, folder, pids);
  const shares = watchProcessor([process.pid]);
  const from = Date.now();
  const { onsets, drawn } = await watchMouth(page, seconds * 1000);
  const heard = { from, to: from + seconds * 1000 };
  const busyThreads = shares();
  const notes = await takeStageNotes(page, folder, pids);
  const toShown = await shownAt();
  const shown = drawn
    .map(({ at, grey }) => ({ at: toShown(at), grey }))
    // Of two that one frame brought the first was never seen.
    .filter(({ at }, k, all) => !Number.isNaN(at) && at !== all[k + 1]?.at);
  const delays = mouthDelays(shown, onsets, movedShare);
  console.log(
    `lookahead ${lookahead} ms${busy > 0 ? `, ${busy} busy processes beside it` : ''}${slow > 1 ? `, a page ${slow} times slower` : ''}: ` +
      `${onsets.length} onsets, ${Math.round(drawn.length / seconds)} frames drawn and ` +
      `${Math.round(shown.length / seconds)} shown a second, ${load()}; the mouth moves after ` +
      `${figures(mouthDelays(drawn, onsets, movedShare))} drawn, ${figures(delays)} shown, ` +
      `and is half-way after ${figures(mouthDelays(shown, onsets, 0.5))}; ` +
      `it is ${mouthLag(shown, onsets)} ms behind the voice as a whole`,
  );
  console.log('a frame of the face, from its sound to the display, milliseconds (P50, P95):');
  const stages = stagesOf(notes, heard, toShown);
  for (const line of stageLines(stages)) console.log(`  ${line}`);
  console.log(`of one core each: ${busyThreads.slice(0, 10).join('; ')}`);
  await andThen?.(live);
  endLoad();
  await live.close();
  rmSync(folder, { recursive: true, force: true });
  return { mouths: delays, frames: stages.map((row) => row.at(-1)!) };
}

async function watchPage(live: LivePage): Promise<void> {
  const stop = await startScreencast(live);
  const later = await heardMeanwhile(live.page, () => live.page.waitForTimeout(listening * 1000));
  const pictures = await stop();
  console.log(
    `with ${Math.round(pictures.length / listening)} pictures of the page a second: ${later.length} onsets, ` +
      `${load()}; it moves after ${figures(mouthDelays(pictures, later, movedShare))}`,
  );
}

/**
 * This clone and another by turns. Ratios, so that neither the machine nor what it does at the time decides.
 */
async function compare(other: string): Promise<void> {
  const seconds = Number(process.env.LIVE_SECONDS ?? listening);
  const busy = Number(process.env.LIVE_LOAD ?? 0);
  for (const lookahead of [0, 20] as const) {
    const rows: { here: Heard; there: Heard }[] = [];
    for (let pair = 0; pair < Number(process.env.LIVE_PAIRS ?? 3); pair++) {
      const there = await listen({ lookahead, busy, seconds, root: other });
      rows.push({ there, here: await listen({ lookahead, busy, seconds }) });
    }
    for (const what of ['mouths', 'frames'] as const) {
      for (const share of [0.5, 0.95]) {
        const at = (side: 'here' | 'there', those: typeof rows): number =>
          percentile(
            those.flatMap((row) => row[side][what]),
            share,
          );
        const ratio = (those: typeof rows): string => (at('here', those) / at('there', those)).toFixed(2);
        console.log(
          `lookahead ${lookahead} ms, ${what}, P${share * 100}: ${at('here', rows).toFixed(0)} ms here, ` +
            `${at('there', rows).toFixed(0)} ms there, ${ratio(rows)} of it; by pairs ${rows.map((row) => ratio([row])).join(', ')}`,
        );
      }
    }
  }
}

if (process.env.LIVE_AGAINST) {
  await compare(process.env.LIVE_AGAINST);
  process.exit(0);
}

const given = Number(process.env.LIVE_LOAD ?? 0);
const listenings: { lookahead: 0 | 20; busy: number }[] = [
  { lookahead: 0, busy: given },
  { lookahead: 20, busy: given },
];
if (given === 0) listenings.push({ lookahead: 0, busy: 4 }, { lookahead: 20, busy: 4 });
for (const { lookahead, busy } of listenings) {
  const { mouths } = await listen({ lookahead, busy, ...(busy === 0 && { andThen: watchPage }) });
  report({
    name: `sound in the worklet to mouth on screen, lookahead ${lookahead} ms${busy > 0 ? `, load of ${busy}` : ''}, P95`,
    value: percentile(mouths, 0.95),
    unit: 'ms',
    limit: 90,
    kind: 'most',
  });
}

// The head alone is 1280 × 720 pixels of the page.
const live = await openLivePage({ voice: vowels(20), width: 1680, height: 793 });
await live.page.waitForTimeout(2 * settling * 1000);
const rates: number[] = [];
for (let second = 0; second < 8; second++) {
  const [before, begun] = [await live.page.evaluate<number>('framesDrawn()'), performance.now()];
  await live.page.waitForTimeout(1000);
  const after = await live.page.evaluate<number>('framesDrawn()');
  rates.push((1000 * (after - before)) / (performance.now() - begun));
}
const drawnAt = await live.page.locator('canvas[data-speaking]').evaluate((canvas) => {
  const { width, height, clientWidth, clientHeight } = canvas as HTMLCanvasElement;
  const stage = canvas.closest('[role=application]')!;
  return `head of ${width} × ${height} pixels on ${clientWidth} × ${clientHeight} of a stage of ${stage.clientWidth} × ${stage.clientHeight}`;
});
await live.close();
console.log(`frames a second, by the second: ${rates.map((rate) => rate.toFixed(0)).join(' ')}; ${load()}`);
report({
  name: `frames a second, drawn at ${drawnAt}`,
  value: percentile(rates, 0.5),
  unit: 'fps',
  limit: 55,
  kind: 'least',
});
