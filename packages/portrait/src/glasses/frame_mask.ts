import { median } from '@likeness/geometry/median.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import { blur } from '../photo/pixel_filters.ts';
import { eyeDistance, type FaceView } from './face_view.ts';
import { findArms, findBridge } from './frame_path.ts';
import type { LineStrength } from './line_strength.ts';
import { pixelOn, type Rim, type Rims, rays, rimPoint } from './rim_contour.ts';

/** Where a view shows glasses. */
export interface FrameMask {
  /** 0..1: how far a pixel shows the frame, its shadow or its glare. */
  readonly frame: Float32Array;
  /** 0..1: how far a pixel shows what may be led on over the frame: bare skin, and anything outside the face. */
  readonly around: Float32Array;
  /** Right and left. */
  readonly rims: readonly SeenRim[];
  /** Half-widths of all lines, pixels; and the pixels of those between and beside the rims. */
  readonly halfWidth: Float32Array;
  readonly bridge: readonly number[];
  /** From the rims' outer ends on, those that are seen. */
  readonly arms: readonly (readonly number[])[];
}

/** Strength from which on a rim is painted away: on a brow or a lid only a sure line is, elsewhere it harms nothing. */
const minRim = { onLid: 0.08, elsewhere: 0.04 } as const;
/**
 * The upper part of a rim is seen where its lines are that strong and no wider, pixels; else a brow was found. One side
 * that narrow is enough: beside a brow a thick frame is as wide as both.
 */
const upperRim = { strength: 0.11, halfWidth: 6 } as const;
/** Half of a bridge's least width, pixels. */
const minBridge = 4;
/** Strengths of the whole of a bridge or an arm, and of a part of it, below which it isn't painted away. */
const [minStrength, minPart] = [0.1, 0.07] as const;

/** Strangeness is 1 at that difference from the skin round about: ln of brightness, of chroma. */
const strangeAt = { light: 0.15, chroma: 0.16 } as const;
/** Strangeness that is nothing like skin. */
const unlike = 2.5;
/** Ways in pixels over which what is strange belongs to the frame: anything, lines, what is nothing like skin. */
const reaches = { near: 8, line: 20, far: 50 } as const;

/** A rim with what is seen of it over the eye. */
interface SeenRim {
  readonly rim: Rim;
  /** By ray. */
  readonly pixels: readonly number[];
  readonly hasUpper: boolean;
}

/**
 * Finds the pixels of glasses: rims, bridge and arms as wide as their lines. From there the mask grows over what
 * differs from the skin nearby: thick edges, hinges, pads, shadows. Never eyes with their lashes, nor a brow that isn't
 * behind a line.
 *
 * @param bridge - Where the bridge crosses the nose, pixels down.
 */
export function maskFrame(view: FaceView, lines: LineStrength, rims: Rims, bridge: number): FrameMask {
  const seen = seeRims(view, lines, [rims.right, rims.left]);
  const paths = { bridge: findBridge(view, lines, rims), arms: findArms(view, lines, rims) };
  const core = drawFrame(view, lines, paths, seen);
  const skin = compareSkin(view, core);
  const belongs = dilateFrame(view, lines, seen, core, skin, bridge);
  const { width, height, eyes, brows, inFace } = view;
  // Blurred edges of what was found: some pixels more, of a brow one, then soft.
  const [narrow, dilated] = [1, 3].map((edge) => blur(belongs, width, height, edge));
  const wide = dilated.map((share, i) => ((brows[i] ? narrow[i] : share) > 0.02 && !eyes[i] ? 1 : 0));
  const frame = blur(wide, width, height, 1);
  const around = frame.map((share, i) => {
    if (!inFace[i]) return 1 - share;
    return share > 0 || eyes[i] || brows[i] ? 0 : smoothstep(1.4, 0.7, skin.strange[i]);
  });
  return { frame, around, rims: seen, halfWidth: lines.halfWidth, ...paths };
}

function seeRims(view: FaceView, lines: LineStrength, rims: readonly Rim[]): SeenRim[] {
  const seen = rims.map((rim) => {
    const pixels = Array.from({ length: rays }, (_, k) => pixelOn(view, rim, k));
    const upper = pixels.filter((i) => view.lids[i]);
    const hasUpper = median(upper.map((i) => lines.strongest[i])) > upperRim.strength;
    return { rim, pixels, hasUpper, halfWidth: median(upper.map((i) => lines.halfWidth[i])) };
  });
  const isFrame = seen.some(({ hasUpper, halfWidth }) => hasUpper && halfWidth < upperRim.halfWidth);
  return seen.map((one) => ({ ...one, hasUpper: one.hasUpper && isFrame }));
}

/** 1 on the lines of rims, bridge and arms. */
function drawFrame(
  view: FaceView,
  lines: LineStrength,
  { bridge, arms }: Pick<FrameMask, 'bridge' | 'arms'>,
  seen: readonly SeenRim[],
): Float32Array {
  const { width, height, lids } = view;
  const core = new Float32Array(width * height);
  const stamp = (x: number, y: number, radius: number): void => {
    const reach = Math.ceil(radius);
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) {
        const [px, py] = [Math.round(x + dx), Math.round(y + dy)];
        if (px < 0 || py < 0 || px >= width || py >= height || dx * dx + dy * dy > radius * radius) continue;
        core[py * width + px] = 1;
      }
  };
  const sure = seen.flatMap(({ rim, pixels }) => pixels.filter((_, k) => rim.strength[k] > 0.1));
  const thickest = 1.3 * median(sure.map((i) => lines.halfWidth[i]));
  for (const { rim, pixels, hasUpper } of seen) {
    for (let k = 0; k < rays; k++) {
      const near = Array.from({ length: 9 }, (_, o) => (k + o - 4 + rays) % rays);
      const isOnLid = lids[pixels[k]] === 1;
      const strength = median(near.map((o) => rim.strength[o]));
      if (isOnLid ? !hasUpper || strength < minRim.onLid : strength < minRim.elsewhere) continue;
      const half = Math.min(thickest, median(near.map((o) => lines.halfWidth[pixels[o]])));
      const [x0, y0] = rimPoint(rim, k);
      const [x1, y1] = rimPoint(rim, (k + 1) % rays);
      for (let t = 0; t < 1; t += 0.2) stamp(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, half + 1);
    }
  }
  const trace = (path: readonly number[], min: number): void => {
    const strength = path.reduce((sum, i) => sum + lines.strongest[i], 0) / path.length;
    if (!(strength >= minStrength)) return;
    for (const [n, i] of path.entries()) {
      const near = path.slice(Math.max(0, n - 6), n + 7);
      if (median(near.map((j) => lines.strongest[j])) < minPart) continue;
      const half = median(near.map((j) => lines.halfWidth[j]));
      stamp(i % width, Math.floor(i / width), Math.max(min, half + 1));
    }
  };
  trace(bridge, minBridge);
  for (const path of arms) trace(path, 0);
  return core;
}

/**
 * Compares a view's colours with those of the skin round about. `off`: ln brightness of a pixel, less that of the skin.
 * `strange`: how unlike the skin it is; 1 could be either.
 */
function compareSkin({ width, height, light, chroma, eyes, brows, inFace }: FaceView, core: Float32Array) {
  const near = blur(core, width, height, 5);
  const known = near.map((share, i) => (!inFace[i] ? 1 - share : share > 0 || eyes[i] || brows[i] ? 0 : 1));
  const broad = (values: Float32Array): Float32Array =>
    blur(blur(values, width, height, 14), width, height, 14);
  const counts = broad(known);
  const around = (values: Float32Array): Float32Array =>
    broad(values.map((value, i) => value * known[i])).map((sum, i) => sum / Math.max(1e-4, counts[i]));
  const [skinRed, skinBlue] = chroma.map(around);
  const skinLight = around(light);
  const off = light.map((value, i) => value - skinLight[i]);
  const strange = off.map((value, i) => {
    const tint = Math.hypot(chroma[0][i] - skinRed[i], 0.8 * (chroma[1][i] - skinBlue[i]));
    return Math.max(Math.abs(value) / strangeAt.light, tint / strangeAt.chroma);
  });
  return { off, strange };
}

/** 1 on the frame and on what is strange beside it. */
function dilateFrame(
  { width, light, chroma, eyes, brows, lids, inFace }: FaceView,
  lines: LineStrength,
  seen: readonly SeenRim[],
  core: Float32Array,
  { off, strange }: ReturnType<typeof compareSkin>,
  bridge: number,
): Float32Array {
  const [right, left] = seen;
  const nose = (right.rim.x + left.rim.x) / 2;
  const belongs = core.slice();
  let edge = Array.from(core.keys()).filter((i) => core[i]);
  const dilate = (from: number, to: number, isFrame: (i: number, distance: number) => boolean): void => {
    for (let distance = from; distance <= to; distance++) {
      const next: number[] = [];
      for (const i of edge)
        for (const j of [i - 1, i + 1, i - width, i + width]) {
          if (j < 0 || j >= belongs.length || belongs[j] || eyes[j] || brows[j] || !isFrame(j, distance))
            continue;
          belongs[j] = 1;
          next.push(j);
        }
      edge = next;
    }
  };
  // Above the bridge lie brows and frowns.
  const high = (bridge - 0.05 * eyeDistance) * width;
  dilate(1, reaches.near, (j) => {
    if (!inFace[j]) return false;
    if (!lids[j]) return strange[j] >= (j < high ? unlike : 1);
    return ((j % width < nose ? right : left).hasUpper || off[j] > 0.4) && strange[j] >= unlike;
  });
  edge = Array.from(belongs.keys()).filter((i) => belongs[i]);
  const heights = seen.flatMap(({ rim }) => Array.from({ length: rays }, (_, k) => rimPoint(rim, k)[1]));
  const top = (Math.min(...heights) - 0.03 * eyeDistance) * width;
  const bottom = (Math.max(...heights) + 0.03 * eyeDistance) * width;
  const rimmed = seen.flatMap(({ pixels }) => pixels.filter((i) => !lids[i]));
  const [own, ownRed, ownBlue] = [light, ...chroma].map((values) => median(rimmed.map((i) => values[i])));
  const isOfFrame = (j: number): boolean =>
    Math.abs(light[j] - own) < 0.5 && Math.hypot(chroma[0][j] - ownRed, chroma[1][j] - ownBlue) < 0.2;
  dilate(reaches.near + 1, reaches.far, (j, distance) => {
    if (lids[j] || j < top || j > bottom) return false;
    if (strange[j] >= unlike) return inFace[j] === 1 || isOfFrame(j);
    return inFace[j] === 1 && distance <= reaches.line && strange[j] >= 1.2 && lines.strongest[j] > 0.15;
  });
  return belongs;
}
