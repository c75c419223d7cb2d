import { regress } from '../fit/low_rank_regression.ts';
import { profileRegression } from './profile_weights.ts';

/**
 * Predicts how far the surface at each landmark comes forward beside the eyes, metres. `line`: how much further forward
 * a profile shows the middle line than the front photo's estimate.
 */
export const surfaceByProfile = (line: readonly number[]): Float64Array => regress(profileRegression, line);
