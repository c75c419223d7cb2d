/** A live session in this process, with the real engine in a process of its own and takes on a real disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { LiveCommand } from '@likeness/proto/live/live_command.ts';
import {
  decodeToPage,
  encodeOrder,
  encodeSound,
  type LiveFace,
  type LiveReport,
} from '@likeness/proto/live/live_message.ts';
import { createMeteredClients } from '../../../main/compose/metered_clients.ts';
import { engineEnvironment, engineFlags } from '../../../main/engine_host/engine_process.ts';
import { type LiveOptions, liveCalls } from '../../../main/live/live_calls.ts';
import { speakAfterwards } from '../../../main/live/speak_afterwards.ts';
import { Takes } from '../../../main/takes/takes.ts';
import { newProfile, type StudioError, type StudioStream } from '../../../preload/contract.ts';
import { entries, startTestEngine, type TestEngine } from '../../support/service/engine_harness.ts';

export interface LiveStage {
  open(options?: { profileId?: string; source?: 'microphone' | 'file'; lookahead?: 0 | 20 | 40 | 60 }): Page;
  takes: Takes;
  /** What the journal was told. */
  entries: { profileId: string; billedSeconds: number; cost: number; operation: string }[];
  /** What the studio was told: whether somebody speaks, at each change. */
  speaking: boolean[];
  /** The built-in engine of the moment. */
  engine: TestEngine;
  /** As the studio does when the engine died: another process, another port, other keys. */
  startEngineAgain(): Promise<void>;
  close(): Promise<void>;
}

/** The page's end of a session. */
export interface Page {
  faces: LiveFace[];
  reports: LiveReport[];
  error: StudioError | undefined;
  /** Of sound that was sent. */
  readonly seconds: number;
  say(samples: Float32Array): void;
  order(order: LiveCommand): void;
  close(): void;
  closed: Promise<void>;
}

export interface Remote {
  url: string;
  perSecond?: number;
  monthlyCap?: number;
}

/** The engine as the studio starts it. @param preload a module that it loads before its own */
export const startLiveEngine = (folder: string, preload?: string): Promise<TestEngine> =>
  startTestEngine({ folder, entry: entries.real, env: engineEnvironment, flags: engineFlags, preload });

interface LiveStageOptions {
  /** A module that the engine loads before its own. */
  preload?: string;
  /** An engine that other stages use too; it is left running. Default: one of the stage's own. */
  engine?: TestEngine;
}

export async function openLiveStage(
  remote?: Remote,
  { preload, engine: sharedEngine }: LiveStageOptions = {},
): Promise<LiveStage> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-live-'));
  const startEngine = () => startLiveEngine(join(folder, 'engine'), preload);
  const first = sharedEngine ?? (await startEngine());
  let engine = first;
  const resolve = async (id: string) => ({
    ...newProfile,
    profileId: id,
    profileName: id,
    groupAUrl: id === 'built-in' ? engine.url : remote!.url,
    groupBUrl: id === 'built-in' ? engine.url : remote!.url,
    prices: { ...newProfile.prices, perSecond: id === 'built-in' ? 0 : (remote?.perSecond ?? 0) },
    monthlyCap: id === 'built-in' ? null : (remote?.monthlyCap ?? null),
    secret: async (name: string) => {
      // A server of somebody else's is the first engine, behind whatever line.
      const { apiKey, accessToken } = id === 'built-in' ? engine : first;
      return name === 'apiKey' ? apiKey : accessToken;
    },
  });
  const written: LiveStage['entries'] = [];
  const voices: Pick<LiveOptions, 'journal' | 'openClients' | 'profile'> = {
    journal: {
      reserve: ({ monthlyCap, plannedCost }) => {
        const check = (cost: number): void => {
          if (monthlyCap !== null && cost > monthlyCap) throw capReached();
        };
        check(plannedCost);
        return { raise: check, settle: (entry) => written.push(entry), release: () => {} };
      },
    },
    openClients: (meter) =>
      createMeteredClients({
        resolve,
        journal: meter,
        pace: createPaces(systemClock),
        live: true,
        scrub: createScrub(),
        onTrouble(error) {
          throw error;
        },
      }),
    profile: async (id) => ({ name: id, words: newProfile.stream.words }),
  };
  const takes = await Takes.open({
    folder: join(folder, 'takes'),
    clock: Date.now,
    randomId: () => Math.random().toString(36).slice(2, 10),
    speak: (sound, frameRate) => speakAfterwards(voices, sound, frameRate),
    warn: () => {},
    onChanged: () => {},
  });
  const speaking: boolean[] = [];
  const room = liveCalls({
    ...voices,
    onSpeaking: (isSpeaking) => void speaking.push(isSpeaking),
    startTake: (take) => takes.start(take),
    now: Date.now,
    onDefect: (_, error) => {
      throw error;
    },
  });
  return {
    takes,
    speaking,
    get engine() {
      return engine;
    },
    async startEngineAgain() {
      engine = await startEngine();
    },
    async close() {
      if (engine !== sharedEngine) await engine.kill();
      if (first !== sharedEngine) await first.kill();
      rmSync(folder, { recursive: true, force: true });
    },
    entries: written,
    open({ profileId = 'built-in', source = 'microphone', lookahead = 20 } = {}) {
      const listeners: ((bytes: Uint8Array) => void)[] = [];
      const closers: ((error?: StudioError) => void)[] = [];
      const early: Uint8Array[] = [];
      let first = 0;
      const page: Page = {
        faces: [],
        reports: [],
        error: undefined,
        get seconds() {
          return first / 48_000;
        },
        say(samples) {
          send(encodeSound({ capturedAt: Date.now(), firstSample: first, samples }));
          first += samples.length;
        },
        order: (order) => send(encodeOrder(order)),
        close: () => {
          for (const closer of closers.splice(0)) closer();
        },
        closed: Promise.resolve(),
      };
      const send = (message: Uint8Array): void => {
        // As a socket hands it over: a Buffer somewhere in a larger one.
        const pool = Buffer.alloc(message.length + 13);
        pool.set(message, 5);
        const bytes = pool.subarray(5, 5 + message.length);
        if (listeners.length === 0) early.push(bytes);
        for (const listener of listeners) listener(bytes);
      };
      const stream: StudioStream = {
        send(bytes) {
          const message = decodeToPage(bytes);
          if (message?.kind === 'report') page.reports.push(message.report);
          else if (message) page.faces.push(message);
        },
        onMessage(listener) {
          listeners.push(listener);
          for (const bytes of early.splice(0)) listener(bytes);
        },
        onClose: (closer) => closers.push(closer),
        close: () => page.close(),
      };
      page.closed = Promise.resolve(
        room.open(
          { profileId, sampleRate: 48_000, frameRate: 60, lookahead, suppressNoise: false, source },
          stream,
        ),
      );
      return page;
    },
  };
}

class CapReached extends Error {}
const capReached = (): Error => new CapReached('cap');

const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function until(holds: () => boolean, within = 15_000): Promise<void> {
  const end = Date.now() + within;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`it did not come to hold: ${holds}`);
    await wait(20);
  }
}

/** A voice of sorts: a buzz whose loudness goes up and down four times a second. */
export function buzz(seconds: number, rate = 48_000): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => {
    const time = at / rate;
    const loudness = 0.25 * Math.max(0, Math.sin(2 * Math.PI * 4 * time));
    return loudness * ((((time * 130) % 1) - 0.5) * 1.2 + 0.1 * Math.sin(2 * Math.PI * 900 * time));
  });
}

/** Time codes of the newest frames that a page has of each tier, as they come. */
function createNewestTimes(page: Page): () => Record<LiveFace['tier'], number> {
  const newest = { local: 0, server: 0 };
  const decoders: Partial<Record<LiveFace['tier'], FaceStreamDecoder>> = {};
  let read = 0;
  return () => {
    for (; read < page.faces.length; read += 1) {
      const { kind, tier, message } = page.faces[read]!;
      if (kind === 'header') decoders[tier] = new FaceStreamDecoder();
      const decoded = decoders[tier]?.accept(message);
      if (decoded?.kind === 'frame') newest[tier] = decoded.timeCode;
    }
    return newest;
  };
}

const newestTimes = new WeakMap<Page, () => Record<LiveFace['tier'], number>>();

/** Seconds of sound that may be ahead of its face where it is sent as fast as it is answered. */
const maxAhead = 0.5;
/** Milliseconds for which an engine may be silent: one that has just started, or was killed. */
const maxSilent = 5000;

/**
 * Sends sound in blocks of 20 ms: in time, or as fast as the built-in engine answers it. A server that is live is
 * waited for too, unless it is slower than speech.
 */
export async function speak(page: Page, samples: Float32Array, inTime = false): Promise<void> {
  const began = Date.now();
  const newest = newestTimes.get(page) ?? createNewestTimes(page);
  newestTimes.set(page, newest);
  const isAwaited = (late: number): boolean => {
    if (inTime) return late < 0;
    const { local, server } = newest();
    const isServerAwaited = late < 0 && page.reports.at(-1)?.server === 'live';
    if (isServerAwaited && page.seconds - server > maxAhead) return true;
    return late < maxSilent && page.seconds - local > maxAhead;
  };
  for (let at = 0; at < samples.length; at += 960) {
    page.say(samples.slice(at, at + 960));
    const due = began + (at / 48_000) * 1000;
    while (isAwaited(Date.now() - due)) await wait(inTime ? due - Date.now() : 2);
  }
}
