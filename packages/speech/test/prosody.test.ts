import { describe, expect, it } from 'vitest';
import { LoudnessFollower } from '../src/prosody.ts';

/** A frame whose bands' power adds up to `level` dB. */
const frameOf = (level: number): Float32Array => new Float32Array(40).fill(Math.log(10 ** (level / 10) / 40));

/** Whether each frame is too soft for speech. */
function faintness(...parts: [level: number, frames: number][]): boolean[] {
  const follower = new LoudnessFollower();
  return parts.flatMap(([level, frames]) =>
    Array.from({ length: frames }, () => {
      follower.step(frameOf(level));
      return follower.faint;
    }),
  );
}

describe('LoudnessFollower', () => {
  it('takes the breath before the first word for a breath, and an f there for an f', () => {
    expect(faintness([-60, 10], [-2, 30]).slice(10)).not.toContain(false);
    expect(faintness([-60, 10], [8, 12]).slice(10)).not.toContain(true);
  });

  it('gives a soft voice back its consonants within a second, or at its first vowel', () => {
    expect(faintness([-2, 101]).at(-1)).toBe(false);
    expect(faintness([-60, 10], [14, 20], [-2, 10]).slice(30)).not.toContain(true);
  });

  it('follows the voice that it has heard', () => {
    expect(faintness([36, 50], [2, 10]).slice(50)).not.toContain(false);
    expect(faintness([36, 50], [8, 10]).slice(50)).not.toContain(true);
  });
});
