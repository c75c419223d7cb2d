import { movesBy } from '../fit/learnt_ways.ts';
import { profileWays } from './profile_weights.ts';

/**
 * How far the surface at each landmark comes forward beside the eyes, metres, by how much further forward a profile shows
 * the points of the middle line than the front photo told them.
 */
export const surfaceByProfile = (line: readonly number[]): Float64Array => movesBy(profileWays, line);
