import { expect, it } from 'vitest';
import { doubtMouthInside } from '../src/appearance/mouth_inside.ts';
import { lowerLip, upperLip } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { acrossAt, off, vertexAt } from './face_places.ts';

const { count, mouthRim } = fineFace;
type Colour = readonly [number, number, number];
const lip: Colour = [190, 110, 100];
const tooth: Colour = [200, 190, 175];
const hole: Colour = [30, 20, 18];
const shade: Colour = [90, 50, 45];
/** A pixel for each vertex of the face. */
const photo = Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 0.5 : i / 2 + 0.5));

/** How far a photo is trusted by vertex, whose lips are `colour` where it says so and stand so far apart, metres. */
function trusted(colour: (vertex: number) => Colour | undefined, apart = 0.004): Float32Array {
  const data = new Uint8Array(2 * 3 * count);
  for (let i = 0; i < count; i++) for (const row of [0, count]) data.set(colour(i) ?? lip, 3 * (row + i));
  const closing = new Float32Array(3 * 468);
  for (const i of upperLip[3]!) closing[3 * i + 1] = -apart / 2;
  for (const i of lowerLip[3]!) closing[3 * i + 1] = apart / 2;
  const trust = new Float32Array(count).fill(1);
  doubtMouthInside({ trust, photo }, { closing }, { data, width: count, height: 2 });
  return trust;
}

const middleRim = mouthRim.filter((i) => Math.abs(acrossAt(i) - 0.5) < 0.04);
const atRim = (colour: Colour) => (i: number) => (middleRim.includes(i) ? colour : undefined);
const max = (trust: Float32Array): number => Math.max(...middleRim.map((i) => trust[i]!));
const min = (trust: Float32Array): number => Math.min(...middleRim.map((i) => trust[i]!));

it('does not take teeth, or the hole between them, for lips', () => {
  for (const colour of [tooth, hole]) expect(max(trusted(atRim(colour)))).toBeLessThan(0.1);
});

it('leaves a closed mouth, bare lips and the shade where they meet as the photo shows them', () => {
  expect(min(trusted(atRim(tooth), 0))).toBe(1);
  expect(Math.min(...trusted(() => undefined))).toBe(1);
  expect(min(trusted(atRim(shade)))).toBe(1);
});

it('finds teeth beyond the dark between lips, but leaves gloss amid a lip', () => {
  const amid = vertexAt([0.5, 0.68]);
  const near = (i: number): boolean => off(i, [acrossAt(amid), 0.68]) < 0.006;
  const gloss = trusted((i) => (near(i) ? tooth : undefined));
  expect(Math.min(...gloss)).toBe(1);
  const behindShade = trusted((i) => (mouthRim.includes(i) ? hole : inside(i) ? tooth : undefined));
  expect(behindShade[next]!).toBeLessThan(0.1);
});

/** A vertex of the lips beside the rim's middle one. */
const next = (() => {
  const start = middleRim[0]!;
  const { triangles } = fineFace;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)];
    const other = corners.find((i) => !mouthRim.includes(i));
    if (corners.includes(start) && other !== undefined) return other;
  }
  throw new Error('the rim has no neighbours');
})();
const inside = (i: number): boolean => i === next;
