/**
 * A recording of three hours, made as the studio makes it but faster, beside one of ten minutes: what recording holds
 * in memory as it goes on, and each opened in the built studio in a real Chromium: how long that takes, and what the
 * page and the studio hold of it. `FROM=<clone>` measures another clone's build.
 */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { startStudio } from '../e2e/studio.ts';
import { openTakes, takeBeginning } from '../support/recorded_takes.ts';
import { report } from './limits.ts';

const short = 600;
const long = 3 * 3600;
const soundRate = 48_000;
const frameRate = 60;
const MB = 1e6;

const home = await mkdtemp(join(tmpdir(), 'likeness-long-'));
await writeFile(join(home, 'settings.json'), JSON.stringify({ schemaVersion: 1, welcomed: true }));

/** Records so many seconds. @returns its id, and bytes held after ten minutes and at the end */
async function record(seconds: number, name: string): Promise<{ id: string; early: number; late: number }> {
  const takes = await openTakes(join(home, 'takes'), { randomId: () => name });
  const recorder = await takes.start({ ...takeBeginning, name });
  const arrive = (arrivedAt: number, message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt, tier: 'local', message: encodeBareMessage(message) });
  arrive(0, {
    kind: 'header',
    traceId: name,
    frameRate,
    channelNames: arkitBlendshapeNames,
    mesh: undefined,
  });
  const file = join(home, 'takes', recorder.id, 'audio.wav');
  let early = 0;
  for (let second = 0; second < seconds; second += 1) {
    for (let part = 0; part < 10; part += 1)
      recorder.sound(
        Float32Array.from({ length: soundRate / 10 }, (_, at) => Math.sin(at * 0.03) * ((second % 60) / 80)),
      );
    for (let at = 0; at < frameRate; at += 1) arrive(second, frame(second * frameRate + at));
    // As a disk does that keeps up.
    while ((await stat(file)).size < second * soundRate * 4) await wait(1);
    if (second === short - 1) early = held();
  }
  const late = held();
  const { id } = await recorder.finish({ latency: null });
  return { id, early, late };
}

const frame = (index: number) => ({
  kind: 'frame' as const,
  index,
  timeCode: index / frameRate,
  weights: Float32Array.from(arkitBlendshapeNames, (_name, channel) =>
    Math.abs(Math.sin(index * 0.05 + channel)),
  ),
  headPose: { translation: [0, 0, 0] as const, rotation: [0, 0, 0, 1] as const },
  eyeGaze: { leftYaw: 0, leftPitch: 0, rightYaw: 0, rightPitch: 0 },
  vertices: undefined,
});

function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const first = await record(5, 'first');
const ten = await record(short, 'ten');
const three = await record(long, 'three');
report({
  name: 'what recording three hours holds more than recording ten minutes',
  value: (three.late - three.early) / MB,
  unit: 'MB',
  limit: 5,
  kind: 'most',
});

const studio = await startStudio(home, {}, process.env.FROM);
const browser = await chromium.launch({
  executablePath: findChromium() ?? '',
  args: [...chromiumFlags, '--autoplay-policy=no-user-gesture-required'],
});

const resident = async (pid: number | undefined): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

interface Opened {
  /** Milliseconds until its timeline is there, and until its sound is drawn to its end. */
  opened: number;
  /** Milliseconds that the page's thread worked until then: a busy machine does not count. */
  worked: number;
  drawn: number;
  /** Bytes: of the page's heap with its arrays, and what the studio holds more than before. */
  page: number;
  studio: number;
  /** 95th percentile from a key to the head drawn anew, milliseconds. */
  scrub: number;
}

async function open(id: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(studio.link());
  // As one goes from take to take: what the place is made of is there.
  await page.getByRole('link', { name: 'Takes' }).click();
  await page.evaluate(showTake, first.id);
  await page.waitForSelector('canvas[data-timeline]', { timeout: 120_000 });
  const cdp = await context.newCDPSession(page);
  await settled(page);
  const before = await resident(studio.process.pid);
  await cdp.send('Performance.enable');
  const workedBefore = await threadTime(cdp);
  const begin = performance.now();
  await page.evaluate(showTake, id);
  await page.waitForFunction(isOpened, id, { timeout: 120_000, polling: 'raf' });
  const opened = performance.now() - begin;
  const worked = (await threadTime(cdp)) - workedBefore;
  await page.waitForFunction(soundIsDrawn, undefined, { timeout: 120_000, polling: 100 });
  const drawn = performance.now() - begin;
  await settled(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const usage = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  const after = await resident(studio.process.pid);
  const scrub = percentile(await page.evaluate(scrubbed), 0.95);
  await context.close();
  return {
    opened,
    worked,
    drawn,
    page: usage.usedSize + (usage.backingStorageSize ?? 0),
    studio: after - before,
    scrub,
  };
}

/** Milliseconds that the page's thread has worked. */
async function threadTime(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0);
}

const settled = (page: Page): Promise<void> => page.waitForTimeout(3000);

/** In the page. */
function showTake(id: string): void {
  location.hash = `#/takes/${id}`;
}

/** In the page: whether this take's timeline is there. */
function isOpened(id: string): boolean {
  const isShown = document.querySelector('audio')?.src.includes(id) ?? false;
  return isShown && document.querySelector('canvas[data-timeline]') !== null;
}

/** In the page: whether the strip over the timeline shows the sound's last minute. */
function soundIsDrawn(): boolean {
  const surface = [...document.querySelectorAll('canvas')].find(
    ({ height, width }) => height < 80 && width > 300,
  );
  if (!surface) return false;
  const pen = surface.getContext('2d');
  const column = pen?.getImageData(surface.width - 3, 0, 1, surface.height).data ?? new Uint8ClampedArray(0);
  const inks = new Set<number>();
  for (let at = 0; at < column.length; at += 4) inks.add(column[at]!);
  return inks.size > 1;
}

/** In the page: arrows, each until the head is drawn with another time written. */
async function scrubbed(): Promise<number[]> {
  let drawnAt = 0;
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function drawElements(...given) {
    draw.apply(this, given);
    drawnAt = performance.now();
  };
  const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const audio = document.querySelector('audio')!;
  const times: number[] = [];
  for (let step = 0; step < 60; step += 1) {
    await next();
    const begin = performance.now();
    window.dispatchEvent(
      new KeyboardEvent('keydown', { key: step % 2 ? 'ArrowLeft' : 'ArrowRight', shiftKey: step % 5 > 0 }),
    );
    const to = audio.currentTime;
    while (drawnAt < begin) await next();
    if (audio.currentTime !== to) throw new Error('It went elsewhere.');
    times.push(drawnAt - begin);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return times;
}

try {
  // A take that was recorded here has its views; these two get theirs when they are opened for the first time.
  const [firstSmall, firstLarge] = [await open(ten.id), await open(three.id)];
  const [small, large] = [await open(ten.id), await open(three.id)];
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);
  for (const [name, one] of [
    ['ten minutes for the first time', firstSmall],
    ['three hours for the first time', firstLarge],
    ['ten minutes', small],
    ['three hours', large],
  ] as const)
    console.log(
      `${name}: opened ${one.opened.toFixed(0)} ms (${one.worked.toFixed(0)} of the page's thread), sound drawn ${one.drawn.toFixed(0)} ms, ` +
        `page ${(one.page / MB).toFixed(0)} MB, studio +${(one.studio / MB).toFixed(0)} MB`,
    );
  const max = (name: string, value: number, unit: string, limit: number): void =>
    report({ name, value, unit, limit, kind: 'most' });
  max('a take of ten minutes opens', small.opened, 'ms', 300);
  max('a key to the head, P95, in ten minutes', small.scrub, 'ms', 50);
  max('a key to the head, P95, in three hours', large.scrub, 'ms', 50);
  max('a take of three hours opens', large.opened / 1000, 's', 5);
  max('memory of the page, three hours against ten minutes', large.page / small.page, 'times', 8);
  max('memory of the studio for three hours', firstLarge.studio / MB, 'MB', 50);
} finally {
  await browser.close();
  await studio.stop();
  await rm(home, { recursive: true, force: true });
}
