import { describe, expect, it } from 'vitest';
import { babble } from '../../../test/support/voice.ts';
import { MelStream, melBands } from '../src/mel.ts';

function melOf(sound: Float32Array, chunk: number): Float32Array[] {
  const stream = new MelStream();
  const frames: Float32Array[] = [];
  for (let i = 0; i < sound.length; i += chunk) frames.push(...stream.push(sound.subarray(i, i + chunk)));
  return [...frames, ...stream.end(0)];
}

describe('MelStream', () => {
  it('gives one frame of 40 bands every 10 ms', () => {
    const frames = melOf(new Float32Array(16000), 16000);
    expect(frames).toHaveLength(100);
    expect(frames.every((frame) => frame.length === melBands)).toBe(true);
    expect(frames[50]?.every((band) => Math.abs(band - Math.log(1e-7)) < 1e-5)).toBe(true);
  });

  it('does not depend on chunks', () => {
    const sound = babble();
    const whole = melOf(sound, sound.length);
    for (const chunk of [1, 7, 160, 1234]) expect(melOf(sound, chunk)).toEqual(whole);
  });

  it('puts a tone where it belongs: 1 kHz of amplitude 1 is 10⁴ in band 14', () => {
    const sound = Float32Array.from({ length: 8000 }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / 16000));
    const frame = melOf(sound, 8000)[25] as Float32Array;
    const top = frame.indexOf(Math.max(...frame));
    expect(top).toBe(13);
    expect(frame[top]).toBeGreaterThan(8.5);
    expect(frame[top]).toBeLessThan(10);
    expect(frame[30]).toBeLessThan(0);
  });
});
