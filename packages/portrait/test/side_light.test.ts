import { describe, expect, it } from 'vitest';
import { sideLight } from '../src/appearance/side_light.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { off, type Place, vertexAt } from './face_places.ts';

const { count } = fineFace;
const skin = [190, 150, 130] as const;
const weight = new Float32Array(count).fill(1);

const leftCheek: Place = [0.2, 0.55];
const rightCheek: Place = [0.8, 0.55];
const besideNose: Place = [0.42, 0.5];

/** A face of one colour, multiplied by `spots` of a tenth of the layout's side. */
function lit(spots: readonly { at: Place; factor: readonly [number, number, number] }[]): Float32Array {
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++)
      colours[3 * i + c] = spots.reduce<number>(
        (value, { at, factor }) => value * (off(i, at) < 0.1 ? factor[c]! : 1),
        skin[c]!,
      );
  return colours;
}

/** The colour that is left at a place. */
function evened(colours: Float32Array, place: Place): number[] {
  const { gains } = sideLight({ colours, weight });
  const i = vertexAt(place);
  return [0, 1, 2].map((c) => gains[3 * i + c]! * colours[3 * i + c]!);
}

describe('light on one side of a face', () => {
  it('makes a cheek in the shade as light as the other one', () => {
    const shaded = evened(lit([{ at: leftCheek, factor: [0.65, 0.6, 0.6] }]), leftCheek);
    for (const [c, value] of shaded.entries()) expect(value / skin[c]!).toBeGreaterThan(0.88);
    const untouched = evened(lit([{ at: leftCheek, factor: [0.65, 0.6, 0.6] }]), rightCheek);
    for (const [c, value] of untouched.entries()) expect(value / skin[c]!).toBeCloseTo(1, 1);
  });

  it('takes gloss out on one side and on both', () => {
    const gloss = [1.35, 1.5, 1.6] as const;
    const spots = [
      { at: leftCheek, factor: gloss },
      { at: rightCheek, factor: gloss },
    ];
    for (const colours of [lit(spots), lit(spots.slice(0, 1))]) {
      const [r, g, b] = evened(colours, leftCheek);
      expect(b! / skin[2]).toBeLessThan(0.92 * gloss[2]);
      // A blue sky's goes with it: red before blue is skin's.
      expect(r! / b!).toBeGreaterThan(((skin[0] / skin[2]) * gloss[0]) / gloss[2] + 0.1);
      expect(g!).toBeLessThan(0.98 * gloss[1] * skin[1]);
    }
  });

  it('leaves what is dark on both sides, a beard, and the shade beside a nose', () => {
    const beard = [0.6, 0.6, 0.62] as const;
    const bearded = lit([
      { at: leftCheek, factor: beard },
      { at: rightCheek, factor: beard },
    ]);
    const [r] = evened(bearded, leftCheek);
    expect(r! / skin[0]).toBeCloseTo(0.6, 1);
    const [beside] = evened(lit([{ at: besideNose, factor: [0.75, 0.75, 0.75] }]), besideNose);
    expect(beside! / skin[0]).toBeCloseTo(0.75, 1);
  });

  it('lifts deep shade beside a nose by half and more', () => {
    const [beside] = evened(lit([{ at: besideNose, factor: [0.56, 0.56, 0.56] }]), besideNose);
    expect(beside! / skin[0]).toBeGreaterThan(0.75);
  });

  it('gives up on skin in deep shadow, whose other side shows it', () => {
    const { lost } = sideLight({ colours: lit([{ at: leftCheek, factor: [0.25, 0.2, 0.2] }]), weight });
    expect(lost[vertexAt(leftCheek)]).toBeGreaterThan(0.9);
    expect(lost[vertexAt(rightCheek)]).toBe(0);
  });

  it('changes no colour by more than a shadow may, however little is seen', () => {
    const colours = lit([{ at: leftCheek, factor: [0.05, 0.04, 0.04] }]);
    // Known in spots alone: what is led on from there must not grow on the way.
    const spots = Float32Array.from({ length: count }, (_, i) => (i % 97 === 0 ? 1 : (i % 7) / 500));
    const { gains } = sideLight({ colours, weight: spots });
    expect(Math.max(...gains)).toBeLessThan(2.72);
    expect(Math.min(...gains)).toBeGreaterThan(0.36);
  });

  it('does nothing where too little skin is seen', () => {
    const { gains, lost } = sideLight({
      colours: lit([{ at: leftCheek, factor: [0.3, 0.3, 0.3] }]),
      weight: new Float32Array(count),
    });
    expect(gains.every((gain) => gain === 1)).toBe(true);
    expect(lost.every((share) => share === 0)).toBe(true);
  });
});
