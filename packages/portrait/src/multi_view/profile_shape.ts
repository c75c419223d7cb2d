import { clamp } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { forwardOfPoints, towardsCamera } from '../fit/learnt_depth.ts';
import { regress } from '../fit/low_rank_regression.ts';
import { middleLine, type ProfileShape } from './profile_line.ts';
import { profileRegression } from './profile_weights.ts';

/** No point moves further, metres. */
const maxForward = 0.011;

/**
 * Predicts how far the surface at each landmark comes forward beside the eyes, metres. `line`: how much further forward
 * a profile shows the middle line than the front photo's estimate.
 */
export const surfaceByProfile = (line: readonly number[]): Float64Array => regress(profileRegression, line);

/**
 * The face with the depth that profiles show, the mean of several; from the front it stays as the front photo shows it.
 * Half-profiles tell less of a face's depth than the front photo does (research/portrait_ablation.md).
 */
export function shapedByProfiles(fit: FaceFit, profiles: readonly ProfileShape[]): FaceFit {
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
