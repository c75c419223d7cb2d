import { regress } from '../fit/low_rank_regression.ts';
import { profileRegression } from './profile_weights.ts';

/**
 * How far the surface at each landmark comes forward beside the eyes, metres, by how much further forward a profile shows
 * the points of the middle line than the front photo told them.
 */
export const surfaceByProfile = (line: readonly number[]): Float64Array => regress(profileRegression, line);
