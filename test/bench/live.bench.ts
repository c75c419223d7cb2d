/**
 * Live, from pixels: how long after a sound enters the audio worklet its mouth is on the screen, and how many frames a
 * second the head is drawn at 720p. The microphone is Chromium's fake one, fed with vowels out of silence.
 *
 * The sound's time is taken by a worklet that hears what the studio's hears. The mouth's is taken from its pixels, which
 * are read back when they are drawn, and from what Chromium says of the frame that brought them to the display.
 *
 * A second listening takes pictures of the page as it is presented (Chromium's screencast), as a check on that account.
 * To copy, pack and send sixty pictures a second takes half a core, so the figures of it are later than they would be.
 */
import { loadavg } from 'node:os';
import sharp from 'sharp';
import { percentile, report } from './limits.ts';
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

/** Seconds in which delays settle, and of listening after them. */
const settling = 4;
const listening = 35;
/** Share of the way from the resting mouth to the vowel's at which the mouth has moved for anybody who looks. */
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

for (const lookahead of [0, 20] as const) {
  // A small window: each picture is copied and packed by the processor that draws, too.
  const live = await openLivePage({ voice: vowels(20), lookahead, width: 720, height: 480 });
  await live.page.waitForTimeout(settling * 1000);
  const shownAt = await tracePresentations(live);
  const { onsets, drawn } = await watchMouth(live.page, listening * 1000);
  const toShown = await shownAt();
  const shown = drawn
    .map(({ at, grey }) => ({ at: toShown(at), grey }))
    // Of two that one frame brought the first was never seen.
    .filter(({ at }, k, all) => !Number.isNaN(at) && at !== all[k + 1]?.at);
  const delays = mouthDelays(shown, onsets, movedShare);
  console.log(
    `lookahead ${lookahead} ms: ${onsets.length} onsets, ${Math.round(drawn.length / listening)} frames drawn and ` +
      `${Math.round(shown.length / listening)} shown a second, ${load()}; the mouth moves after ` +
      `${figures(mouthDelays(drawn, onsets, movedShare))} drawn, ${figures(delays)} shown, ` +
      `and is half-way after ${figures(mouthDelays(shown, onsets, 0.5))}; ` +
      `it is ${mouthLag(shown, onsets)} ms behind the voice as a whole`,
  );
  const stop = await startScreencast(live);
  const later = await heardMeanwhile(live.page, () => live.page.waitForTimeout(listening * 1000));
  const pictures = await stop();
  await live.close();
  console.log(
    `with ${Math.round(pictures.length / listening)} pictures of the page a second: ${later.length} onsets, ` +
      `${load()}; it moves after ${figures(mouthDelays(pictures, later, movedShare))}`,
  );
  report({
    name: `sound in the worklet to mouth on screen, lookahead ${lookahead} ms, P95`,
    value: percentile(delays, 0.95),
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
