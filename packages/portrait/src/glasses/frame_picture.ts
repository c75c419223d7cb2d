import { median } from '@likeness/geometry/median.ts';
import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import type { Similarity } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { blankCanvas, fillUnknown } from '../texture/texture_fill.ts';
import type { FaceView } from './face_view.ts';
import type { FrameMask } from './frame_mask.ts';
import { findLines } from './line_strength.ts';
import { findRims, pixelOn, type Rim, rayAngle, rays } from './rim_contour.ts';

/** The front of glasses cut out of a photo. */
export interface FramePicture {
  /** RGBA; its last {@link solidRows} rows have the colour of the arms. */
  readonly raster: Raster;
  /** From the picture's pixels to the photo's. */
  readonly map: Similarity;
  /** Where the arms are joined to it, pixels, with their height; the wearer's right one first. */
  readonly hinges: readonly { readonly x: number; readonly y: number; readonly height: number }[];
}

/** Rows of the picture's lower end that have one colour all over. */
export const solidRows = 16;
/** ln of red by which the darkest of a frame differs from skin that is cut out pixel by pixel; thin wires are drawn. */
const minContrast = 1.4;
/** Pixels about the line of a dark frame in which it lies, and over which what shines in it is closed. */
const [reach, maxGap] = [7, 3] as const;
/** Half of the width of a drawn line, pixels, and rays over which it is smoothed. */
const [halfLine, smoothing] = [0.9, 6] as const;
/** Pixels that a dark frame goes on beyond a rim's line, to the hinge; and the height of a wire's arm. */
const [beyond, wireArm] = [26, 4] as const;

/** The face behind a frame. */
interface HiddenFace {
  /** Red, green and blue of the view's skin, 0..255. */
  readonly skin: readonly Float32Array[];
  /** Where the eyes are across, and where the frame's bridge is down, pixels. */
  readonly pupils: readonly [right: number, left: number];
  readonly bridge: number;
}

/**
 * Cuts a frame out of the view: dark ones by what differs from the skin behind, wires by their lines. Undefined if
 * nothing is left of it.
 */
export function cutOutFrame(view: FaceView, mask: FrameMask, behind: HiddenFace): FramePicture | undefined {
  const { width, height, rgb, map, inFace } = view;
  const shown = [...mask.frame.keys()].filter((i) => mask.frame[i] > 0.9 && inFace[i]);
  const skin = median(shown.map((i) => behind.skin[0][i]));
  const red = mask.frame.map((_, i) => Math.log((rgb[3 * i] + 8) / (skin + 8)));
  const contrast = shown.map((i) => red[i]).toSorted((a, b) => a - b)[Math.floor(shown.length / 50)];
  const isDark = contrast < -minContrast;
  const kind = isDark ? 'dark' : mask.rims.some(({ hasUpper }) => hasUpper) ? 'wire' : 'rimless';
  const rims = isDark ? darkRims(view, red, contrast, behind) : mask.rims.map(({ rim }) => rim);
  const alpha = drawLines(view, mask.bridge, rims, kind);
  const lines = rims.map((rim) => Array.from({ length: rays }, (_, k) => pixelOn(view, rim, k)));
  const parts = isDark ? darkParts(view, mask, alpha, { ...behind, usual: skin, contrast }) : [];
  for (const [i, share] of parts.entries()) alpha[i] = Math.max(alpha[i], share);
  const ends = rims.map((_, n) => lines[n].map((i) => i % width).toSorted((a, b) => (n ? b - a : a - b))[0]);
  const covered = [...alpha.keys()].filter((i) => alpha[i] > 0.5);
  if (covered.length === 0) return undefined;
  const hinges = rims.map((rim, n) => {
    const side = n ? 1 : -1;
    const arm = mask.arms.find(([first]) => side * ((first % width) - rim.x) > 0);
    // Where no arm is seen, it begins as high as most do.
    const y = arm ? Math.floor(arm[0] / width) : rim.y - 0.6 * rim.radius[(3 * rays) / 4];
    const far = (i: number): number =>
      Math.hypot((i % width) - ends[n] - side * beyond, 2 * (Math.floor(i / width) - y));
    const nearest = covered.reduce((best, i) => (far(i) < far(best) ? i : best));
    const tall = isDark && arm ? 2 * median(arm.map((i) => mask.halfWidth[i])) : wireArm;
    return { x: nearest % width, y: Math.floor(nearest / width), height: tall };
  });
  const own = [0, 1, 2].map((c) =>
    median(
      isDark
        ? covered.map((i) => rgb[3 * i + c])
        : // A wire is narrower than a pixel of many a photo, which mixes it with skin: the darkest is the wire's.
          mask.bridge.map((i) =>
            Math.min(...[-2, -1, 0, 1, 2].map((down) => rgb[3 * (i + down * width) + c])),
          ),
    ),
  );
  const canvas = blankCanvas(width);
  for (let i = 0; i < alpha.length; i++) {
    const isSure = alpha[i] > 0.9;
    if (!isSure && (kind !== 'rimless' || alpha[i] < 0.2)) continue;
    canvas.weight[i] = 1;
    canvas.colour.set(isSure && !isDark ? own : rgb.subarray(3 * i, 3 * i + 3), 3 * i);
  }
  fillUnknown(canvas);
  const about = blur(alpha, width, height, 6);
  const data = new Uint8Array(4 * width * (height + solidRows));
  for (let i = 0; i < data.length / 4; i++) {
    const isBetween =
      i % width >= Math.min(ends[0], hinges[0].x) && i % width <= Math.max(ends[1], hinges[1].x);
    if (i >= alpha.length || !about[i]) data.set([...own, i < alpha.length ? 0 : 255], 4 * i);
    else data.set([...canvas.colour.subarray(3 * i, 3 * i + 3), isBetween ? 255 * alpha[i] : 0], 4 * i);
  }
  return { raster: { name: 'Glasses', width, height: height + solidRows, channels: 4, data }, map, hinges };
}

/** The rims of a dark frame: its lines where they are as dark as the frame, before brows and lashes too. */
function darkRims(
  view: FaceView,
  red: Float32Array,
  contrast: number,
  { pupils, bridge }: HiddenFace,
): Rim[] {
  const { width, height } = view;
  const dark = blur(
    red.map((value) => smoothstep(0.55, 0.85, value / contrast)),
    width,
    height,
    1,
  );
  const none = new Uint8Array(red.length);
  const grey = new Float32Array(red.length);
  const light = dark.map((value) => -0.5 * value);
  const lines = findLines({ ...view, light, chroma: [grey, grey], eyes: none, brows: none, lids: none });
  const { right, left } = findRims(view, lines, pupils, bridge);
  return [right, left];
}

/** Parts about a dark frame's lines that are darker than the skin behind, but no redder, as shade is; 0..1. */
function darkParts(
  { width, height, rgb, chroma, eyes, lids }: FaceView,
  { frame, bridge }: FrameMask,
  lines: Float32Array,
  { skin, usual, contrast }: HiddenFace & { usual: number; contrast: number },
): Float32Array {
  const onLines = lines.map(Math.ceil);
  for (const i of bridge) onLines[i] = 1;
  const [near, close] = [reach, 3].map((pixels) => blur(onLines, width, height, pixels));
  const cut = frame.map((share, i) => {
    if (!near[i] || (eyes[i] && !close[i])) return 0;
    // Before brows and hair, and where its outer ends aren't in the mask, only what is surely dark is frame.
    const isUnsure = share === 0 || lids[i] || skin[0][i] < 0.7 * usual;
    const [r, g] = isUnsure ? [usual + 8, usual + 8] : [skin[0][i] + 8, skin[1][i] + 8];
    const dark = Math.log((rgb[3 * i] + 8) / r) / contrast;
    if (isUnsure) return smoothstep(0.6, 0.8, dark);
    const grey = smoothstep(0.25, 0.1, chroma[0][i] - Math.log(r / g));
    return Math.min(1, 2 * share) * (dark > 0.6 ? 1 : grey) * smoothstep(0.18, 0.36, dark);
  });
  const grown = blur(cut, width, height, maxGap).map((share) => (share > 0.3 ? 1 : 0));
  const shrunk = blur(grown, width, height, maxGap);
  const whole = cut.map((share, i) => Math.max(share, smoothstep(0.8, 1, shrunk[i])));
  // Single specks are lashes or a brow's hairs.
  const about = blur(whole, width, height, 3);
  return blur(whole, width, height, 1).map(
    (share, i) => smoothstep(0.25, 0.75, share) * smoothstep(0.16, 0.22, about[i]),
  );
}

/** Rims and bridge as lines, as far as they are seen, 0..1. */
function drawLines(
  { width, height }: FaceView,
  bridge: readonly number[],
  rims: readonly Rim[],
  kind: 'dark' | 'wire' | 'rimless',
): Float32Array {
  const alpha = new Float32Array(width * height);
  const draw = (x: number, y: number, share: number): void => {
    for (let py = Math.floor(y) - 2; py <= y + 3; py++)
      for (let px = Math.floor(x) - 2; px <= x + 3; px++) {
        const cover = clamp(halfLine + 0.5 - Math.hypot(px - x, py - y), 0, 1);
        alpha[py * width + px] = Math.max(alpha[py * width + px], share * cover);
      }
  };
  const ends = [bridge[0], bridge.at(-1)!].map((i) => [i % width, Math.floor(i / width)] as const);
  const top = Math.min(ends[0][1], ends[1][1]) - 3;
  for (const [n, { x, y, radius, strength }] of rims.entries()) {
    const near = (values: Float32Array, k: number): number[] =>
      Array.from({ length: 2 * smoothing + 1 }, (_, o) => values[(k + o - smoothing + 2 * rays) % rays]);
    const clear = strength.map((_, k) => smoothstep(0.04, 0.16, median(near(strength, k))));
    const isWhole = median(clear) > 0.5;
    // Where little of a rim is seen, it takes after the other one, whose mirror image it is.
    const other = rims[1 - n].radius;
    const own = radius.map((value, k) => {
      const share = kind === 'rimless' ? 1 : clear[k];
      return share * value + (1 - share) * other[(rays / 2 - k + rays) % rays];
    });
    const even = own.map((_, k) => near(own, k).reduce((sum, value) => sum + value) / (2 * smoothing + 1));
    for (let t = 0; t < rays; t += 0.2) {
      const k = Math.floor(t);
      const r = even[k] + (even[(k + 1) % rays] - even[k]) * (t - k);
      const [px, py] = [x + r * Math.cos(rayAngle(t)), y + r * Math.sin(rayAngle(t))];
      if (kind === 'rimless') draw(px, py, py > top ? 0.3 + 0.45 * clear[k] : 0);
      else draw(px, py, kind === 'wire' || isWhole || clear[k] > 0.5 ? 1 : 0);
    }
  }
  if (kind === 'dark') return alpha;
  const [[x0, y0], [x1, y1]] = ends;
  for (let t = 0; t <= 1; t += 0.002) draw(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, 1);
  return alpha;
}
