/**
 * `npm run quality -- takes [--write]`: compares faces made from the whole audio of takes with captured
 * faces. Also measures lip contacts on the default head, at every frame rate and with every setting.
 *
 * The captured faces and spoken sentences with their words are in ../shared/speech and were used neither for
 * training nor for tuning. flite's slt and rms are added if installed. Times are processor times, not wall
 * times.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { loadFullPassModel, loadSpeechModel } from '@likeness/speech';
import { alignWords } from '@likeness/speech/align/index.ts';
import { TakeFaceMaker } from '@likeness/speech/take/take_face.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';
import { readScript } from '@likeness/speech/words/index.ts';
import { hearSound } from '../../test/bench/hear_sound.ts';
import { lipsOf } from '../../test/bench/lips.ts';
import {
  capturedFaces,
  fliteVoice,
  hasFlite,
  readSound,
  realSpeechFolder,
} from '../../test/bench/speech_audio.ts';
import { correlation } from '../../test/bench/speech_figures.ts';
import { testLines } from '../../test/bench/speech_lines.ts';
import { ourEngine, speechFrames } from '../../test/bench/speech_systems.ts';
import { recordFigure } from './quality_figures.ts';

const second = await loadFullPassModel();
const live = ourEngine(loadSpeechModel());

const at = (weights: Float32Array, name: keyof typeof arkitBlendshapeIndex): number =>
  weights[arkitBlendshapeIndex[name]] as number;

/** Jaw and rounding of a take's face every 10 ms. */
async function madeOf(sound: Float32Array): Promise<{ jaw: Float32Array; round: Float32Array }> {
  const maker = new TakeFaceMaker(hearSound(second, sound), second);
  const frames = [...maker.frames(null, { frameRate: 100 })].flat();
  return {
    jaw: Float32Array.from(frames, ({ weights }) => at(weights, 'jawOpen')),
    round: Float32Array.from(
      frames,
      ({ weights }) => at(weights, 'mouthFunnel') + at(weights, 'mouthPucker'),
    ),
  };
}

async function followCaptured(): Promise<void> {
  const captured = capturedFaces();
  if (captured.length === 0) return console.log('no ../shared/speech: captured faces left out');
  const makers = { live: (sound: Float32Array) => live.make(sound), take: madeOf };
  console.log('captured faces, r: whole / speech frames');
  for (const [name, make] of Object.entries(makers)) {
    const sums = { jaw: [0, 0], round: [0, 0] };
    for (const { sound, rows } of captured) {
      const made = await make(sound);
      const talking = speechFrames(sound);
      for (const channel of ['jaw', 'round'] as const) {
        const values = rows.map((row) => ({ time: row.time, value: row[channel] }));
        const isSpeech = (k: number): boolean => talking[Math.round(values[k]!.time * 100)] === 1;
        [() => true, isSpeech].forEach((counts, k) => {
          sums[channel][k]! += correlation(made[channel], values, counts).r / captured.length;
        });
      }
    }
    const cell = (pair: number[]): string => pair.map((r) => r.toFixed(3)).join(' / ');
    console.log(`${name}: jaw ${cell(sums.jaw)}, rounding ${cell(sums.round)}`);
    if (name === 'live') continue;
    recordFigure({ id: 'take-jaw', value: sums.jaw[0]! });
    recordFigure({ id: 'take-rounding', value: sums.round[0]! });
  }
}

interface Take {
  name: string;
  maker: TakeFaceMaker;
  alignment: SpeechAlignment;
}

/** Audio with known words, analysed and aligned. */
async function* takesWithWords(): AsyncGenerator<Take> {
  const spoken: { name: string; sound: () => Float32Array; words: string }[] = hasFlite()
    ? ['slt', 'rms'].map((voice) => ({
        name: voice,
        sound: () => fliteVoice(voice, testLines).sound,
        words: testLines.join('\n'),
      }))
    : [];
  const folder = existsSync(realSpeechFolder) ? realSpeechFolder : null;
  for (const file of folder ? readdirSync(folder) : []) {
    const words = join(realSpeechFolder, file.replace(/wav$/, 'txt'));
    if (!file.endsWith('.wav') || !existsSync(words)) continue;
    const sound = (): Float32Array => readSound(join(realSpeechFolder, file));
    spoken.push({ name: file, sound, words: readFileSync(words, 'utf8') });
  }
  for (const { name, sound, words } of spoken) {
    const voice = hearSound(second, sound());
    const script = await readScript(words, { language: 'auto' });
    const alignment = { ...(await alignWords(voice, script.words)), unknown: [...script.unknown] };
    yield { name, maker: new TakeFaceMaker(voice, second), alignment };
  }
}

/** Minimum visible lip gap, millimetres. */
const shutWithin = 0.25;
const pp = arkitBlendshapeNames.length + 1;

async function shutLips(): Promise<void> {
  const counts = { all: 0, shut: 0, full: 0, teeth: 0, teethFull: 0, widest: -1 };
  for await (const { name, maker, alignment } of takesWithWords()) {
    for (const words of [null, alignment]) {
      const { lips, teeth } = maker.contacts(words);
      console.log(
        `${name}, ${words ? `words (${words.verdict})` : 'sound alone'}: ${lips.length} closures, ${teeth.length} lip to teeth`,
      );
      for (const frameRate of [24, 30, 60]) {
        for (const dial of [0.2, 1, 2]) {
          const frames = [...maker.frames(words, { frameRate, jaw: dial, lips: dial })].flat();
          const middle = ({ start, end }: { start: number; end: number }) =>
            frames[Math.round(((start + end) / 2) * frameRate)];
          for (const frame of lips.map(middle)) {
            if (!frame) continue;
            const { gap } = lipsOf(frame.weights);
            counts.all++;
            if (gap <= shutWithin) counts.shut++;
            if ((frame.weights[pp] as number) >= 0.98) counts.full++;
            counts.widest = Math.max(counts.widest, gap);
          }
          for (const frame of teeth.map(middle)) {
            if (!frame) continue;
            counts.teeth++;
            if (at(frame.weights, 'mouthRollLower') >= 0.98) counts.teethFull++;
          }
        }
      }
    }
  }
  if (counts.all === 0) return console.log('neither flite nor ../shared/speech: closures left out');
  const share = (part: number, of: number): string => (part / Math.max(1, of)).toFixed(3);
  console.log(
    `closures at 24, 30, 60 fps with dials of .2, 1, 2: shut to ${shutWithin} mm ${share(counts.shut, counts.all)} (widest ${counts.widest.toFixed(2)} mm), peaks kept ${share(counts.full, counts.all)}; lip to teeth ${share(counts.teethFull, counts.teeth)}`,
  );
  recordFigure({ id: 'take-lips-shut', value: counts.shut / counts.all });
  recordFigure({
    id: 'take-peaks',
    value: [counts.full / counts.all, counts.teethFull / Math.max(1, counts.teeth)],
  });
}

/** Processor time for a face of ten minutes, and for two seconds of it. */
async function cost(): Promise<void> {
  const [captured] = capturedFaces();
  if (!captured) return;
  const part = hearSound(second, captured.sound);
  const times = Math.ceil(600 / part.seconds);
  const repeat = (values: Float32Array): Float32Array =>
    Float32Array.from({ length: values.length * times }, (_, i) => values[i % values.length] as number);
  const voice: TakeVoice = {
    frames: part.frames * times,
    seconds: part.seconds * times,
    posteriors: repeat(part.posteriors),
    contacts: repeat(part.contacts),
    loudness: repeat(part.loudness),
    pitch: repeat(part.pitch),
    faint: new Uint8Array(part.frames * times),
  };
  const millisecondsOf = (work: () => void): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let maker = new TakeFaceMaker(voice, second);
  const whole = millisecondsOf(() => {
    maker = new TakeFaceMaker(voice, second);
    for (const _ of maker.frames(null, { frameRate: 60 }));
  });
  const stretch = millisecondsOf(() => {
    for (const _ of maker.frames(null, { frameRate: 60, from: 400, to: 402 }));
  });
  console.log(
    `face of ${(voice.seconds / 60).toFixed(1)} minutes ${(whole / 1000).toFixed(2)} s, of 2 s in it ${stretch.toFixed(1)} ms`,
  );
  recordFigure({ id: 'take-face-time', value: whole / 1000 });
}

await followCaptured();
await shutLips();
await cost();
