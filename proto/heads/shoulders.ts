/** The shape of shoulders in a shirt: the engine makes it, and the page previews it. Lengths in metres. */

/** How far the collar stands up over the neck's edge. */
export const collarHeight = 0.014;
/** Rows from the collar's seam to the lower edge. */
export const shoulderRows = 20;
/**
 * The bust's lower end, in half-widths of the neck: half the breadth over the shoulders, half the depth of the chest, and
 * how far it hangs down. Biacromial breadth, with its muscles, is 3.6 times that of the neck in the adult means of ANSUR.
 */
const torso = { wide: 3.35, deep: 1.95, down: 2.5, roundness: 2.5 } as const;
/** How steeply shoulders fall: trapezius and collar bones. */
const slope = 0.36;
/** Exponent of the superellipse that shoulders turn down in, from the side of the neck to the arm. */
const squareness = 2.7;

/** Where the lower edge is: how far from the neck's axis in the direction (x, z), and how far down. */
export function torsoEnd(x: number, z: number, neck: number): { to: number; down: number } {
  const { wide, deep, down, roundness } = torso;
  const to = neck * (Math.abs(x / wide) ** roundness + Math.abs(z / deep) ** roundness) ** (-1 / roundness);
  return { to, down: neck * down };
}

/**
 * A point between the collar's seam and the lower edge.
 *
 * @param t - 0 at the seam, 1 at the edge.
 * @param aside - 0 over chest and back, 1 over a shoulder.
 * @param from - Distance of the seam from the neck's axis.
 * @param to - Distance of the lower edge.
 * @param fall - Height of the seam over the lower edge.
 * @returns Distance from the neck's axis, and how far below the seam.
 */
export function shoulderPoint(
  t: number,
  aside: number,
  { from, to, fall }: { from: number; to: number; fall: number },
): { far: number; below: number } {
  const turn = (t * Math.PI) / 2;
  const grown = (1 - aside) * Math.sin(turn) ** 1.15 + aside * Math.sin(turn) ** (2 / squareness);
  const far = from + (to - from) * grown;
  const sloped = slope * (far - from);
  const shoulder = sloped + (fall - slope * (to - from)) * (1 - Math.cos(turn) ** (2 / squareness));
  const chest = fall * t ** 1.1;
  return { far, below: aside * shoulder + (1 - aside) * chest };
}
