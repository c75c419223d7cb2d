/** A live session in this process, with the real engine in a process of its own and takes on a real disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../main/base/clock.ts';
import { createMeteredClients } from '../../../main/compose/metered_clients.ts';
import { engineEnvironment, engineFlags } from '../../../main/engine_host/engine_process.ts';
import { type LiveOptions, liveCalls } from '../../../main/live/live_calls.ts';
import { speakAfterwards } from '../../../main/live/speak_afterwards.ts';
import { createScrub } from '../../../main/storage/scrub.ts';
import { Takes } from '../../../main/takes/takes.ts';
import { createPaces } from '../../../main/upstream/transport/pace.ts';
import { newProfile, type StudioError, type StudioStream } from '../../../preload/contract.ts';
import {
  decodeToPage,
  encodeOrder,
  encodeSound,
  type LiveFace,
  type LiveReport,
} from '../../../proto/live/live_message.ts';
import type { LiveOrder } from '../../../proto/live/live_order.ts';
import { entries, startTestEngine, type TestEngine } from '../engine/host/engine_harness.ts';

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
  say(samples: Float32Array): void;
  order(order: LiveOrder): void;
  close(): void;
  closed: Promise<void>;
}

export interface Remote {
  url: string;
  perSecond?: number;
  monthlyCap?: number;
}

/** @param preload a module that the engine loads before its own */
export async function openLiveStage(remote?: Remote, preload?: string): Promise<LiveStage> {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-live-'));
  const startEngine = () =>
    startTestEngine({
      folder: join(folder, 'engine'),
      entry: entries.real,
      env: engineEnvironment,
      flags: engineFlags,
      preload,
    });
  const first = await startEngine();
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
      await engine.kill();
      await first.kill();
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

export const wait = (milliseconds: number): Promise<void> =>
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

/** Says it in blocks of 20 ms, as fast as it may be or in its own time. */
export async function speak(page: Page, samples: Float32Array, inTime: boolean): Promise<void> {
  const began = Date.now();
  for (let at = 0; at < samples.length; at += 960) {
    page.say(samples.slice(at, at + 960));
    if (inTime) {
      const due = began + (at / 48_000) * 1000;
      if (due > Date.now()) await wait(due - Date.now());
    }
  }
}
