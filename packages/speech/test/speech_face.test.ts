import { describe, expect, it } from 'vitest';
import { babble, hiss, silence, vowel, vowels } from '../../../test/support/voice.ts';
import {
  type FaceFrame,
  loadSpeechModel,
  SpeechFace,
  type SpeechFaceOptions,
  speechFaceChannels,
} from '../src/index.ts';
import { joinedFloats } from '../src/joined_floats.ts';

const model = loadSpeechModel();

function faceOf(
  sound: Float32Array,
  options: Partial<SpeechFaceOptions> = {},
  chunk = sound.length,
): FaceFrame[] {
  const face = new SpeechFace(model, { sampleRate: 16000, channels: 1, ...options });
  const frames: FaceFrame[] = [];
  for (let i = 0; i < sound.length; i += chunk) frames.push(...face.push(sound.subarray(i, i + chunk)));
  return [...frames, ...face.end()];
}

const channel = (frames: readonly FaceFrame[], name: string): number[] =>
  frames.map(({ weights }) => weights[speechFaceChannels.indexOf(name)] as number);

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Greatest difference of any weight between two takes. */
function apart(a: readonly FaceFrame[], b: readonly FaceFrame[]): number {
  expect(a.length).toBe(b.length);
  let worst = 0;
  a.forEach((frame, k) => {
    frame.weights.forEach((weight, i) => {
      worst = Math.max(worst, Math.abs(weight - (b[k]?.weights[i] as number)));
    });
  });
  return worst;
}

describe('SpeechFace', () => {
  const sound = babble();
  const whole = faceOf(sound);

  it.each([1, 13, 160, 320, 441, 4096])('gives bit-identical frames from chunks of %i', (chunk) => {
    expect(faceOf(sound, {}, chunk)).toEqual(whole);
  });

  it('gives the same take for the same sound, another life for another seed', () => {
    expect(faceOf(sound)).toEqual(whole);
    const other = faceOf(sound, { seed: 2 });
    expect(channel(other, 'jawOpen')).toEqual(channel(whole, 'jawOpen'));
    expect(channel(other, 'eyeBlinkLeft')).not.toEqual(channel(whole, 'eyeBlinkLeft'));
  });

  it.each([44100, 48000, 96000])('gives at %i Hz the face of 16 kHz', (rate) => {
    // one sound, made at 96 kHz and without anything above 7 kHz, thinned to each rate by the same filter's
    // twin
    const low = (r: number): Float32Array =>
      Float32Array.from({ length: 3 * r }, (_, i) => {
        const t = i / r;
        const open = Math.max(0, Math.sin(2 * Math.PI * 2 * t));
        let x = 0;
        for (let h = 1; h <= 24; h++) {
          const f = h * 130;
          x +=
            (Math.exp(-(((f - 700) / 300) ** 2)) + 0.5 * Math.exp(-(((f - 1200) / 300) ** 2)) + 0.02) *
            Math.sin(2 * Math.PI * f * t + h);
        }
        return 0.08 * open * x;
      });
    const reference = faceOf(low(16000));
    const frames = faceOf(low(rate), { sampleRate: rate }, 1000);
    expect(frames.length).toBe(180);
    expect(apart(frames, reference)).toBeLessThan(0.02);
  });

  it('hears both channels', () => {
    const stereo = Float32Array.from({ length: sound.length * 2 }, (_, i) => sound[i >> 1] as number);
    expect(faceOf(stereo, { channels: 2 }, 777)).toEqual(whole);
  });

  it.each<[string, number[]]>([
    ['the second channel is the first one inverted', [1, -1]],
    ['the voice is on one of eight channels', [0, 0, 0, 1, 0, 0, 0, 0]],
    ['one of two channels is silent', [0, 2]],
  ])('gives the face of one channel where %s, however it is cut', (_, gains) => {
    const channels = gains.length;
    const interleaved = Float32Array.from(
      { length: sound.length * channels },
      (__, i) => (sound[Math.floor(i / channels)] as number) * (gains[i % channels] as number),
    );
    const frames = faceOf(interleaved, { channels });
    expect(frames).toEqual(whole);
    expect(faceOf(interleaved, { channels }, 1023)).toEqual(frames);
  });

  it.each([
    [60, 0.04],
    [60, 0],
    [60, 0.02],
    [60, 0.06],
    [30, 0.04],
  ] as const)('covers the sound at %i a second with a lookahead of %f s', (frameRate, lookahead) => {
    const frames = faceOf(sound, { frameRate, lookahead });
    expect(frames.length).toBe(Math.ceil((sound.length / 16000) * frameRate));
    frames.forEach(({ timeCode, weights, headPose, eyeGaze }, k) => {
      expect(timeCode).toBeCloseTo(k / frameRate, 9);
      expect(weights.length).toBe(67);
      expect(weights.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
      expect(Math.hypot(...headPose.rotation)).toBeCloseTo(1, 6);
      expect([...headPose.translation, ...Object.values(eyeGaze)].every(Number.isFinite)).toBe(true);
    });
  });

  it.each([
    [0, 13],
    [0.02, 33],
    [0.04, 53],
    [0.06, 73],
  ] as const)('with a lookahead of %f s waits no longer than %i ms and a frame', (lookahead, wait) => {
    const face = new SpeechFace(model, { sampleRate: 16000, channels: 1, lookahead });
    let count = 0;
    for (let i = 0; i < 16000; i += 160) count += face.push(sound.subarray(i, i + 160)).length;
    expect(count / 60).toBeGreaterThanOrEqual(1 - wait / 1000 - 1 / 60 - 0.01);
  });

  // not u: a buzz at its formants, without a word around it, is an m as well
  it.each([
    ['a', vowel(vowels.aa, 0.5)],
    ['i', vowel(vowels.I, 0.5)],
    ['s', hiss(0.5)],
  ])('does not press the lips for %s out of digital silence or at a file’s first sample', (_, part) => {
    for (const lead of [0.5, 0]) {
      const press = channel(faceOf(joinedFloats(silence(lead), part)), 'mouthPressLeft');
      expect(Math.max(...press.slice(Math.max(0, lead * 60 - 6), lead * 60 + 12))).toBeLessThan(0.1);
    }
  });

  it('opens for a, less for u, and shuts in silence', () => {
    const jaw = (part: Float32Array): number =>
      mean(channel(faceOf(joinedFloats(silence(0.5), part, silence(0.5))).slice(40, 55), 'jawOpen'));
    const [a, u, nothing] = [jaw(vowel(vowels.aa, 0.6)), jaw(vowel(vowels.U, 0.6)), jaw(silence(0.6))];
    expect(a).toBeGreaterThan(0.2);
    expect(u).toBeLessThan(a);
    expect(nothing).toBeLessThan(0.01);
  });

  it('hears hiss as a fricative, with the mouth nearly shut', () => {
    const frames = faceOf(
      joinedFloats(silence(0.4), vowel(vowels.aa, 0.3), hiss(0.3), vowel(vowels.aa, 0.3)),
    );
    const middle = frames.slice(47, 57);
    const fricative = ['FF', 'TH', 'CH', 'SS'].map((name) => mean(channel(middle, `viseme_${name}`)));
    expect(fricative.reduce((sum, x) => sum + x, 0)).toBeGreaterThan(0.5);
    expect(mean(channel(middle, 'jawOpen'))).toBeLessThan(0.2);
  });

  it('is alive in silence: blinks, looks, breathes, and does not speak', () => {
    const frames = faceOf(silence(30), { sampleRate: 16000 }, 3200);
    const lid = channel(frames, 'eyeBlinkLeft');
    const blinks = lid.filter((x, k) => x > 0.8 && (lid[k - 1] ?? 0) <= 0.8).length;
    expect(blinks).toBeGreaterThanOrEqual(4);
    expect(blinks).toBeLessThanOrEqual(20);
    const gaze = frames.map(({ eyeGaze }) => eyeGaze.leftYaw);
    expect(Math.max(...gaze) - Math.min(...gaze)).toBeGreaterThan(0.05);
    const height = frames.map(({ headPose }) => headPose.translation[1]);
    expect(Math.max(...height) - Math.min(...height)).toBeGreaterThan(0.001);
    expect(Math.max(...channel(frames, 'jawOpen'))).toBeLessThan(0.02);
    expect(Math.min(...channel(frames, 'viseme_sil').slice(30))).toBeGreaterThan(0.5);
  });

  it('moves the head with a voice, more than without', () => {
    const turn = (frames: readonly FaceFrame[]): number =>
      mean(
        frames
          .slice(1)
          .map(({ headPose }, k) =>
            Math.hypot(...headPose.rotation.map((x, i) => x - (frames[k]?.headPose.rotation[i] as number))),
          ),
      );
    expect(turn(faceOf(joinedFloats(sound, sound, sound)))).toBeGreaterThan(turn(faceOf(silence(12))));
  });

  it('turns regions off by style', () => {
    const frames = faceOf(sound, { style: { jaw: 0, blinks: 0, head: 0, gaze: 0, brows: 0 } });
    expect(Math.max(...channel(frames, 'jawOpen'))).toBeLessThan(0.06);
    expect(Math.max(...channel(frames, 'eyeBlinkLeft'))).toBeLessThan(0.1);
    expect(Math.max(...channel(frames, 'browInnerUp'))).toBe(0);
    expect(frames.every(({ headPose }) => headPose.rotation[3] === 1)).toBe(true);
  });

  it('makes nothing of nothing, and takes no more after the end', () => {
    const face = new SpeechFace(model, { sampleRate: 48000, channels: 2 });
    expect(face.push(new Float32Array(0))).toEqual([]);
    expect(face.end()).toEqual([]);
    expect(() => face.push(new Float32Array(2))).toThrow('ended');
    expect(() => face.end()).toThrow('ended');
  });

  it('refuses rates and channels it cannot take', () => {
    expect(() => new SpeechFace(model, { sampleRate: 7999, channels: 1 })).toThrow(RangeError);
    expect(() => new SpeechFace(model, { sampleRate: 192_000, channels: 1 })).toThrow(RangeError);
    expect(() => new SpeechFace(model, { sampleRate: 16_000, channels: 0 })).toThrow(RangeError);
  });

  it('survives noise, clipping and what is not a number', () => {
    const wild = Float32Array.from({ length: 16000 }, (_, i) => (i % 97 === 0 ? Number.NaN : (i % 7) * 1e6));
    for (const { weights } of faceOf(wild)) {
      expect(weights.every((x) => x >= 0 && x <= 1)).toBe(true);
    }
  });
});

describe('noise suppression', () => {
  const voice = babble(1.5);

  it('gives as many frames at the same times, and another face', () => {
    const plain = faceOf(voice);
    const quiet = faceOf(voice, { suppressNoise: true });
    expect(quiet.map(({ timeCode }) => timeCode)).toEqual(plain.map(({ timeCode }) => timeCode));
    expect(apart(plain, quiet)).toBeGreaterThan(0);
  });

  it('does not depend on how the sound was cut', () => {
    const whole = faceOf(voice, { suppressNoise: true });
    expect(apart(whole, faceOf(voice, { suppressNoise: true }, 331))).toBe(0);
  });

  it('changes nothing where it is off', () => {
    expect(apart(faceOf(voice), faceOf(voice, { suppressNoise: false }))).toBe(0);
  });
});
