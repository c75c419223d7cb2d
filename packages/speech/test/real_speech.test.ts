import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  alignedRecording,
  capturedFaces,
  readSound,
  realSpeechFolder,
} from '../../../test/bench/speech_audio.ts';
import { accuracy, correlation } from '../../../test/bench/speech_figures.ts';
import { ourEngine } from '../../../test/bench/speech_systems.ts';
import { loadSpeechModel, SpeechFace, speechFaceChannels } from '../src/index.ts';

const there = existsSync(realSpeechFolder);
if (!there) console.log(`Real speech is left out: ${realSpeechFolder} is not there`);

const model = loadSpeechModel();
const ours = ourEngine(model);

/** Guards against a worse model slipping in; the figures themselves are in docs/quality.md. */
describe.skipIf(!there)('real speech', () => {
  it.each(['acoustic_corpus', 'cold_corpus'])('hears visemes in %s far above chance', async (name) => {
    const recording = alignedRecording(name);
    if (!recording) throw new Error(`${name} is not there`);
    const { winners } = await ours.make(recording.sound);
    expect(accuracy(winners ?? [], recording.labels, () => true)).toBeGreaterThan(0.45);
  });

  it('opens the jaw when a captured talker does', async () => {
    for (const { sound, rows } of capturedFaces().slice(0, 1)) {
      const { jaw } = await ours.make(sound);
      const { r } = correlation(
        jaw,
        rows.map(({ time, jaw: value }) => ({ time, value })),
        () => true,
      );
      expect(r).toBeGreaterThan(0.7);
    }
  });

  it.each([
    ['jfk.wav', 0.78],
    ['jfk.wav', 4.1],
    ['Claire_neutral.wav', 1.37],
    ['Mark_joy.wav', 1.26],
  ])('does not press the lips where a gate opens in a vowel of %s, %f s', (name, second) => {
    const spoken = readSound(join(realSpeechFolder, name)).subarray(second * 16000, (second + 0.5) * 16000);
    for (const lead of [0.5, 0]) {
      const sound = new Float32Array(lead * 16000 + spoken.length);
      sound.set(spoken, lead * 16000);
      const face = new SpeechFace(model, { sampleRate: 16000, channels: 1 });
      const press = [...face.push(sound), ...face.end()]
        .slice(Math.max(0, lead * 60 - 6), lead * 60 + 7)
        .map(({ weights }) => weights[speechFaceChannels.indexOf('mouthPressLeft')] as number);
      expect(Math.max(...press)).toBeLessThan(0.1);
    }
  });

  it.each(['jfk.wav', 'Claire_neutral.wav', 'Mark_joy.wav', 'Claire_joy_mandarin.wav'])(
    'closes the lips and opens the mouth in %s',
    (name) => {
      const sound = readSound(join(realSpeechFolder, name));
      const face = new SpeechFace(model, { sampleRate: 16000, channels: 1 });
      const frames = [...face.push(sound), ...face.end()];
      const jaw = frames.map(({ weights }) => weights[speechFaceChannels.indexOf('jawOpen')] as number);
      const press = frames.map(
        ({ weights }) => weights[speechFaceChannels.indexOf('mouthPressLeft')] as number,
      );
      expect(Math.max(...jaw)).toBeGreaterThan(0.25);
      const closures = press.filter((x, k) => x > 0.2 && (press[k - 1] ?? 0) <= 0.2).length;
      expect(closures / (sound.length / 16000)).toBeGreaterThan(0.15);
      for (const jawOpen of jaw.filter((_, k) => press[k]! > 0.28)) expect(jawOpen).toBeLessThan(0.12);
    },
  );
});
