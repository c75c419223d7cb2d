/** Sound with known mouths for the speech figures: flite's voices, aligned recordings, captured faces. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mixToMono, readWav } from '@likeness/proto/wav.ts';
import { joinedFloats } from '@likeness/speech/joined_floats.ts';
import { Resampler } from '../../proto/speech/resampler.ts';

/** Real speech; not in the repository. */
export const realSpeechFolder = join(import.meta.dirname, '../../../shared/speech');

/** In the order of proto/blendshapes.ts. */
export const visemes = 'sil PP FF TH DD kk CH SS nn RR aa E I O U'.split(' ');

/** Label of a frame whose viseme is not known. */
const unknownViseme = 255;

/** Sound at 16 kHz and what the mouth did every 10 ms. */
export interface LabelledSound {
  name: string;
  sound: Float32Array;
  labels: Uint8Array;
}

/** CMU phones to visemes, as packages/speech/training/visemes.py has them. */
const phoneVisemes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    sil: 'pau h# sil brth sp',
    PP: 'p b m em',
    FF: 'f v',
    TH: 'th dh',
    DD: 't d dx',
    kk: 'k g hh hv',
    CH: 'ch jh sh zh',
    SS: 's z',
    nn: 'n l ng en el nx',
    RR: 'r er axr',
    aa: 'aa ae ah',
    E: 'eh ax ey',
    I: 'ih iy y ix',
    O: 'ao ow',
    U: 'uw uh w',
  }).flatMap(([viseme, phones]) => phones.split(' ').map((phone) => [phone, viseme])),
);
const glides: Readonly<Record<string, [string, string]>> = {
  ay: ['aa', 'I'],
  aw: ['aa', 'U'],
  oy: ['O', 'I'],
};
/** Share of a glide's length that is its first vowel. */
const glideSplit = 0.6;

interface Segment {
  start: number;
  end: number;
  phone: string;
}

function labelFrames(segments: readonly Segment[], seconds: number): Uint8Array {
  const labels = new Uint8Array(Math.ceil(seconds * 100));
  const fill = (from: number, to: number, viseme: string | undefined): void => {
    labels.fill(
      viseme === undefined ? unknownViseme : visemes.indexOf(viseme),
      Math.max(0, Math.round(from * 100)),
      Math.round(to * 100),
    );
  };
  for (const { start, end, phone } of segments) {
    const plain = phone.toLowerCase().replace(/[012]$/, '');
    const glide = glides[plain];
    if (glide) {
      const turn = start + glideSplit * (end - start);
      fill(start, turn, glide[0]);
      fill(turn, end, glide[1]);
    } else {
      fill(start, end, plain === '' ? 'sil' : plain === 'ah' && /0$/.test(phone) ? 'E' : phoneVisemes[plain]);
    }
  }
  return labels;
}

/** Reads a WAV as 16 kHz mono. */
export function readSound(path: string): Float32Array {
  const { sampleRate, samples } = mixToMono(readWav(readFileSync(path)));
  const resampler = new Resampler(sampleRate);
  return joinedFloats(resampler.push(samples), resampler.end());
}

/** Whether flite is there to speak. */
export function hasFlite(): boolean {
  try {
    execFileSync('flite', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * Lines spoken by one of flite's voices, one after another, with its own phone times (rescaled, see
 * speech.md).
 */
export function fliteVoice(voice: string, lines: readonly string[]): LabelledSound {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-speech-'));
  try {
    const sounds: Float32Array[] = [];
    const labels: Uint8Array[] = [];
    for (const line of lines) {
      const path = join(folder, 'line.wav');
      const printed = execFileSync('flite', ['-voice', voice, '-psdur', '-o', path, '-t', line], {
        encoding: 'utf8',
      });
      let sound = readSound(path);
      sound = sound.subarray(0, sound.length - (sound.length % 160));
      const segments: Segment[] = [];
      for (const item of printed.trim().split(/\s+/)) {
        const [phone, end] = item.split(':') as [string, string];
        segments.push({ start: segments.at(-1)?.end ?? 0, end: Number(end), phone });
      }
      const seconds = sound.length / 16000;
      // -psdur's ends overrun the sound a little; kal16's are a constant too long at the end
      const scale = voice === 'kal16' ? 1 : seconds / (segments.at(-1)?.end ?? seconds);
      for (const segment of segments) {
        segment.start *= scale;
        segment.end *= scale;
      }
      sounds.push(sound);
      labels.push(labelFrames(segments, seconds).subarray(0, sound.length / 160));
    }
    return {
      name: voice,
      sound: joinedFloats(...sounds),
      labels: Uint8Array.from(labels.flatMap((l) => [...l])),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A recording with an aligned TextGrid beside it (its `phones` tier); undefined where it is not there. */
export function alignedRecording(name: string): LabelledSound | undefined {
  const path = join(realSpeechFolder, `${name}.wav`);
  const grid = join(realSpeechFolder, `${name}.TextGrid`);
  if (!existsSync(path) || !existsSync(grid)) return undefined;
  const sound = readSound(path);
  const lines = readFileSync(grid, 'utf8').split(/\r?\n/);
  const tier = lines.indexOf('"phones"');
  const count = Number(lines[tier + 3]);
  const segments: Segment[] = [];
  for (let k = 0; k < count; k++) {
    const [start, end, phone] = lines.slice(tier + 4 + 3 * k, tier + 7 + 3 * k) as [string, string, string];
    segments.push({ start: Number(start), end: Number(end), phone: phone.replaceAll('"', '') });
  }
  return { name, sound, labels: labelFrames(segments, sound.length / 16000) };
}

/** A face captured with its sound: jaw opening and rounding, 30 a second. */
export interface CapturedFace {
  name: string;
  sound: Float32Array;
  /** seconds, jaw, round */
  rows: { time: number; jaw: number; round: number }[];
}

export function capturedFaces(): CapturedFace[] {
  return ['captured_1114_2_01', 'captured_1114_2_02', 'captured_1114_2_03'].flatMap((name) => {
    const path = join(realSpeechFolder, `${name}.wav`);
    if (!existsSync(path)) return [];
    const rows = readFileSync(join(realSpeechFolder, `${name}.csv`), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => {
        const [time, jaw, round] = line.split(',').map(Number) as [number, number, number];
        return { time, jaw, round };
      });
    return [{ name, sound: readSound(path), rows }];
  });
}

/** A generator of white noise, −1..1, the same every time. */
function whiteNoise(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2147483648 - 1;
  };
}

/** Pink noise by Paul Kellet's filter: within 0.05 dB above 9 Hz at 44.1 kHz. */
function pinkNoise(length: number): Float64Array {
  const random = whiteNoise();
  const b = new Float64Array(7);
  return Float64Array.from({ length }, () => {
    const white = random();
    b[0] = 0.99886 * (b[0] as number) + white * 0.0555179;
    b[1] = 0.99332 * (b[1] as number) + white * 0.0750759;
    b[2] = 0.969 * (b[2] as number) + white * 0.153852;
    b[3] = 0.8665 * (b[3] as number) + white * 0.3104856;
    b[4] = 0.55 * (b[4] as number) + white * 0.5329522;
    b[5] = -0.7616 * (b[5] as number) - white * 0.016898;
    const pink = b.subarray(0, 7).reduce((sum, value) => sum + value, 0) + white * 0.5362;
    b[6] = white * 0.115926;
    return pink;
  });
}

/** A fan: low-pass noise that swells 11 times a second, and the motor's tone of 120 Hz. */
function fanNoise(length: number): Float64Array {
  const random = whiteNoise();
  let air = 0;
  return Float64Array.from({ length }, (_, i) => {
    air = 0.97 * air + 0.3 * random();
    const turn = 1 + 0.3 * Math.sin((2 * Math.PI * 11 * i) / 16000);
    return air * turn + 0.3 * Math.sin((2 * Math.PI * 120 * i) / 16000);
  });
}

/** The sound with noise `snr` dB below its own speech power. */
function withNoise({ name, sound, labels }: LabelledSound, noise: Float64Array, snr: number): LabelledSound {
  let speech = 0;
  let speechCount = 0;
  for (let i = 0; i < sound.length; i++) {
    if (labels[Math.floor(i / 160)] === 0) continue;
    speech += (sound[i] as number) ** 2;
    speechCount++;
  }
  const noisePower = noise.reduce((sum, value) => sum + value * value, 0) / noise.length;
  const gain = Math.sqrt(speech / speechCount / noisePower / 10 ** (snr / 10));
  return {
    name: `${name} + noise`,
    labels,
    sound: sound.map((value, i) => value + gain * (noise[i] as number)),
  };
}

export const withPinkNoise = (labelled: LabelledSound, snr = 10): LabelledSound =>
  withNoise(labelled, pinkNoise(labelled.sound.length), snr);
export const withFanNoise = (labelled: LabelledSound, snr = 10): LabelledSound =>
  withNoise(labelled, fanNoise(labelled.sound.length), snr);

/** One Mandarin syllable of a voice that no training heard, and what its mouth must show. */
export interface MandarinSyllable {
  sound: Float32Array;
  /** In bopomofo, without its tone. */
  letters: string;
  /** Viseme of the vowel, where the rhyme has one alone. */
  vowel: string | undefined;
  /** Letters of the initial, where they matter to the lips or come to be taken for one that does. */
  initial: 'm' | 'f' | 'b p' | 'd t g k' | 'other';
}

const plainRhymes: Readonly<Record<string, string>> = {
  ㄚ: 'aa',
  ㄛ: 'O',
  ㄜ: 'E',
  ㄝ: 'E',
  ㄧ: 'I',
  ㄨ: 'U',
  ㄩ: 'U',
  ㄟ: 'E',
  ㄡ: 'O',
  ㄧㄚ: 'aa',
  ㄨㄚ: 'aa',
  ㄢ: 'aa',
  ㄤ: 'aa',
};

const initials: Readonly<Record<string, MandarinSyllable['initial']>> = {
  ㄇ: 'm',
  ㄈ: 'f',
  ㄅ: 'b p',
  ㄆ: 'b p',
  ㄉ: 'd t g k',
  ㄊ: 'd t g k',
  ㄍ: 'd t g k',
  ㄎ: 'd t g k',
};

/** Frame of a syllable's sound at which it sets in; before lies a quiet room. */
export const syllableOnset = 30;

/** gcin-voice's recordings of its first speaker (…/3.ogg), where the package and ffmpeg are installed. */
export function mandarinSyllables(): MandarinSyllable[] {
  const folder = '/usr/share/gcin-voice/ogg';
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const path = join(folder, name, '3.ogg');
      const letters = name.replace(/\d+$/, '');
      const onset = /^[ㄅ-ㄙ]/.test(letters) ? letters.slice(0, 1) : '';
      const rhyme = letters.slice(onset.length);
      if (!existsSync(path) || rhyme === '') return [];
      const raw = execFileSync(
        'ffmpeg',
        ['-loglevel', 'error', '-i', path, '-ac', '1', '-ar', '16000', '-f', 'f32le', '-'],
        {
          maxBuffer: 1 << 26,
        },
      );
      const spoken = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
      // the clips begin and end in the middle of sound: a quiet room (−79 dBFS) goes around them, not digital
      // silence
      const sound = new Float32Array(spoken.length + 8000);
      for (let i = 0; i < sound.length; i++) sound[i] = 2e-4 * Math.sin(i * i * 0.37);
      for (let i = 0; i < spoken.length; i++)
        sound[4800 + i] = (sound[4800 + i] as number) + (spoken[i] as number);
      return [
        {
          sound,
          letters,
          vowel: plainRhymes[rhyme],
          initial: initials[onset] ?? 'other',
        },
      ];
    });
}
