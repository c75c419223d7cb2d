/** The systems that the speech figures compare, each as visemes and mouth channels every 10 ms. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { SpeechFace } from '@likeness/speech';
import type { FullPassModel } from '@likeness/speech/full_pass_model.ts';
import { MelStream } from '@likeness/speech/mel.ts';
import type { SpeechModel } from '@likeness/speech/speech_model.ts';
import { contactsOfVoice } from '@likeness/speech/take/contacts_of_voice.ts';
import { contactPosterior } from '@likeness/speech/take/lip_contacts.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { VisemeStream } from '@likeness/speech/viseme_stream.ts';
import { hearSound } from './hear_sound.ts';
import { contactStretches, type Stretch, stretches } from './speech_figures.ts';

/** What a system made of 16 kHz sound; frames of 10 ms. Absent: it has no such thing. */
export interface MadeFace {
  /** Winning viseme, 0..14. */
  winners?: Uint8Array;
  /** How sure it is of p/b/m and of f/v, 0..1. */
  closure?: Float32Array;
  lipTeeth?: Float32Array;
  jaw?: Float32Array;
  round?: Float32Array;
  /** All that was heard, where it is our second hearing's. */
  voice?: TakeVoice;
  /** Seconds of computing. */
  took: number;
}

export interface System {
  name: string;
  /** Bytes that ship. */
  size: number;
  /** From which sureness on lips touch; absent: `closure` and `lipTeeth` say it outright. */
  thresholds?: { closure: number; lipTeeth: number };
  /** The contacts that it makes, from a threshold on; absent: from its own. */
  contacts(made: MadeFace, kind: 'closure' | 'lipTeeth', threshold?: number): readonly Stretch[];
  make(sound: Float32Array): Promise<MadeFace>;
}

/** Systems that say outright when the lips meet. */
const outright: System['contacts'] = (made, kind) =>
  stretches(made[kind]?.length ?? 0, (i) => made[kind]?.[i] === 1);

interface FaceSystem extends System {
  make(sound: Float32Array): Promise<Required<Omit<MadeFace, 'voice'>>>;
}

/** Our network's posteriors by 10 ms frame of the sound, [frames · 15]. */
export function posteriors(model: SpeechModel, sound: Float32Array, lookahead: number): Float32Array {
  const mel = new MelStream();
  const network = new VisemeStream(model, lookahead);
  const count = Math.floor(sound.length / 160);
  const out = new Float32Array(count * 15);
  let n = 0;
  const take = (frames: Float32Array[]): void => {
    for (const frame of frames) {
      const [newest] = network.step(frame);
      const at = n++ - lookahead;
      if (newest && at >= 0 && at < count) out.set(newest.posterior, at * 15);
    }
  };
  for (let from = 0; from < sound.length; from += 16000) take(mel.push(sound.subarray(from, from + 16000)));
  take(mel.end(lookahead));
  return out;
}

/** One viseme's column, smoothed as the mouth smooths it for contacts (1 2 1), centred. */
function smoothedColumn(all: Float32Array, viseme: number): Float32Array {
  const count = all.length / 15;
  const at = (i: number): number => all[Math.min(count - 1, Math.max(0, i)) * 15 + viseme] as number;
  return Float32Array.from({ length: count }, (_, i) => (at(i - 1) + 2 * at(i) + at(i + 1)) / 4);
}

export function winnersOf(all: Float32Array): Uint8Array {
  return Uint8Array.from({ length: all.length / 15 }, (_, i) => {
    let best = 0;
    for (let v = 1; v < 15; v++) {
      if ((all[i * 15 + v] as number) > (all[i * 15 + best] as number)) best = v;
    }
    return best;
  });
}

const committed = join(import.meta.dirname, '../../packages/speech/src');

/**
 * @param lookahead 10 ms frames of the figures; the face itself runs with 40 ms
 * @param file Of the model, for its size
 */
export function ourEngine(
  model: SpeechModel,
  lookahead = 4,
  file = join(committed, 'weights.bin'),
): FaceSystem {
  const thresholds = { closure: model.closureThreshold, lipTeeth: model.lipTeethThreshold };
  return {
    name: 'ours',
    size: statSync(file).size,
    thresholds,
    contacts: (made, kind, threshold = thresholds[kind]) =>
      contactStretches(made[kind] ?? new Float32Array(0), threshold),
    make: async (sound) => {
      const before = performance.now();
      const all = posteriors(model, sound, lookahead);
      const took = (performance.now() - before) / 1000;
      const face = new SpeechFace(model, { sampleRate: 16000, channels: 1, frameRate: 60, lookahead: 0.04 });
      const frames = [...face.push(sound), ...face.end()];
      const channel = (of: (weights: Float32Array) => number): Float32Array =>
        Float32Array.from({ length: Math.floor(sound.length / 160) }, (_, i) => {
          const at = i * 0.6;
          const k = Math.min(frames.length - 1, Math.floor(at));
          const next = Math.min(frames.length - 1, k + 1);
          const part = at - Math.floor(at);
          return (
            of((frames[k] as { weights: Float32Array }).weights) * (1 - part) +
            of((frames[next] as { weights: Float32Array }).weights) * part
          );
        });
      return {
        winners: winnersOf(all),
        closure: smoothedColumn(all, 1),
        lipTeeth: smoothedColumn(all, 2),
        jaw: channel((w) => w[arkitBlendshapeIndex.jawOpen] as number),
        round: channel(
          (w) =>
            (w[arkitBlendshapeIndex.mouthFunnel] as number) + (w[arkitBlendshapeIndex.mouthPucker] as number),
        ),
        took,
      };
    },
  };
}

/** What hears a recording as a whole; faces are made of it elsewhere. */
export function secondHearing(model: FullPassModel, file: string): System {
  const thresholds = { closure: model.closureThreshold, lipTeeth: model.lipTeethThreshold };
  return {
    name: 'second hearing',
    size: statSync(file).size,
    thresholds,
    contacts: ({ voice }, kind, threshold = thresholds[kind]) =>
      voice ? contactsOfVoice(voice, kind === 'closure' ? 'lips' : 'teeth', threshold) : [],
    make: async (sound) => {
      const before = performance.now();
      const heard = hearSound(model, sound, 'off');
      const took = (performance.now() - before) / 1000;
      return {
        winners: winnersOf(heard.posteriors.subarray(0, Math.floor(sound.length / 160) * 15)),
        closure: contactPosterior(heard, 'lips'),
        lipTeeth: contactPosterior(heard, 'teeth'),
        voice: heard,
        took,
      };
    },
  };
}

/** speech.md's jaw and rounding by viseme, for systems that give winners only. */
const jawOf = [0, 0.1, 0.05, 0.15, 0.1, 0.05, 0.15, 0.15, 0.08, 0.15, 0.85, 0.6, 0.45, 0.7, 0.4];
const roundOf = [0, 0, 0.1, 0.1, 0.15, 0, 0.5, 0.45, 0.1, 0.7, 0.15, 0.2, 0.12, 0.85, 0.95];

/** Centred moving mean over `frames`. */
function smooth(values: Float32Array, frames: number): Float32Array {
  const half = Math.floor(frames / 2);
  return values.map((_, i) => {
    let sum = 0;
    let count = 0;
    for (let k = Math.max(0, i - half); k <= Math.min(values.length - 1, i + half); k++) {
      sum += values[k] as number;
      count++;
    }
    return sum / count;
  });
}

/** Level of each 10 ms frame, dB, 40 ms windows. */
export function levels(sound: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(sound.length / 160) }, (_, i) => {
    let power = 1e-10;
    for (let k = Math.max(0, i * 160 - 320); k < Math.min(sound.length, i * 160 + 320); k++) {
      power += (sound[k] as number) ** 2;
    }
    return 10 * Math.log10(power / 640);
  });
}

/** The level that a twentieth of the frames pass. */
function loud(level: Float32Array): number {
  return level.toSorted()[Math.floor(level.length * 0.95)] as number;
}

/** Frames within 30 dB of the loud ones, and 50 ms around them: speech, the same for every system. */
export function speechFrames(sound: Float32Array): Uint8Array {
  const level = levels(sound);
  const from = loud(level) - 30;
  return Uint8Array.from(level, (_, i) =>
    level.subarray(Math.max(0, i - 5), i + 6).some((value) => value >= from) ? 1 : 0,
  );
}

/** The oldest lip sync there is: the mouth opens as the sound is loud. */
export const logEnergy: System = {
  name: 'log-energy',
  size: 0,
  contacts: outright,
  make: async (sound) => {
    const before = performance.now();
    const level = levels(sound);
    const top = loud(level);
    const open = smooth(
      level.map((value) => Math.min(1, Math.max(0, (value - top + 35) / 35))),
      6,
    );
    return { jaw: open, round: open, took: (performance.now() - before) / 1000 };
  },
};

/** Where the peers may be: our own node_modules, or the folder in LIKENESS_PEERS. */
function peerFolder(name: string): string | undefined {
  const folders = [process.env.LIKENESS_PEERS, join(import.meta.dirname, '../..')];
  return folders
    .flatMap((folder) => (folder ? [join(folder, 'node_modules', name)] : []))
    .find((folder) => existsSync(folder));
}

interface HeadAudioProcessor {
  process(samples: Float32Array): void;
  classifier: { import(data: { reset: boolean; model: unknown[] }): void };
}
interface HeadAudioMessage {
  event: string;
  viseme?: number | null;
  t: number;
}

/** HeadAudio's own viseme numbers in our order. */
const headAudioVisemes = [10, 11, 12, 13, 14, 1, 7, 3, 4, 2, 5, 8, 9, 6, 0];

/** @met4citizen/headaudio from npm: its processor as its worklet runs it, 128 samples at a time. */
export async function headAudio(): Promise<System | undefined> {
  const folder = peerFolder('@met4citizen/headaudio');
  if (!folder) return undefined;
  const { Processor } = (await import(pathToFileURL(join(folder, 'modules/processor.mjs')).href)) as {
    Processor: new (options: object, worklet: object) => HeadAudioProcessor;
  };
  const file = join(folder, 'dist/model-en-mixed.bin');
  const prototypes = readHeadAudioModel(readFileSync(file));
  return {
    name: 'HeadAudio',
    contacts: outright,
    size: statSync(file).size,
    make: async (sound) => {
      const messages: HeadAudioMessage[] = [];
      const port = { onmessage: null, postMessage: (message: HeadAudioMessage) => messages.push(message) };
      const processor = new Processor({ sampleRate: 16000, processorOptions: {} }, { port });
      processor.classifier.import({ reset: true, model: prototypes });
      const before = performance.now();
      for (let i = 0; i < sound.length; i += 128) processor.process(sound.subarray(i, i + 128));
      const took = (performance.now() - before) / 1000;
      const winners = new Uint8Array(Math.floor(sound.length / 160));
      for (const { event, viseme, t } of messages) {
        // each answer stands for its hop of 16 ms; t is the middle of its window
        if (event !== 'viseme' || viseme === null || viseme === undefined) continue;
        const value = headAudioVisemes[viseme] as number;
        winners.fill(value, Math.max(0, Math.round((t - 0.008) * 100)), Math.round((t + 0.008) * 100));
      }
      return {
        winners,
        closure: Float32Array.from(winners, (v) => (v === 1 ? 1 : 0)),
        lipTeeth: Float32Array.from(winners, (v) => (v === 2 ? 1 : 0)),
        jaw: smooth(
          Float32Array.from(winners, (v) => jawOf[v] as number),
          6,
        ),
        round: smooth(
          Float32Array.from(winners, (v) => roundOf[v] as number),
          10,
        ),
        took,
      };
    },
  };
}

/** As headaudio.mjs reads its model: 2 words of header, 12 means, the inverse covariance's lower triangle. */
function readHeadAudioModel(bytes: Buffer): unknown[] {
  const length = (2 + 12 + 78) * 4;
  const prototypes: unknown[] = [];
  for (let at = 0; at + length <= bytes.length; at += length) {
    const floats = new Float32Array(
      bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + length),
    );
    prototypes.push({
      group: bytes[at + 5],
      viseme: bytes[at + 7],
      mu: floats.subarray(2, 14),
      sigmaInvLower: floats.subarray(14, 92),
    });
  }
  return prototypes;
}

interface RhubarbResult {
  mouthCues: { start: number; end: number; value: string }[];
}

const rhubarbJaw: Readonly<Record<string, number>> = {
  A: 0,
  B: 0.15,
  C: 0.5,
  D: 0.85,
  E: 0.6,
  F: 0.35,
  G: 0.05,
  H: 0.3,
  X: 0,
};
const rhubarbRound: Readonly<Record<string, number>> = { E: 0.6, F: 0.95 };

/** Rhubarb tells the console all it does, and keeps the console that it was born with. */
async function silently<Result>(work: () => Promise<Result>): Promise<Result> {
  const { log, error, warn } = console;
  Object.assign(console, { log: () => {}, error: () => {}, warn: () => {} });
  try {
    return await work();
  } finally {
    Object.assign(console, { log, error, warn });
  }
}

/** rhubarb-lip-sync-wasm from npm: offline, so it hears the whole file first. */
export async function rhubarb(): Promise<System | undefined> {
  const folder = peerFolder('rhubarb-lip-sync-wasm');
  if (!folder) return undefined;
  const entry = createRequire(import.meta.url).resolve(join(folder, 'dist/index.js'));
  const { Rhubarb } = (await import(pathToFileURL(entry).href)) as {
    Rhubarb: { getLipSync(pcm: Buffer): Promise<RhubarbResult> };
  };
  const wasm = join(dirname(entry), 'wasm');
  return {
    name: 'Rhubarb',
    contacts: outright,
    size: ['rhubarb.wasm', 'rhubarb.data', 'rhubarb.js'].reduce(
      (n, f) => n + statSync(join(wasm, f)).size,
      0,
    ),
    make: async (sound) => {
      const pcm = Buffer.from(
        Int16Array.from(sound, (x) => Math.round(Math.max(-1, Math.min(1, x)) * 32767)).buffer,
      );
      const before = performance.now();
      const { mouthCues } = await silently(() => Rhubarb.getLipSync(pcm));
      const took = (performance.now() - before) / 1000;
      const count = Math.floor(sound.length / 160);
      const cues = new Array<string>(count).fill('X');
      for (const { start, end, value } of mouthCues) {
        cues.fill(value, Math.round(start * 100), Math.round(end * 100));
      }
      const column = (of: (cue: string) => number): Float32Array => Float32Array.from(cues, of);
      return {
        closure: column((cue) => (cue === 'A' ? 1 : 0)),
        lipTeeth: column((cue) => (cue === 'G' ? 1 : 0)),
        jaw: smooth(
          column((cue) => rhubarbJaw[cue] ?? 0),
          6,
        ),
        round: smooth(
          column((cue) => rhubarbRound[cue] ?? 0),
          10,
        ),
        took,
      };
    },
  };
}
