import { landmarkCount, mirrorPoint } from '../topology/face_topology.ts';
import { meanFace } from '../topology/mean_face.ts';

/** Weights learnt from drawn heads: what is read tells in which ways a face differs, and these how far its points move. */
export interface LearntWays {
  /** What is read × ways. */
  readonly read: Float64Array;
  /** Ways × {@link toldPoints}. */
  readonly tell: Float64Array;
}

/** Landmarks that are told, in order: those of the right half and the middle. The left half is theirs mirrored. */
const toldPoints: readonly number[] = Array.from({ length: landmarkCount }, (_, i) => i).filter(
  (i) => meanFace[3 * i] < 0.0005,
);

/** The numbers of a table, which are written as whole ones. */
export const numbers = (text: string, scale: number): Float64Array =>
  Float64Array.from(text.trim().split(/\s+/), (value) => Number(value) * scale);

/** By landmark what is told of it, alike on both sides: values of {@link toldPoints}. */
export function onBothSides(values: ArrayLike<number>): Float64Array {
  const whole = new Float64Array(landmarkCount);
  for (const [p, i] of toldPoints.entries()) whole[i] = whole[mirrorPoint[i]] = values[p];
  return whole;
}

/** How far each landmark moves by what is read, in the unit of `seen`. */
export function movesBy({ read, tell }: LearntWays, seen: readonly number[]): Float64Array {
  const count = read.length / seen.length;
  const ways = Array.from({ length: count }, (_, way) =>
    seen.reduce((sum, value, k) => sum + read[k * count + way] * value, 0),
  );
  const move = (p: number): number =>
    ways.reduce((sum, share, way) => sum + share * tell[way * toldPoints.length + p], 0);
  return onBothSides(toldPoints.map((_, p) => move(p)));
}
