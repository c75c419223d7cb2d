import { type FaceFit, type PhotoPose, project, refinePose } from '../fit/face_fit.ts';
import { forwardOfPoints, towardsCamera } from '../fit/learnt_depth.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import { at, clamp, smoothstep } from '../math/vector.ts';
import {
  chinBoss,
  eyeRim,
  landmarkCount,
  leftCheek,
  leftEye,
  leftNoseWing,
  lowerLip,
  mirrorPoint,
  noseBridge,
  noseTip,
  rightCheek,
  rightEye,
  rightNoseWing,
  upperLip,
} from '../topology/face_topology.ts';
import { edgeWeights, fillHarmonically } from '../topology/harmonic_interpolation.ts';
import { landmark } from '../topology/landmark.ts';
import { surfaceByProfile } from './learnt_profile.ts';
import { middleLine } from './profile_line.ts';
import type { ProfileView } from './profile_view.ts';

/** A further photo in which the mesh network sees the face. */
export interface TurnedView {
  readonly landmarks: FaceLandmarks;
  readonly fit: FaceFit;
}

/** Turn, degrees, from which on a photo tells depth, and from which on fully. */
const [minTurn, fullTurn] = [14, 28];
/** Deviations of a point's depth from the front photo's estimate, and of the network's landmarks, metres. */
const strays = 0.004;
const errs = 0.0035;
/** No point moves further, metres. */
const maxForward = 0.011;

/** Points whose depth is read from turned photos; between them and the eyes the face follows. */
const readPoints = [
  ...noseBridge,
  ...noseTip,
  ...rightNoseWing,
  ...leftNoseWing,
  ...chinBoss,
  landmark.chin,
  landmark.philtrum,
  landmark.belowLowerLip,
  leftCheek,
  rightCheek,
  ...[upperLip[0], lowerLip[0]].flat(),
];

/**
 * The face with the depth that photos from other sides show; from the front it stays as the front photo shows it. The
 * eyes stay: what comes forward does so beside them. Profiles come first: they fix the middle line.
 */
export function sharedShape(
  fit: FaceFit,
  turned: readonly TurnedView[],
  profiles: readonly ProfileView[],
): FaceFit {
  const shaped = shapedByProfiles(fit, profiles);
  const seen = depthFromTurned(shaped, turned);
  if (!seen) return shaped;
  const moves = new Map<number, readonly [number, number, number]>();
  for (const i of [...eyeRim(rightEye), ...eyeRim(leftEye), landmark.leftTragus, landmark.rightTragus])
    moves.set(i, [0, 0, 0]);
  for (const i of readPoints) moves.set(i, [0, 0, seen[i]]);
  if (profiles.length > 0) for (const i of middleLine) moves.set(i, [0, 0, 0]);
  const moved = fillHarmonically(moves, shaped.weights);
  const neutral = shaped.neutral.map((value, i) => value + moved[i]);
  return { ...shaped, neutral, weights: edgeWeights(neutral) };
}

/** The mean of what several profiles show. */
function shapedByProfiles(fit: FaceFit, profiles: readonly ProfileView[]): FaceFit {
  if (profiles.length === 0) return fit;
  const line = middleLine.map((_, k) =>
    profiles.reduce((sum, { forward }) => sum + forward[k] / profiles.length, 0),
  );
  const forward = forwardOfPoints(surfaceByProfile(line));
  return towardsCamera(
    fit,
    forward.map((z) => clamp(z, -maxForward, maxForward)),
  );
}

/** By the points of the face: how far further forward turned photos show them beside the eyes, metres. */
function depthFromTurned(fit: FaceFit, turned: readonly TurnedView[]): Float32Array | null {
  const sum = new Float32Array(landmarkCount);
  const weight = new Float32Array(landmarkCount);
  for (const { fit: other } of turned) {
    const share = smoothstep(minTurn, fullTurn, Math.abs(other.pose.yaw));
    if (share === 0) continue;
    const found = depthFrom(fit, other);
    for (let i = 0; i < landmarkCount; i++) {
      // The side that is turned away is the network's guess.
      const hidden = clamp((Math.sign(other.pose.yaw) * fit.neutral[3 * i]) / 0.025, -1, 1);
      const w = share * (1 - 0.8 * Math.max(0, hidden));
      sum[i] += w * found[i];
      weight[i] += w;
    }
  }
  if (!weight.some((value) => value > 0)) return null;
  const trust = strays ** 2 / (strays ** 2 + errs ** 2);
  return sum.map((_, i) => {
    const m = mirrorPoint[i];
    const w = weight[i] + weight[m];
    return w === 0 ? 0 : clamp((trust * (sum[i] + sum[m])) / w, -maxForward, maxForward);
  });
}

/** Depth alone that brings each point to where one photo shows it, beside the eyes' own. */
function depthFrom({ neutral, closing }: FaceFit, { photo, pose: start }: FaceFit): Float32Array {
  const face = neutral.map((value, i) => value - closing[i]);
  let forward: Float32Array = new Float32Array(landmarkCount);
  const eyes = [...eyeRim(rightEye), ...eyeRim(leftEye)];
  for (let round = 0; round < 3; round++) {
    const shaped = face.map((value, i) => value + (i % 3 === 2 ? forward[(i - 2) / 3] : 0));
    const pose: PhotoPose = { ...start, ...refinePose(shaped, photo, start) };
    const off = forward.map((now, i) => {
      const [px, py] = project(pose, at(face, i));
      const [gx, gy] = [pose.scale * pose.z[0], -pose.scale * pose.z[1]];
      const wanted = ((photo[2 * i] - px) * gx + (photo[2 * i + 1] - py) * gy) / (gx * gx + gy * gy);
      return now + 0.7 * (wanted - now);
    });
    const level = eyes.reduce((sum, i) => sum + off[i] / eyes.length, 0);
    forward = off.map((value) => clamp(value - level, -0.02, 0.02));
  }
  return forward;
}
