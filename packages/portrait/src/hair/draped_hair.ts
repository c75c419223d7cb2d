import { at, clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { type Cranium, readCranium } from '../skull/skull.ts';
import { type HangingHair, lengthOf } from './hanging_hair.ts';
import type { PicturePlane } from './picture_plane.ts';

/** Depth of the axis about which hair hangs, metres. */
const axisDepth = -0.035;

/**
 * Where a point stands about the axis of hanging hair: angle from the front, to the person's left, and distance,
 * metres.
 */
export function aboutAxis(points: Float32Array, i: number): readonly [angle: number, radius: number] {
  const [x, z] = [points[3 * i], points[3 * i + 2] - axisDepth];
  return [Math.atan2(x, z), Math.hypot(x, z)];
}

/** Steps of the drape: directions about the axis, and heights, metres. */
const directions = 72;
const rise = 0.004;

/**
 * How far above the lobes the width of hair is taken from which on it falls, and where it begins and has come to;
 * metres.
 */
const falls = { top: 0.09, from: 0.075, to: 0.02 } as const;

/** Least and most width of hair against a step above. */
const [narrowest, widest] = [0.97, 1.03] as const;

/**
 * Lets hair below the ears fall from where it is fullest, in place. Inflation alone would draw it in below the jaw, as
 * a shelf.
 */
export function drapeHair(
  blown: Float32Array,
  cranium: Cranium,
  plane: PicturePlane,
  sides: HangingHair,
): void {
  const { lobes } = sides;
  const long = lengthOf(sides);
  if (long === 0) return;
  const heights = Float32Array.from(
    { length: blown.length / 3 },
    (_, i) => plane.of(at(cranium.points, i))[1],
  );
  const drape = drapeOf(blown, heights, sides);
  for (const [i, v] of heights.entries()) {
    const [angle, bare] = aboutAxis(cranium.points, i);
    const free =
      long *
      smoothstep(lobes + falls.from, lobes + falls.to, v) *
      smoothstep(0.002, 0.016, cranium.columnDistance[i]);
    if (free === 0) continue;
    const [own, full] = aboutAxis(blown, i);
    // The short way round, behind the head too.
    const to = own + free * (angle - own - 2 * Math.PI * Math.round((angle - own) / (2 * Math.PI)));
    const radius = full + free * (Math.max(bare, drape(to, v)) - full);
    blown[3 * i] = radius * Math.sin(to);
    blown[3 * i + 2] = axisDepth + radius * Math.cos(to);
  }
}

/** Distance from the axis of hair that falls, by direction and height, metres; 0 above where it begins to. */
function drapeOf(
  blown: Float32Array,
  heights: Float32Array,
  sides: HangingHair,
): (angle: number, v: number) => number {
  const top = sides.lobes + falls.top;
  const rows = Math.ceil((top - Math.min(...heights)) / rise) + 1;
  const radii = new Float32Array(rows * directions);
  for (const [i, v] of heights.entries()) {
    const [angle, radius] = aboutAxis(blown, i);
    if (v > top) continue;
    const cell = Math.round((top - v) / rise) * directions + (Math.floor(directionAt(angle)) % directions);
    radii[cell] = Math.max(radii[cell], radius);
  }
  for (let row = 0; row < rows; row++) {
    const ring = radii.subarray(row * directions, (row + 1) * directions);
    if (row > 0) hangFrom(radii.subarray((row - 1) * directions), ring, sides, top - row * rise);
    roundOut(ring);
  }
  return (angle, v) =>
    v > top
      ? 0
      : readCranium(
          radii,
          1,
          0,
          (top - v) / rise,
          directionAt(angle) - 0.5 + directions,
          rows - 1,
          directions,
        );
}

/** Lets a ring of hair hang at least as far out as the one `above` it, at height `v`; in place. */
function hangFrom(above: Float32Array, ring: Float32Array, sides: HangingHair, v: number): void {
  const wider = widening(sides, v);
  for (let d = 0; d < directions; d++) {
    const aside = Math.sin(((d + 0.5) / directions) * 2 * Math.PI);
    ring[d] = Math.max(ring[d], above[d] * wider(aside));
  }
}

/** Widest dents, directions. */
const widestDent = 14;

/** Sine of the angle between directions so many apart. */
const sines = Float64Array.from({ length: widestDent + 1 }, (_, n) =>
  Math.sin((2 * Math.PI * n) / directions),
);

/** Fills dents of a ring, in place: across a head hair is round. */
function roundOut(ring: Float32Array): void {
  const own = ring.slice();
  for (let d = 0; d < directions; d++) {
    for (let a = 1; a < widestDent; a++) {
      const before = own[(d - a + directions) % directions];
      if (!before) continue;
      for (let b = 1; a + b <= widestDent; b++) {
        const after = own[(d + b) % directions];
        if (!after) continue;
        // Where the chord between both meets this direction.
        const chord = (before * after * sines[a + b]) / (before * sines[a] + after * sines[b]);
        ring[d] = Math.max(ring[d], chord);
      }
    }
  }
}

/** Where an angle lies among the directions. */
const directionAt = (angle: number): number => ((angle / (2 * Math.PI) + 1) % 1) * directions;

/** How wide the photo shows hair against a step above, by the sine of a direction: 1 on the left, 0 behind. */
function widening({ width, level }: HangingHair, v: number): (aside: number) => number {
  const ratio = ([0, 1] as const).map((k) =>
    clamp(width[k][Math.round(level(v))] / width[k][Math.round(level(v + rise))], narrowest, widest),
  );
  const behind = (ratio[0] + ratio[1]) / 2;
  return (aside) => behind + (ratio[aside > 0 ? 0 : 1] - behind) * Math.abs(aside);
}
