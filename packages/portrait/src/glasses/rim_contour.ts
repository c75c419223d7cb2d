import { eyeDistance, type FaceView } from './face_view.ts';
import { directions, type LineStrength } from './line_strength.ts';

/** Rays about a lens's middle, and the radii along each, in pixels. */
export const rays = 128;
const [min, max] = [20, 92] as const;
const radii = max - min;

/** A rim as a closed line about a lens's middle. */
export interface Rim {
  readonly x: number;
  readonly y: number;
  /** By ray, pixels; ray 0 points to the view's right and they turn down. */
  readonly radius: Float32Array;
  /** How much there is a line, by ray. */
  readonly strength: Float32Array;
}

export interface Rims {
  readonly right: Rim;
  readonly left: Rim;
}

export const rayAngle = (k: number): number => (2 * Math.PI * k) / rays;

export const rimPoint = ({ x, y, radius }: Rim, k: number): [number, number] => [
  x + radius[k] * Math.cos(rayAngle(k)),
  y + radius[k] * Math.sin(rayAngle(k)),
];

/** The view's pixel that a rim's point on a ray lies in. */
export function pixelOn({ width, height }: FaceView, rim: Rim, k: number): number {
  const [x, y] = rimPoint(rim, k).map(Math.round);
  return Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x));
}

/** Line strengths by ray and radius, from right to left where `mirrored`. */
function unroll(
  { across }: LineStrength,
  { width, height }: FaceView,
  x: number,
  y: number,
  mirrored: boolean,
): Float32Array {
  const out = new Float32Array(rays * radii);
  for (let k = 0; k < rays; k++) {
    const [dx, dy] = [(mirrored ? -1 : 1) * Math.cos(rayAngle(k)), Math.sin(rayAngle(k))];
    const turn = Math.floor((Math.atan2(dy, dx) / Math.PI) * directions + 2 * directions);
    const [one, other] = [across[turn % directions], across[(turn + 1) % directions]];
    for (let r = 0; r < radii; r++) {
      const px = Math.round(x + dx * (r + min));
      const py = Math.round(y + dy * (r + min));
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const i = py * width + px;
      out[k * radii + r] = Math.max(one[i], other[i]);
    }
  }
  return out;
}

/** How far usual lenses reach from their middle, by ray, pixels: between an ellipse and a rectangle. */
const defaultRim = Float32Array.from({ length: rays }, (_, k) => {
  const [a, b, power] = [0.285 * eyeDistance, 0.2 * eyeDistance, 2.6];
  const across = Math.abs(Math.cos(rayAngle(k)) / a) ** power;
  const down = Math.abs(Math.sin(rayAngle(k)) / b) ** power;
  return (across + down) ** (-1 / power);
});

/** A prior of a line's shape: for every ray a radius, the distance that counts as far, and its cost. */
interface Drawn {
  readonly near: Float32Array;
  readonly far: Float32Array;
  readonly cost: number;
}
const toDefault: Drawn = { near: defaultRim, far: defaultRim.map((radius) => 0.45 * radius), cost: 0.12 };
const toBoth = (near: Float32Array): Drawn => ({
  near,
  far: near.map(() => 0.05 * eyeDistance),
  cost: 0.2,
});

/** Pixels that a line may step out from ray to ray, and what the square of that costs. */
const [maxStep, stepCost] = [3, 0.025] as const;

/** The closed line with the most strength in it (dynamic programming, twice round). */
function closedPath(strength: Float32Array, { near, far, cost }: Drawn): Float32Array {
  const turns = 2 * rays;
  const from = new Int8Array(turns * radii);
  let last = new Float32Array(radii);
  for (let turn = 0; turn < turns; turn++) {
    const k = turn % rays;
    const next = new Float32Array(radii).fill(Number.POSITIVE_INFINITY);
    for (let r = 0; r < radii; r++) {
      for (let step = -maxStep; step <= maxStep; step++) {
        if (r + step < 0 || r + step >= radii) continue;
        const sum = last[r + step] + stepCost * step * step;
        if (sum >= next[r]) continue;
        next[r] = sum;
        from[turn * radii + r] = step;
      }
      next[r] += cost * ((r + min - near[k]) / far[k]) ** 2 - strength[k * radii + r];
    }
    last = next;
  }
  let r = last.indexOf(Math.min(...last));
  const path = new Float32Array(rays);
  for (let turn = turns - 1; turn >= 0; turn--) {
    // The middle of the two rounds knows what comes before and after.
    if (turn >= rays / 2 && turn < rays / 2 + rays) path[turn % rays] = r + min;
    r += from[turn * radii + r];
  }
  return path;
}

/** Harmonics that a rim's shape has. */
const harmonics = 6;

/** A closed line without its finest turns (Fourier series). */
function smoothed(path: Float32Array): Float32Array {
  const out = new Float32Array(rays);
  for (let h = 0; h <= harmonics; h++) {
    let [re, im] = [0, 0];
    for (let k = 0; k < rays; k++) {
      re += path[k] * Math.cos(h * rayAngle(k));
      im += path[k] * Math.sin(h * rayAngle(k));
    }
    const share = (h ? 2 : 1) / rays;
    for (let k = 0; k < rays; k++)
      out[k] += share * (re * Math.cos(h * rayAngle(k)) + im * Math.sin(h * rayAngle(k)));
  }
  return out;
}

/** Pixels by which the two rims may differ from each other's mirror image. */
const unlike = 8;

/** The most within some pixels along each ray; what is further away counts less. */
function widened(strength: Float32Array): Float32Array {
  const out = new Float32Array(strength.length);
  for (let k = 0; k < rays; k++)
    for (let r = 0; r < radii; r++)
      for (let o = Math.max(-unlike, -r); o <= unlike && r + o < radii; o++)
        out[k * radii + r] = Math.max(
          out[k * radii + r],
          strength[k * radii + r + o] * (1 - (0.4 * Math.abs(o)) / unlike),
        );
  return out;
}

const along = (strength: Float32Array, path: Float32Array): Float32Array =>
  path.map((radius, k) =>
    Math.max(
      ...[-1, 0, 1].map((o) => strength[k * radii + Math.min(radii - 1, Math.max(0, radius + o - min))]),
    ),
  );

/** Where lenses may lie: below the bridge, further apart than the eyes, aside with a turned face; in eye distances. */
const lensOffsets = [0.03, 0.12].flatMap((down) =>
  [-0.03, 0.03].flatMap((apart) => [-0.045, 0, 0.045].map((aside) => [down, apart, aside] as const)),
);

/** Strength beyond which a ray tells no more for a place. */
const enough = 0.25;

/**
 * Finds the rims of both lenses together: about as high on both sides, and each other's mirror image but for
 * perspective.
 *
 * @param pupils - Where the eyes are across, the right one first, pixels.
 * @param bridge - Where a line crosses the nose, pixels down.
 */
export function findRims(
  view: FaceView,
  lines: LineStrength,
  pupils: readonly [right: number, left: number],
  bridge: number,
): Rims {
  let best: Rims | undefined;
  let max = -1;
  for (const [down, apart, aside] of lensOffsets) {
    const y = bridge + down * eyeDistance;
    const xs = [pupils[0] + (aside - apart) * eyeDistance, pupils[1] + (aside + apart) * eyeDistance];
    const right = unroll(lines, view, xs[0], y, true);
    const left = unroll(lines, view, xs[1], y, false);
    const wideLeft = widened(left);
    const both = smoothed(
      closedPath(
        widened(right).map((strength, i) => (strength + wideLeft[i]) / 2),
        toDefault,
      ),
    );
    const paths = [closedPath(right, toBoth(both)), closedPath(left, toBoth(both))];
    const strengths = [along(right, paths[0]), along(left, paths[1])];
    let sum = 0;
    for (const strength of strengths) for (const value of strength) sum += Math.min(value, enough);
    if (sum <= max) continue;
    max = sum;
    const turned = (values: Float32Array): Float32Array =>
      values.map((_, k) => values[(rays / 2 - k + rays) % rays]);
    best = {
      right: { x: xs[0], y, radius: turned(paths[0]), strength: turned(strengths[0]) },
      left: { x: xs[1], y, radius: paths[1], strength: strengths[1] },
    };
  }
  return best!;
}
