import { sineHash } from '@likeness/geometry/noise.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import { type Eye, eyeballRadius, type FaceFit, project } from '../fit/face_fit.ts';
import type { Picture } from '../photo/photo.ts';
import { type Colour, readPixel } from '../texture/skin_texture.ts';
import { type EyeGroup, leftEye, rightEye } from '../topology/face_topology.ts';
import { eyeTextureAngle } from './eyeballs.ts';

export interface EyeColours {
  /** Iris colour from the pupil's edge (0) to the limbus (last): sRGB. */
  readonly iris: readonly Colour[];
  readonly sclera: Colour;
}

const shells = 6;

/**
 * Reads the iris's colour ring by ring between the lids of both eyes, and the white from the brighter, greyer part
 * beside it. Medians drop catchlights, lashes and the lid's shadow.
 */
export function readEyeColours(picture: Picture, fit: FaceFit): EyeColours {
  const rings: number[][][] = Array.from({ length: shells }, () => []);
  const whites: number[][] = [];
  const pixel = new Float32Array(3);
  for (const [group, eye] of [
    [rightEye, fit.rightEye],
    [leftEye, fit.leftEye],
  ] as const) {
    const inside = lidTest(fit, group);
    /** Adds a sample beside the iris's middle, in its radii, if the photo shows it between the lids. */
    const sample = (to: number[][], right: number, up: number, behind: number): void => {
      const [x, y] = project(fit.pose, [
        eye.centre[0] + right * eye.irisRadius,
        eye.centre[1] + up * eye.irisRadius,
        eye.centre[2] + eyeballRadius - behind,
      ]);
      if (inside(x, y) < 0.14) return;
      readPixel(picture, x, y, pixel);
      to.push([...pixel]);
    };
    for (let ring = 0; ring < shells; ring++) {
      const share = 0.36 + (0.6 * (ring + 0.5)) / shells;
      for (let k = 0; k < 48; k++) {
        const angle = (2 * Math.PI * k) / 48;
        sample(rings[ring], Math.cos(angle) * share, Math.sin(angle) * share, 0);
      }
    }
    for (const share of [1.3, 1.45, 1.6])
      for (const side of [-1, 1]) for (const up of [-0.25, 0, 0.15]) sample(whites, side * share, up, 0.0015);
  }
  const found = rings.map((samples) => quantileColour(samples, 0.42));
  const spare = found.find((colour) => colour) ?? ([92, 74, 58] as Colour);
  const iris = found.map((colour) => colour ?? spare);
  const white = quantileColour(whites, 0.7) ?? ([205, 198, 194] as Colour);
  // The white of an eye in a photo is grey and takes on the skin's light; half-way to a healthy white.
  const level = Math.max(165, Math.min(210, (white[0] + white[1] + white[2]) / 3 + 8));
  const mean = (white[0] + white[1] + white[2]) / 3;
  const sclera = white.map((v) => Math.min(235, level + (v - mean) * 0.4)) as unknown as Colour;
  return { iris, sclera };
}

/** The colour at a quantile of brightness (a mean of the samples about it). */
function quantileColour(samples: number[][], quantile: number): Colour | undefined {
  if (samples.length < 5) return undefined;
  const sorted = [...samples].sort((p, q) => p[0] + p[1] + p[2] - q[0] - q[1] - q[2]);
  const from = Math.floor(sorted.length * Math.max(0, quantile - 0.18));
  const to = Math.max(from + 1, Math.floor(sorted.length * Math.min(1, quantile + 0.18)));
  const sum = [0, 0, 0];
  for (let i = from; i < to; i++) for (let c = 0; c < 3; c++) sum[c] += sorted[i][c] / (to - from);
  return sum as unknown as Colour;
}

/**
 * How deep a photo position lies between the lids: 0 on a rim, 0.5 at most in the middle, negative outside;
 * in parts of the eye's widest opening, at least 12 % of its width.
 */
function lidTest(fit: FaceFit, eye: EyeGroup): (x: number, y: number) => number {
  const rim = (points: readonly number[]): { x: number; y: number }[] =>
    [eye.outer, ...points, eye.inner]
      .map((i) => ({ x: fit.photo[2 * i], y: fit.photo[2 * i + 1] }))
      .sort((p, q) => p.x - q.x);
  const upper = rim(eye.upper[0]);
  const lower = rim(eye.lower[0]);
  const from = upper[0].x;
  const to = upper[upper.length - 1].x;
  const heightAt = (line: { x: number; y: number }[], x: number): number => {
    let i = 1;
    while (i + 1 < line.length && x > line[i].x) i++;
    const [p, q] = [line[i - 1], line[i]];
    return p.y + ((q.y - p.y) * (x - p.x)) / Math.max(1e-6, q.x - p.x);
  };
  const opening = Math.max(
    0.12 * (to - from),
    ...upper.slice(1, -1).map(({ x, y }) => heightAt(lower, x) - y),
  );
  return (x, y) => {
    const inside = Math.max(from, Math.min(to, x));
    const beyond = Math.abs(x - inside);
    const top = heightAt(upper, inside);
    const bottom = heightAt(lower, inside);
    const depth = Math.min(y - top, bottom - y);
    return (Math.min(depth, (bottom - top) / 2) - beyond) / opening;
  };
}

/** Change of the white's colour (sRGB) away from the iris, and along a vessel. */
const warms = [0, -5, -7];
const reds = [6, 42, 42];

/** Range of `noise`: twice round an eye's circle, and a little before it. */
const [noiseFrom, noiseTo] = [-4, 200];
/** Random values 0..1 by place and seed, kept: a sine for each pixel would cost a head 50 ms. */
const noiseValues = new Map<number, Float64Array>();

/** A repeatable noise, 0..1, smooth over `x`. */
function noise(x: number, seed: number): number {
  let values = noiseValues.get(seed);
  if (!values) {
    values = Float64Array.from({ length: noiseTo - noiseFrom }, (_, index) =>
      sineHash(index + noiseFrom, seed),
    );
    noiseValues.set(seed, values);
  }
  const i = Math.floor(x);
  const f = x - i;
  const [a, b] = [values[i - noiseFrom], values[i - noiseFrom + 1]];
  return a + (b - a) * f * f * (3 - 2 * f);
}

/** The same once round the eye, without a seam. @param circle place round it, 0..96 */
function wrappedNoise(circle: number, seed: number, rate: number): number {
  const n = 96 * rate;
  const p = (circle * rate) % n;
  const fade = Math.min(1, p / 4);
  return noise(p, seed) * fade + noise(p + n, seed) * (1 - fade);
}

interface EyePaint {
  readonly picture: Picture | undefined;
  readonly fit: FaceFit;
  readonly eye: Eye;
  readonly inside: (x: number, y: number) => number;
  readonly colours: EyeColours;
  readonly size: number;
  readonly limbus: number;
  readonly pixel: Float32Array;
}

const pupil = 0.3;

/**
 * Paints an eyeball's texture: the photo between the lids; around it pupil, iris with fibres and a dark limbus, white
 * with faint vessels, for an eye that turns or opens further. Without a photo all of it is painted.
 */
export function paintEye(
  picture: Picture | undefined,
  fit: FaceFit,
  side: 'left' | 'right',
  colours: EyeColours,
  size: number,
): Raster {
  const eye = side === 'left' ? fit.leftEye : fit.rightEye;
  const inside = lidTest(fit, side === 'left' ? leftEye : rightEye);
  const data = new Uint8Array(size * size * 3);
  const limbus = Math.asin(eye.irisRadius / eyeballRadius);
  const pixel = new Float32Array(3);
  const paint = { picture, fit, eye, inside, colours, size, limbus, pixel };
  for (let y = 0; y < size; y++) paintRow(data, y, paint);
  return {
    name: side === 'left' ? 'LeftEye' : 'RightEye',
    width: size,
    height: size,
    channels: 3,
    data,
    quality: 88,
  };
}

/** A function of its own, so that V8 keeps its code from head to head. */
function paintRow(data: Uint8Array, y: number, paint: EyePaint): void {
  const { picture, fit, eye, inside, colours, size, limbus, pixel } = paint;
  const dy = (y + 0.5) / size - 0.5;
  // The lids' shadow, which no light rig makes as soft as it is.
  const under = (1 - 0.45 * smoothstep(0.045, 0.125, -dy)) * (1 - 0.18 * smoothstep(0.07, 0.13, dy));
  for (let x = 0; x < size; x++) {
    const dx = (x + 0.5) / size - 0.5;
    const angle = (Math.hypot(dx, dy) / 0.5) * eyeTextureAngle;
    const turn = Math.atan2(-dy, dx);
    const share = angle / limbus;
    const o = 3 * (y * size + x);
    const circle = (turn / (2 * Math.PI) + 0.5) * 96;
    // Beyond it the white is all there is, and fibres need not be drawn.
    const isIris = share < 1.06;
    const fibre = isIris ? wrappedNoise(circle, 1, 1) * 0.6 + wrappedNoise(circle, 2, 0.45) * 0.4 - 0.5 : 0;
    const where = Math.max(0, Math.min(shells - 1.001, ((share - 0.36) / 0.6) * shells - 0.5));
    const i = Math.floor(where);
    const f = where - i;
    const edge = smoothstep(0.93, 1.06, share);
    const ring = 1 - 0.42 * smoothstep(0.78, 0.98, share);
    const collarette = isIris ? 1 + 0.16 * Math.exp(-(((share - 0.45) / 0.1) ** 2)) : 1;
    const dark = smoothstep(pupil - 0.03, pupil + 0.05, share);
    const shade = 1 - 0.1 * smoothstep(0.2, 1.2, angle - limbus);
    const vessel =
      angle > limbus + 0.3
        ? Math.max(0, noise(circle * 0.8 + Math.sin(angle * 9) * 1.2, 7) - 0.72) *
          smoothstep(limbus + 0.3, 1.2, angle)
        : 0;
    let shown = 0;
    if (picture && angle < 1.45) {
      const [px, py] = project(fit.pose, [
        eye.centre[0] + Math.sin(angle) * Math.cos(turn) * eyeballRadius,
        eye.centre[1] + Math.sin(angle) * Math.sin(turn) * eyeballRadius,
        eye.centre[2] + Math.cos(angle) * eyeballRadius,
      ]);
      // A little of the lids' edge comes with it, so that no seam shows where the rims lie a pixel apart.
      shown = smoothstep(-0.2, -0.04, inside(px, py)) * smoothstep(1.45, 1.2, angle);
      if (shown > 0) readPixel(picture, px, py, pixel);
    }
    const rim = 1 - edge;
    // A catchlight in the iris would turn with the eye; the cornea gives its own.
    if (shown > 0 && rim > 0) {
      const own = colours.iris[i];
      const over = (pixel[0] + pixel[1] + pixel[2]) / 3 - Math.max(24, (own[0] + own[1] + own[2]) / 3);
      shown *= 1 - rim * smoothstep(16, 48, over);
    }
    const stroma = smoothstep(pupil, 0.6, share);
    const warmth = smoothstep(0.5, 1.3, angle);
    for (let c = 0; c < 3; c++) {
      const base = isIris ? colours.iris[i][c] * (1 - f) + colours.iris[i + 1][c] * f : 0;
      const iris = (base * (1 + 0.42 * fibre * stroma) * ring * collarette + 3) * dark + 9 * (1 - dark);
      const warm = warms[c] * warmth;
      const white = (colours.sclera[c] + warm) * shade - vessel * reds[c];
      const painted = (iris * (1 - edge) + white * edge) * under;
      data[o + c] = Math.max(0, Math.min(255, Math.round(painted + (pixel[c] - painted) * shown)));
    }
  }
}
