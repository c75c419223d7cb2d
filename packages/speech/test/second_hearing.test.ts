import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hearSound } from '../../../test/bench/hear_sound.ts';
import { babble } from '../../../test/support/voice.ts';
import { loadFullPassModel } from '../src/full_pass_model.ts';
import { FullPassStream } from '../src/full_pass_stream.ts';
import { joinedFloats } from '../src/joined_floats.ts';
import { MelStream } from '../src/mel.ts';
import { VoiceAnalyser } from '../src/take/voice_analyser.ts';

const file = new URL('../src/second_hearing.bin', import.meta.url);
const model = await loadFullPassModel();

/** What packages/speech/training/twin.py says of the sound below. */
const twin: { seconds: number; every: number; posteriors: number[][] } = JSON.parse(
  readFileSync(new URL('./second_hearing_twin.json', import.meta.url), 'utf8'),
);

/** Twin of `sound` in packages/speech/training/twin.py: buzzes of changing colour, with pauses. */
function buzzes(seconds: number): Float32Array {
  return Float32Array.from({ length: Math.floor(seconds * 16000) }, (_, i) => {
    let sum = 0;
    for (let k = 1; k < 25; k++) {
      sum += (Math.sin(i * k * 0.0471) * (0.5 + 0.5 * Math.sin(i * 0.0002 * k + k * k))) / k;
    }
    return Math.sin(i * 0.0009) > -0.4 ? sum * 0.1 : 0;
  });
}

/** Bytes that a stream holds after so much sound, and how many frames it said. */
function heldAfter(sound: Float32Array): { bytes: number; said: number } {
  const mels = new MelStream();
  const frames = [...mels.push(sound), ...mels.end(0)];
  const stream = new FullPassStream(model);
  let said = 0;
  for (let from = 0; from < frames.length; from += 100) {
    said += stream.push(frames.slice(from, from + 100)).posteriors.length / 15;
  }
  said += stream.end().posteriors.length / 15;
  return { bytes: stream.bytes, said };
}

describe('VoiceAnalyser', () => {
  it('says what the network says that was trained', async () => {
    const { frames, posteriors } = hearSound(model, buzzes(twin.seconds));
    expect(frames).toBe(twin.seconds * 100);
    expect(twin.posteriors.length).toBe(Math.ceil(frames / twin.every));
    let furthest = 0;
    twin.posteriors.forEach((row, n) => {
      row.forEach((value, v) => {
        furthest = Math.max(furthest, Math.abs(value - posteriors[n * twin.every * 15 + v]!));
      });
    });
    expect(furthest).toBeLessThan(2e-3);
    const loudest = twin.posteriors.map((row) => row.indexOf(Math.max(...row)));
    expect(new Set(loudest).size).toBeGreaterThan(3);
  });

  it('hears what comes after, further than live does, and not without end', async () => {
    const sound = babble();
    // silent from the middle of a vowel on
    const cut = 200;
    const changed = Float32Array.from(sound, (value, i) => (i < cut * 160 ? value : 0));
    const [one, other] = [hearSound(model, sound), hearSound(model, changed)];
    const difference = (frame: number): number =>
      Math.max(
        ...Array.from({ length: 15 }, (_, v) =>
          Math.abs(one.posteriors[frame * 15 + v]! - other.posteriors[frame * 15 + v]!),
        ),
      );
    expect(difference(cut - 12)).toBeGreaterThan(1e-4);
    expect(difference(cut - 110)).toBe(0);
  });

  it('answers every frame of sounds of any length, and each answer sums to 1', async () => {
    for (const samples of [0, 1, 159, 160, 161, 479, 16_000, 17_777]) {
      const heard = hearSound(model, buzzes(2).subarray(0, samples));
      expect(heard.frames).toBe(Math.ceil(samples / 160));
      expect(heard.posteriors.length).toBe(heard.frames * 15);
      for (let n = 0; n < heard.frames; n++) {
        const sum = heard.posteriors.subarray(n * 15, n * 15 + 15).reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(1, 4);
      }
    }
  });

  it('hears silence in silence', async () => {
    const { frames, posteriors } = hearSound(model, new Float32Array(48_000));
    for (let n = 0; n < frames; n++) expect(posteriors[n * 15]).toBeGreaterThan(0.8);
  });

  it('holds no more for longer sound', () => {
    const sound = babble();
    const seconds = sound.length / 16000;
    const short = heldAfter(joinedFloats(sound, sound, sound));
    const long = heldAfter(joinedFloats(...Array.from({ length: 9 }, () => sound)));
    expect([short.said, long.said]).toEqual([300 * seconds, 900 * seconds]);
    expect(long.bytes).toBe(short.bytes);
    expect(long.bytes).toBeLessThan(8e6);
  });

  it('hears the same however the sound is cut', () => {
    const sound = babble();
    const hearing = new VoiceAnalyser(model);
    for (let from = 0, n = 0; from < sound.length; n++) {
      const length = [1, 7000, 333, 16_001][n % 4]!;
      hearing.push(sound.subarray(from, from + length));
      from += length;
    }
    const [whole, cut] = [hearSound(model, sound), hearing.end()];
    expect(cut.frames).toBe(whole.frames);
    for (const key of ['posteriors', 'contacts'] as const) {
      expect(cut[key].length).toBe(whole[key].length);
      expect(Math.max(...cut[key].map((value, i) => Math.abs(value - whole[key][i]!)))).toBeLessThan(1e-5);
    }
  });

  it('is as sure of a contact as the surer of the whole network and of its causal layers', () => {
    const { frames, posteriors, contacts } = hearSound(model, joinedFloats(babble(), buzzes(3)));
    expect(contacts.length).toBe(2 * frames);
    const sums = { contacts: 0, whole: 0 };
    for (let n = 0; n < frames; n++) {
      for (const [k, viseme] of [1, 2].entries()) {
        sums.contacts += contacts[2 * n + k]!;
        sums.whole += posteriors[15 * n + viseme]!;
      }
    }
    // both are smoothed, by kernels whose sums are 1
    expect(sums.contacts).toBeGreaterThan(1.02 * sums.whole);
  });
});

describe('loadFullPassModel', () => {
  it('reads a file of at most 2 MB, and refuses the live network, nonsense and half a file', async () => {
    const bytes = readFileSync(file);
    expect(bytes.byteLength).toBeLessThanOrEqual(2e6);
    expect(await loadFullPassModel(bytes)).toEqual(model);
    const live = new URL('../src/weights.bin', import.meta.url);
    await expect(loadFullPassModel(live)).rejects.toThrow('LSH1');
    await expect(loadFullPassModel(new Uint8Array(3))).rejects.toThrow('LSH1');
    await expect(loadFullPassModel(bytes.subarray(0, 60_000))).rejects.toThrow();
  });
});
