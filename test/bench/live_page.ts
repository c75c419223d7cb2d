/**
 * The Live page as a person has it, for benchmarks: the built studio, a real Chromium, and a microphone that
 * says what is in a WAV file, again and again.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { encodeWav } from '@likeness/proto/wav.ts';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { newProfile, type Profile, type Result } from '../../preload/contract.ts';
import { chromiumFlags, findChromium } from '../../scripts/chromium.ts';
import { microphoneFlags } from '../e2e/microphone.ts';
import { startStudio } from '../e2e/studio.ts';
import { noteStages } from './live_stages.ts';

/** What a benchmark changes of `LiveSettings`. */
export interface LivePageOptions {
  /** What the microphone says: mono, 48 kHz. */
  voice: Float32Array;
  lookahead?: 0 | 20 | 40 | 60;
  width: number;
  height: number;
  /** Only each so-manieth of the display's frames is drawn, for what is not about drawing. Default 1: all. */
  everyNthFrame?: number;
  environment?: Record<string, string>;
  /** The clone whose built studio it is. Default: this one. */
  root?: string | undefined;
  /** Before Live is opened: makes the connection that is spoken to, and gives its id. */
  prepare?: (page: Page) => Promise<string>;
}

export interface LivePage {
  page: Page;
  cdp: CDPSession;
  /** Process ids of what is behind the page: the studio's main process. */
  studioPid: number;
  close(): Promise<void>;
}

/** Hertz of every voice here. */
const voiceRate = 48_000;

/**
 * Opens Live and starts speaking. Head, eyes and mirror hold still, so that what changes where the mouth is,
 * is the mouth. The page gets `window.onsets`: when, in milliseconds since 1970, sound set in at an audio
 * worklet that listens to the same microphone as the studio's own, in the same rendering quantum.
 */
export async function openLivePage(options: LivePageOptions): Promise<LivePage> {
  const {
    voice,
    lookahead = 20,
    width,
    height,
    everyNthFrame = 1,
    environment = {},
    root,
    prepare,
  } = options;
  const home = await mkdtemp(join(tmpdir(), 'likeness-live-'));
  const file = join(home, 'voice.wav');
  writeFileSync(file, encodeWav({ sampleRate: voiceRate, samples: voice }, 's16le'));
  const studio = await startStudio(home, environment, root);
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [...chromiumFlags, ...microphoneFlags(file)],
  });
  // The probe is no file of the page's origin.
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-US',
    bypassCSP: true,
    permissions: ['microphone'],
  });
  const page = await context.newPage();
  await page.addInitScript(listenAlong, onsetProbe);
  await page.addInitScript(drawSeldom, everyNthFrame);
  await page.addInitScript(lookAlong);
  await page.addInitScript(noteStages);
  await page.goto(studio.link());
  await page.waitForFunction(() => 'studio' in window);
  await page.getByText('Look around first').click();
  const profileId = (await prepare?.(page)) ?? '';
  await page.evaluate(
    ([kept]) => localStorage.setItem('likeness.live', kept!),
    [
      JSON.stringify({
        lookahead,
        profileId,
        mirror: false,
        style: { headMotion: false, eyeMotion: false },
      }),
    ],
  );
  await page.goto(new URL('#/live', page.url()).href);
  await page.reload();
  await page.waitForSelector('canvas[data-speaking]');
  await page.getByRole('button', { name: 'Start speaking' }).click();
  await page.getByRole('meter').waitFor();
  await endNetworkReports(page);
  return {
    page,
    cdp: await context.newCDPSession(page),
    studioPid: studio.process.pid!,
    async close() {
      await browser.close();
      await studio.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Playwright has Chromium report all that goes over a page's sockets, which for Live are two hundred messages
 * a second: a tenth of a core that no studio has to share. It has no switch for that, so its own session is
 * told.
 */
async function endNetworkReports(page: Page): Promise<void> {
  const { _connection: connection } = page as unknown as {
    _connection: {
      toImpl(page: unknown): {
        delegate: { _mainFrameSession: { _client: { send(method: string): Promise<unknown> } } };
      };
    };
  };
  await connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable');
}

/**
 * Makes a connection to a server, as the page does, and gives its id. Its keys are kept for this run only.
 */
export async function connectTo(
  page: Page,
  server: { url: string; accessToken: string; apiKey: string },
): Promise<string> {
  const call = async <T>(
    name: 'create' | 'setSecret' | 'keepForThisRun',
    ...input: unknown[]
  ): Promise<T> => {
    const result = (await page.evaluate(
      ([name, ...input]) =>
        (window as unknown as { studio: { connections: Record<string, (...input: unknown[]) => unknown> } })
          .studio.connections[name as string]!(...input),
      [name, ...input],
    )) as Result<T>;
    if (!result.ok) throw new Error(inEnglish(result.error.message));
    return result.value;
  };
  await call('keepForThisRun');
  const urls = { groupAUrl: server.url, groupBUrl: server.url };
  const { id } = await call<Profile>('create', { ...newProfile, name: 'Far', ...urls });
  await call('setSecret', { id, secret: 'accessToken', value: server.accessToken });
  await call('setSecret', { id, secret: 'apiKey', value: server.apiKey });
  return id;
}

/**
 * Says when sound sets in after a silence: the level of 64 samples passes a threshold after 150 ms below it.
 */
const onsetProbe = /* js */ `
registerProcessor('onset-probe', class extends AudioWorkletProcessor {
  quiet = 0;
  process([[samples = []]]) {
    let loudest = 0;
    for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample));
    if (loudest < 0.02) this.quiet += samples.length;
    else {
      if (this.quiet > 0.15 * sampleRate) this.port.postMessage(Date.now());
      this.quiet = 0;
    }
    return true;
  }
});`;

/** Runs in the page: every microphone that the studio opens is listened to by the probe, too. */
function listenAlong(probeSource: string): void {
  const onsets: number[] = [];
  Object.assign(window, { onsets });
  const create = AudioContext.prototype.createMediaStreamSource;
  AudioContext.prototype.createMediaStreamSource = function (stream) {
    const source = create.call(this, stream);
    this.audioWorklet
      .addModule(URL.createObjectURL(new Blob([probeSource], { type: 'text/javascript' })))
      .then(() => {
        const probe = new AudioWorkletNode(this, 'onset-probe', { numberOfOutputs: 0 });
        probe.port.onmessage = ({ data }: MessageEvent<number>) => onsets.push(data);
        source.connect(probe);
      })
      .catch((error: unknown) => console.error('the probe does not listen', error));
    return source;
  };
}

/** The mouth's surroundings at one time: brightness of so many pixels, in rows. */
export interface MouthPicture {
  /** Milliseconds since 1970. */
  at: number;
  grey: Uint8Array | readonly number[];
}

/** Part of the stage in which the mouth is, as shares of its width and height. */
export const mouthPlace = { left: 0.38, top: 0.55, width: 0.24, height: 0.25 } as const;

/** Runs in the page: who waits for the display's next frame gets each `nth` of them. */
function drawSeldom(nth: number): void {
  const request = window.requestAnimationFrame.bind(window);
  if (nth === 1) return;
  window.requestAnimationFrame = (callback) => {
    let left = nth;
    const next = (time: number): void => {
      left -= 1;
      if (left === 0) callback(time);
      else request(next);
    };
    return request(next);
  };
}

/**
 * Runs in the page: `window.drawn(true)` begins to keep the mouth's pixels of each frame drawn,
 * `window.drawn(false)` gives them.
 */
function lookAlong(): void {
  const kept: { at: number; grey: number[] }[] = [];
  let isLooking = false;
  let isDirty = false;
  let frames = 0;
  const small = new OffscreenCanvas(40, 24).getContext('2d', { willReadFrequently: true })!;
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (...how) {
    if (this.canvas instanceof HTMLCanvasElement && this.canvas.dataset.speaking) isDirty = true;
    draw.apply(this, how);
  };
  const look = (): void => {
    if (!isDirty) return;
    isDirty = false;
    frames += 1;
    const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-speaking]');
    if (!isLooking || !canvas) return;
    // Without a graphics card the canvas is no larger than the head.
    const stage = canvas.closest('[role=application]')!.getBoundingClientRect();
    const place = canvas.getBoundingClientRect();
    const scale = canvas.width / place.width;
    const left = stage.x + stage.width * 0.38 - place.x;
    const top = stage.y + stage.height * 0.55 - place.y;
    const [width, height] = [stage.width * 0.24, stage.height * 0.25];
    small.drawImage(canvas, left * scale, top * scale, width * scale, height * scale, 0, 0, 40, 24);
    const { data } = small.getImageData(0, 0, 40, 24);
    const grey: number[] = [];
    for (let i = 0; i < data.length; i += 4)
      grey.push(data[i]! * 0.3 + data[i + 1]! * 0.6 + data[i + 2]! * 0.1);
    // The pixels are there: whoever drew them has finished.
    kept.push({ at: performance.timeOrigin + performance.now(), grey });
  };
  // Without a graphics card frames come to the page's canvas as pixels.
  const { putImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.putImageData = function (...what: unknown[]) {
    putImageData.apply(this, what as Parameters<typeof putImageData>);
    if (!this.canvas.dataset.speaking) return;
    isDirty = true;
    look();
  };
  // Right after the frame is drawn; later the browser has cleared the canvas.
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      callback(time);
      look();
    });
  Object.assign(window, {
    drawn(on: boolean) {
      isLooking = on;
      return kept.splice(0);
    },
    framesDrawn: () => frames,
  });
}

const difference = (a: MouthPicture['grey'], b: MouthPicture['grey']): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum / a.length;
};

/** Milliseconds that each vowel lasts. */
const vowelMs = 320;
/** Lags that are tried, milliseconds. */
const lags = Array.from({ length: 151 }, (_, i) => i * 10);

/**
 * Milliseconds by which the mouth follows the voice: the lag at which pictures during vowels and pictures
 * between them differ most. Pauses are irregular, so no other lag fits as well, however late the mouth is.
 */
export function mouthLag(pictures: readonly MouthPicture[], onsets: readonly number[]): number {
  let best = { lag: Number.NaN, contrast: 0 };
  const size = pictures[0]?.grey.length ?? 0;
  for (const lag of lags) {
    const sums = [new Float64Array(size), new Float64Array(size)] as const;
    const counts = [0, 0];
    for (const { at, grey } of pictures) {
      const voiced = onsets.some((onset) => at - lag >= onset && at - lag < onset + vowelMs) ? 1 : 0;
      counts[voiced]! += 1;
      for (let i = 0; i < size; i++) sums[voiced][i]! += grey[i]!;
    }
    const means = sums.map((sum, i) => Array.from(sum, (value) => value / counts[i]!));
    const contrast = difference(means[0]!, means[1]!);
    if (contrast > best.contrast) best = { lag, contrast };
  }
  return best.lag;
}

/**
 * For each onset of a vowel, milliseconds until the mouth has gone this share of the way from rest to where
 * it goes within the vowel. Onsets without a picture just before them are left out; empty where the mouth
 * lags by so much that what moves after an onset may belong to the vowel before it.
 */
export function mouthDelays(
  pictures: readonly MouthPicture[],
  onsets: readonly number[],
  share: number,
): number[] {
  if (!(mouthLag(pictures, onsets) < 250)) return [];
  const found: number[] = [];
  for (const onset of onsets) {
    const rest = pictures.findLast(({ at }) => at <= onset && at > onset - 150);
    const vowel = pictures.filter(({ at }) => at > onset && at < onset + vowelMs);
    if (!rest || vowel.length < 4) continue;
    const away = vowel.map(({ grey }) => difference(grey, rest.grey));
    const max = Math.max(...away);
    found.push(vowel[away.findIndex((value) => value >= max * share)]!.at - onset);
  }
  return found;
}

/** Mean change of brightness, of 255, from one picture to the next below which nobody sees one. */
const seenChange = 0.1;

/** Milliseconds for which the mouth's pixels stayed as they were, at the longest. */
export function longestStill(pictures: readonly MouthPicture[]): number {
  let longest = 0;
  let shown = pictures[0];
  for (const picture of pictures) {
    if (!shown || difference(picture.grey, shown.grey) < seenChange) continue;
    longest = Math.max(longest, picture.at - shown.at);
    shown = picture;
  }
  return longest;
}

/**
 * When sounds set in at the probe while something went on, milliseconds since 1970; none so late that its
 * mouth is not seen.
 */
export async function heardMeanwhile(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const begun = Date.now();
  await work();
  const ended = Date.now();
  const onsets = await page.evaluate<number[]>('onsets');
  return onsets.filter((at) => at > begun + 300 && at < ended - 400);
}

/** Milliseconds from one refresh of the display to the next. */
const refreshMs = 1000 / 60;

interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  id2?: { local?: string };
}

/**
 * When what the page drew before a time was on the display, by Chromium's own account of each of its frames:
 * from the page being asked for it to its being handed to the display, which shows it at its next refresh.
 * Milliseconds since 1970. Next to taking pictures of the page it costs nothing.
 *
 * @returns to be called when all is drawn
 */
export async function tracePresentations({ page }: LivePage): Promise<() => Promise<(at: number) => number>> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline.frame', 'blink.user_timing'],
  });
  const tiedAt = await page.evaluate(() => performance.timeOrigin + performance.mark('tied').startTime);
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      traceEvents: TraceEvent[];
    };
    const tied = traceEvents.find(({ name }) => name === 'tied')!;
    const toTime = (ts: number): number => tiedAt + (ts - tied.ts) / 1000;
    /** Frames that are under way, by their place in the trace. */
    const open = new Map<string, { begun: number; asked?: number; isHandedOver?: boolean }>();
    const frames: { asked: number; shown: number }[] = [];
    for (const { name, ph, ts, id2 } of traceEvents.toSorted((a, b) => a.ts - b.ts)) {
      const id = id2?.local ?? '';
      const frame = open.get(id);
      if (name === 'PipelineReporter' && ph === 'b') open.set(id, { begun: ts });
      else if (!frame) continue;
      else if (name === 'SendBeginMainFrameToCommit' && ph === 'b') frame.asked = ts;
      else if (name === 'SwapEndToPresentationCompositorFrame') frame.isHandedOver = true;
      else if (name === 'PipelineReporter' && ph === 'e') {
        open.delete(id);
        if (frame.asked === undefined || !frame.isHandedOver) continue;
        const took = Math.ceil((ts - frame.begun) / 1000 / refreshMs) * refreshMs;
        frames.push({ asked: toTime(frame.asked), shown: toTime(frame.begun) + took });
      }
    }
    frames.sort((a, b) => a.asked - b.asked);
    return (at) => frames.find(({ asked }) => asked >= at)?.shown ?? Number.NaN;
  };
}

/** Onsets, and the pictures of the mouth that the page drew meanwhile. */
export async function watchMouth(
  page: Page,
  milliseconds: number,
): Promise<{ onsets: number[]; drawn: MouthPicture[] }> {
  await page.evaluate('drawn(true)');
  const onsets = await heardMeanwhile(page, () => page.waitForTimeout(milliseconds));
  return { onsets, drawn: await page.evaluate<{ at: number; grey: number[] }[]>('drawn(false)') };
}

/** Resonances of a vowel: hertz and bandwidth. */
const vowelAa = [
  [730, 90],
  [1090, 110],
  [2440, 170],
] as const;

/**
 * The vowel of "father", said again and again out of silence: pulses of a voice at 120 Hz through three
 * resonances. Pauses differ, so that onsets fall anywhere between two frames of the screen.
 */
export function vowels(count: number, vowelSeconds = vowelMs / 1000, pauseSeconds = 0.45): Float32Array {
  const parts: Float32Array[] = [];
  for (let index = 0; index < count; index++) {
    // Steps of a golden section never fall into step with a display, nor with themselves.
    const pause = pauseSeconds * (1 + ((index * 0.618) % 1));
    parts.push(new Float32Array(Math.round(pause * voiceRate)), vowel(vowelSeconds));
  }
  const sound = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    sound.set(part, at);
    at += part.length;
  }
  return sound;
}

/**
 * Running speech of a sort: the vowel with short closures between, so that a mouth that follows never rests.
 */
export function syllables(count: number): Float32Array {
  return vowels(count, 0.16, 0.06);
}

function vowel(seconds: number): Float32Array {
  const sound = new Float32Array(Math.round(seconds * voiceRate));
  const period = Math.round(voiceRate / 120);
  for (let at = 0; at < sound.length; at++) sound[at] = at % period === 0 ? 1 : 0;
  for (const [frequency, bandwidth] of vowelAa) resonate(sound, frequency, bandwidth);
  const loudest = sound.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  for (let at = 0; at < sound.length; at++) {
    const end = Math.min(1, (sound.length - at) / (0.02 * voiceRate));
    sound[at]! *= (0.5 * end) / loudest;
  }
  return sound;
}

/** Two-pole resonator, Klatt 1980. */
function resonate(sound: Float32Array, frequency: number, bandwidth: number): void {
  const r = Math.exp((-Math.PI * bandwidth) / voiceRate);
  const b = 2 * r * Math.cos((2 * Math.PI * frequency) / voiceRate);
  const c = -r * r;
  let [one, two] = [0, 0];
  for (let at = 0; at < sound.length; at++) {
    const value = (1 - b - c) * sound[at]! + b * one + c * two;
    two = one;
    one = value;
    sound[at] = value;
  }
}
