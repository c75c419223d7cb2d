/**
 * Half an hour of Live.
 *
 * Always: 30 minutes of sound go through the studio's session and a real engine as fast as they are answered,
 * and the frames that come are played by the page's own clock against a display that is simulated and runs
 * 100 parts in a million fast: a minute of it takes a second or two.
 *
 * With `LIVE_MINUTES=30`: as many minutes in a real Chromium, in real time. Each minute the page's heap is
 * measured, the memory of studio and engine and, from pixels, how late the mouth is.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediately, setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { FrameTrack, PlayoutClock } from '@likeness/proto/live/playout.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { buzz, openLiveStage, until } from '../main/live/live_stage.ts';
import { report } from './limits.ts';
import { mouthLag, openLivePage, vowels, watchMouth } from './live_page.ts';

const rate = 48_000;
const block = 960;
const frameMs = 1000 / 60;
/** The simulated display's milliseconds in one of the sound's. */
const displayClock = 1 + 1e-4;

/** Milliseconds that the simulated half-hour may take before it is cut short. */
const patienceMs = 60_000;

/** Megabytes of V8 and of arrays outside it, after what is not used was given back. */
function heap(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

/** Resident megabytes of a process. */
function resident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The same of a studio and its engine, each after it has collected its garbage (`collect_process.ts`). */
async function residentAfterCollection(studio: number): Promise<number> {
  const engines = readFileSync(`/proc/${studio}/task/${studio}/children`, 'utf8').split(' ').filter(Boolean);
  const all = [studio, ...engines.map(Number)];
  for (const pid of all) process.kill(pid, 'SIGUSR2');
  await setTimeout(1000);
  return all.reduce((sum, pid) => sum + resident(pid), 0);
}

async function simulated(wanted: number): Promise<void> {
  const stage = await openLiveStage();
  const page = stage.open();
  await until(() => page.reports.length > 0);
  const tenSeconds = buzz(10);
  const track = new FrameTrack();
  const clock = new PlayoutClock();
  let decoder = new FaceStreamDecoder();
  let frames = 0;
  let newest = 0;
  /** Milliseconds from a sound to its face, once a second. */
  const delays: number[] = [];
  const take = (): void => {
    for (const { kind, message, ...times } of page.faces.splice(0)) {
      if (kind === 'header') decoder = new FaceStreamDecoder();
      const read = decoder.accept(message);
      if (read.kind !== 'frame') continue;
      frames += 1;
      newest = read.timeCode;
      // Some thirty milliseconds after its sound, by a clock that runs fast.
      const arrivedAt = newest * 1000 + 30 + ((frames * 7) % 16);
      track.push({ frame: read, ...times, arrivedAt });
      clock.arrived(newest, arrivedAt * displayClock);
      const shown = clock.timeAt(arrivedAt * displayClock) * 1000;
      if (frames % 60 === 0) delays.push(arrivedAt - shown);
    }
    page.reports.splice(0, page.reports.length - 1);
  };
  const caughtUp = async (seconds: number): Promise<void> => {
    const patience = performance.now() + 20_000;
    for (take(); seconds - newest > 0.25; take()) {
      if (performance.now() > patience) throw new Error(`no frames after ${newest} s`);
      await immediately();
    }
  };
  let earlyHeap = 0;
  let earlyEngine = 0;
  const begun = performance.now();
  let minutes = wanted;
  for (let at = 0; at < minutes * 60 * rate; at += block) {
    // On a busy machine as much of it as there is time for, to the full minute, and it is said.
    if (performance.now() - begun > patienceMs)
      minutes = Math.min(minutes, Math.ceil((at + 1) / (60 * rate)));
    page.say(tenSeconds.subarray(at % tenSeconds.length, (at % tenSeconds.length) + block));
    const seconds = (at + block) / rate;
    // Sound that waits for more than a second is given up by the session.
    if (seconds - newest > 0.85) await caughtUp(seconds);
    if (at === 2 * 60 * rate) {
      earlyHeap = heap();
      earlyEngine = resident(stage.engine.child.pid!);
    }
  }
  const end = minutes * 60;
  await caughtUp(end);
  const took = (performance.now() - begun) / 1000;
  const lateHeap = heap();
  const lateEngine = resident(stage.engine.child.pid!);
  page.order({ order: 'end' });
  await page.closed;
  take();
  await stage.close();
  const firstMinute = percentile(delays.slice(20, 80), 0.5);
  const lastMinute = percentile(delays.slice(-60), 0.5);
  console.log(
    `${minutes} minutes of sound in ${took.toFixed(0)} s, load ${loadavg()[0]!.toFixed(1)}: ${frames} frames, the last at ` +
      `${newest.toFixed(4)} s; delay of playing ${firstMinute.toFixed(1)} ms in the first minute, ${lastMinute.toFixed(1)} in the last`,
  );
  report({ name: 'frames that are missing', value: end * 60 - frames, unit: '', limit: 0, kind: 'most' });
  report({
    name: `simulated display: drift after ${minutes} minutes`,
    value: Math.abs(lastMinute - firstMinute),
    unit: 'ms',
    limit: frameMs,
    kind: 'most',
  });
  report({
    name: 'the session’s memory, growth',
    value: lateHeap - earlyHeap,
    unit: 'MB',
    limit: 3,
    kind: 'most',
  });
  report({
    name: 'the engine’s memory, growth',
    value: lateEngine - earlyEngine,
    unit: 'MB',
    limit: 20,
    kind: 'most',
  });
}

/**
 * Change from one value to the next: the median over all pairs (Theil and Sen), which a busy minute does not
 * move.
 */
function slope(values: readonly number[]): number {
  const slopes = values.flatMap((value, i) => values.slice(i + 1).map((next, k) => (next - value) / (k + 1)));
  return percentile(slopes, 0.5);
}

async function inRealTime(minutes: number): Promise<void> {
  // A small window, and 20 frames a second: half an hour of drawing is not what this measures.
  const collects = pathToFileURL(join(import.meta.dirname, 'collect_process.ts')).href;
  const live = await openLivePage({
    voice: vowels(20),
    width: 720,
    height: 480,
    everyNthFrame: 3,
    environment: { NODE_OPTIONS: `--import=${collects}` },
  });
  await live.cdp.send('HeapProfiler.enable');
  const rows: { lag: number; heap: number; studio: number }[] = [];
  const begun = Date.now();
  for (let minute = 0; minute < minutes; minute++) {
    const { onsets, drawn } = await watchMouth(live.page, 45_000);
    await live.cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = (await live.cdp.send('Runtime.getHeapUsage')) as { usedSize: number };
    const row = {
      lag: mouthLag(drawn, onsets),
      heap: usedSize / 2 ** 20,
      studio: await residentAfterCollection(live.studioPid),
    };
    rows.push(row);
    console.log(
      `minute ${minute + 1}: mouth ${row.lag} ms behind the voice (${onsets.length} onsets), page ${row.heap.toFixed(1)} MB, ` +
        `studio and engine ${row.studio.toFixed(0)} MB resident, load ${loadavg()[0]!.toFixed(1)}`,
    );
    await live.page.waitForTimeout(Math.max(0, begun + (minute + 1) * 60_000 - Date.now()));
  }
  await live.close();
  const of = (part: typeof rows, value: (row: (typeof rows)[number]) => number): number =>
    percentile(part.map(value), 0.5);
  const [early, late] = [rows.slice(1, 6), rows.slice(-5)];
  report({
    name: `${minutes} minutes in Chromium: drift`,
    value: Math.abs(slope(rows.map((row) => row.lag))) * minutes,
    unit: 'ms',
    limit: frameMs,
    kind: 'most',
  });
  report({
    name: 'the page’s heap, growth',
    value: of(late, (row) => row.heap) - of(early, (row) => row.heap),
    unit: 'MB',
    limit: 3,
    kind: 'most',
  });
  report({
    name: 'studio and engine, growth',
    value: of(late, (row) => row.studio) - of(early, (row) => row.studio),
    unit: 'MB',
    limit: 20,
    kind: 'most',
  });
}

const realMinutes = Number(process.env.LIVE_MINUTES ?? 0);
if (realMinutes > 0) await inRealTime(realMinutes);
else await simulated(30);
