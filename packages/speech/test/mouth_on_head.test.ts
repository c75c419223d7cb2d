import { describe, expect, it } from 'vitest';
import { type Lips, lipsOf } from '../../../test/bench/lips.ts';
import { loadSpeechModel } from '../src/index.ts';
import { Mouth } from '../src/mouth.ts';

const model = loadSpeechModel();
const order = 'sil PP FF TH DD kk CH SS nn RR aa E I O U'.split(' ');

/** The default head's lips, frame by frame, through visemes that each last some frames of 10 ms. */
function lipsThrough(...steps: [viseme: string, frames: number][]): Lips[] {
  const mouth = new Mouth(model, { jaw: 1, mouth: 1 });
  return steps.flatMap(([viseme, frames]) =>
    Array.from({ length: frames }, () => {
      const posterior = new Float32Array(15);
      posterior[order.indexOf(viseme)] = 1;
      const weights = new Float32Array(52);
      mouth.step(posterior, 0.9, weights, new Float32Array(15));
      return lipsOf(weights);
    }),
  );
}

/** Lips in the middle of a long viseme. */
const held = (viseme: string): Lips => lipsThrough([viseme, 30])[29] as Lips;

describe('the mouth on the default head', () => {
  const rest = held('sil');

  it('rests shut', () => expect(Math.abs(rest.gap)).toBeLessThan(0.1));

  it('brings the lips together along their whole length for p, b, m, out of the widest vowel', () => {
    const frames = lipsThrough(['aa', 30], ['PP', 7], ['aa', 30]);
    expect(frames[29]?.gap).toBeGreaterThan(10);
    for (const lips of frames.slice(34, 37)) expect(lips.gap).toBeLessThan(0.3);
    expect(frames[66]?.gap).toBeGreaterThan(10);
  });

  it('curls the lower lip in under the upper teeth for f and v, which shows less of its red', () => {
    const f = held('FF');
    expect(f.lowerBehind).toBeGreaterThan(4);
    // 4 of the 10 mm that fuller lips show at rest
    expect(f.lowerRed).toBeLessThan((2 / 3) * rest.lowerRed);
    // the teeth are seen over it: their edges hang 1.9 mm below the resting lips' line
    expect(f.gap).toBeGreaterThan(1.5);
    expect(f.gap).toBeLessThan(4);
  });

  it.each([
    ['O', 0.65],
    ['U', 0.6],
  ])('makes the lips of %s narrow and leaves no smile in them', (viseme, share) => {
    const round = held(viseme);
    expect(round.width).toBeLessThan(share * rest.width);
    expect(round.minGap).toBeGreaterThan(0);
    expect(Math.abs(round.cornersAbove)).toBeLessThan(1.5);
  });

  it('opens by vowel: a, then e, then i; u least of all', () => {
    const gaps = ['aa', 'E', 'I', 'U'].map((viseme) => held(viseme).gap);
    expect(gaps).toEqual(gaps.toSorted((a, b) => b - a));
    expect(held('I').width).toBeGreaterThan(rest.width);
  });
});
