/** A piece of a surface that stays whole when vertices in the middle of its sides are left out. */
export interface Patch {
  /** Round it, in the triangles' sense: a corner, the middle of the next side (−1: none), a corner, … */
  readonly loop: readonly number[];
  /** Its triangles while all middles are there. */
  readonly triangles: readonly number[];
  /** How far a middle may lie off the surface without it, metres, where no face asks for more. */
  readonly off?: number;
}

/** How a surface may be thinned out. Its triangles are the patches' in order, then those that stay. */
export interface Patches {
  readonly list: readonly Patch[];
  /** Middles that stay, since other surfaces begin at them. */
  readonly rims?: ReadonlySet<number>;
}

/**
 * Two neighbouring cells of a grid of rows, from an even column on, as four triangles.
 *
 * @param upper three vertices side by side
 * @param lower the three below them; seen from before they run in the sense upper → lower → on
 */
export function pairOfCells(upper: readonly number[], lower: readonly number[]): Patch {
  const [a, b, c] = upper as [number, number, number];
  const [d, e, f] = lower as [number, number, number];
  return { loop: [a, -1, d, e, f, -1, c, b], triangles: [a, d, b, b, d, e, b, e, c, c, e, f] };
}
