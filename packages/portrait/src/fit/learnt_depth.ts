import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { eyeRim, landmarkCount, leftEye, mirrorPoint, rightEye } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { edgeWeights } from '../topology/harmonic_interpolation.ts';
import { landmark } from '../topology/landmark.ts';
import { meanFace } from '../topology/mean_face.ts';
import { anyMouth, type DepthRegression, meanDepth, restingMouth } from './depth_weights.ts';
import type { FaceFit } from './face_fit.ts';
import { onBothSides, regress } from './low_rank_regression.ts';

/**
 * Weight of the drawn heads' mean depth against the network's, 0..1; the share of it around a smiling mouth, and the
 * radius there, metres.
 */
const [meanShare, smilingShare, mouthReach] = [0.65, 0.4, 0.03];
/**
 * Half a mouth's width, metres, between which it counts as smiling: at rest it is 23 mm wide, as the network sees it.
 */
const [stillMouth, smilingMouth] = [0.025, 0.03];
/** Gap of the lips, in outer eye distances, between which a mouth counts as open. */
const [shutLips, openLips] = [0.03, 0.09];
/** Maximum deviation of a coordinate from the mean, and of a point, metres. */
const [maxDeviation, maxMoved] = [0.014, 0.014];
/** Turns, degrees, between which the learnt depth goes out: it was learnt from heads that look at the camera. */
const [fullTurn, maxTurn] = [12, 26];

const rims = [...eyeRim(rightEye), ...eyeRim(leftEye)];

/** Predicts how far each landmark lies before its mean position, beside the eyes' rims, metres. */
function predictDepth(reader: DepthRegression, face: Float32Array): Float64Array {
  const deviations = reader.inputs.map((input, k) => {
    const [i, axis] = [input >> 1, input & 1];
    const [own, other] = [face[3 * i + axis], face[3 * mirrorPoint[i] + axis]];
    const seen = (axis === 0 ? own - other : own + other) / 2 - meanFace[3 * i + axis];
    return clamp(seen - reader.mean[k], -maxDeviation, maxDeviation);
  });
  return regress(reader, deviations);
}

/** 0 where the mouth is at rest, 1 where it smiles. */
function smileOf(face: Float32Array): number {
  const width = face[3 * landmark.leftMouthCorner] - face[3 * landmark.rightMouthCorner];
  return smoothstep(stillMouth, smilingMouth, width / 2);
}

/** As {@link predictDepth}: the whole face is read where its mouth is at rest, shut and not drawn out. */
function ownDepth(face: Float32Array, lipGap: number): Float64Array {
  const rest = (1 - smileOf(face)) * (1 - smoothstep(shutLips, openLips, lipGap));
  const predicted = predictDepth(anyMouth, face);
  if (rest === 0) return predicted;
  const whole = predictDepth(restingMouth, face);
  return predicted.map((z, i) => z + rest * (whole[i] - z));
}

/**
 * When the mouth smiles, the nose moves with its tip: radius, metres, and the share of each point's own prediction that
 * stays. Otherwise smiles give a nose like a beak.
 */
const noseTip = { reach: 0.012, own: 0.4 } as const;

/** Evens out the prediction around the nose's tip where the mouth smiles. */
function withEvenTip(predicted: Float64Array, face: Float32Array): Float64Array {
  const tip = landmark.noseTipLower;
  const even = (1 - noseTip.own) * smileOf(face);
  return predicted.map((z, i) => {
    const away = Math.hypot(face[3 * i] - face[3 * tip], face[3 * i + 1] - face[3 * tip + 1]) / noseTip.reach;
    return z + even * Math.exp(-0.5 * away * away) * (predicted[tip] - z);
  });
}

/** Mean depth of the surface at every landmark, metres before the eyes' rims. */
const meanSurface = onBothSides(meanDepth);

/**
 * Weight of the drawn heads' mean depth at each point. Their mouths are at rest; a smile draws the lips back over the
 * teeth, which the network's depth shows.
 */
function shareOf(face: Float32Array): Float64Array {
  const [right, left] = [3 * landmark.rightMouthCorner, 3 * landmark.leftMouthCorner];
  const smile = smileOf(face);
  const height = (face[left + 1] + face[right + 1]) / 2;
  return Float64Array.from({ length: landmarkCount }, (_, i) => {
    const away = Math.hypot(face[3 * i], face[3 * i + 1] - height) / mouthReach;
    return meanShare * (1 - smile * (1 - smilingShare) * Math.exp(-0.5 * away * away));
  });
}

/** Depth of the surface at the landmarks, metres: subdivision draws it in from the mesh's own points. */
const surfaceDepth = (depth: Float32Array): Float32Array =>
  fineFace.refine(depth, 1).subarray(0, landmarkCount);

/**
 * How far each point goes towards the camera so that the surface there does as wanted, metres. The rims of the eyes
 * stay: the eyeballs lie behind them.
 */
export function forwardOfPoints(wanted: ArrayLike<number>): Float32Array {
  const moved = new Float32Array(landmarkCount);
  for (let round = 0; round < 5; round++) {
    const now = surfaceDepth(moved);
    for (let i = 0; i < landmarkCount; i++) moved[i] += wanted[i] - now[i];
    for (const i of rims) moved[i] = 0;
  }
  return moved;
}

/** How far the surface at each point has to come forward for the learnt depth, metres. */
function lackingDepth({ neutral: face, lipGap }: FaceFit): Float32Array {
  const before = surfaceDepth(Float32Array.from({ length: landmarkCount }, (_, i) => face[3 * i + 2]));
  const level = rims.reduce((sum, i) => sum + before[i] / rims.length, 0);
  const own = withEvenTip(ownDepth(face, lipGap), face);
  const shares = shareOf(face);
  return before.map((z, i) => own[i] + shares[i] * (meanSurface[i] + level - z));
}

/**
 * Replaces the depth by one learnt from heads of known shape. Positions seen from the front predict nose and chin
 * better than the mesh network's depth, which is nearly the same for everybody. Every point moves along the line of
 * sight, so that from the front the face stays as the photo shows it.
 */
export function withLearntDepth(fit: FaceFit): FaceFit {
  const trust = 1 - smoothstep(fullTurn, maxTurn, Math.abs(fit.pose.yaw));
  if (trust === 0) return fit;
  const forward = forwardOfPoints(lackingDepth(fit));
  return towardsCamera(
    fit,
    forward.map((z) => trust * clamp(z, -maxMoved, maxMoved)),
  );
}

/** The face with its points moved along the line of sight, metres: from the front it stays as the photo shows it. */
export function towardsCamera(fit: FaceFit, forward: Float32Array): FaceFit {
  // Without the turn aside, so that both sides stay alike.
  const rise = fit.pose.y[2] / fit.pose.z[2];
  const neutral = fit.neutral.slice();
  for (let i = 0; i < landmarkCount; i++) {
    neutral[3 * i + 1] += forward[i] * rise;
    neutral[3 * i + 2] += forward[i];
  }
  return { ...fit, neutral, weights: edgeWeights(neutral) };
}
