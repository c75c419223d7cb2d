import { landmarkCount, mirrorPoint } from '../topology/face_topology.ts';
import { meanFace } from '../topology/mean_face.ts';

/** A linear map of low rank from measurements to landmarks, learnt from drawn heads (packages/portrait/training). */
export interface LowRankRegression {
  /** Inputs × components. */
  readonly encoder: Float64Array;
  /** Components × {@link predictedLandmarks}. */
  readonly decoder: Float64Array;
}

/** The landmarks of the decoder, in order: the right half and the middle. The left half mirrors them. */
const predictedLandmarks: readonly number[] = Array.from({ length: landmarkCount }, (_, i) => i).filter(
  (i) => meanFace[3 * i] < 0.0005,
);

/** Reads a table of whole numbers. */
export const numbers = (text: string, scale: number): Float64Array =>
  Float64Array.from(text.trim().split(/\s+/), (value) => Number(value) * scale);

/** Spreads values of {@link predictedLandmarks} over all landmarks, the same on both sides. */
export function onBothSides(values: ArrayLike<number>): Float64Array {
  const whole = new Float64Array(landmarkCount);
  for (const [p, i] of predictedLandmarks.entries()) whole[i] = whole[mirrorPoint[i]] = values[p];
  return whole;
}

/** Predicts one value for each landmark, in the unit of `inputs`. */
export function regress({ encoder, decoder }: LowRankRegression, inputs: readonly number[]): Float64Array {
  const count = encoder.length / inputs.length;
  const components = Array.from({ length: count }, (_, k) =>
    inputs.reduce((sum, value, i) => sum + encoder[i * count + k] * value, 0),
  );
  const predict = (p: number): number =>
    components.reduce((sum, value, k) => sum + value * decoder[k * predictedLandmarks.length + p], 0);
  return onBothSides(predictedLandmarks.map((_, p) => predict(p)));
}
