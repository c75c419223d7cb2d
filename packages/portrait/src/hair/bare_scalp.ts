import { smoothstep } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { blur } from '../photo/pixel_filters.ts';

/** Where a head has no hair though its outline is a head's, 0..1 each. */
export interface BareScalp {
  /** Above the forehead. */
  readonly top: number;
  /** At the temples and above the ears. */
  readonly sides: number;
}

/** From which share on a part of the head counts as bare. */
export const mostlyBare = { top: 0.5, sides: 0.3 } as const;

/** Skin of one face: its chroma follows its lightness, in shade and in light. */
interface FaceSkin {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
  /** Mean roughness of skin from pixel to pixel, 8-bit lightness. */
  readonly grain: number;
}

/** Chroma off the face's own by which skin differs in itself, 8-bit Lab. */
const mostChroma = 6;
/** Darker than this share of the face's lightness, nothing is told from dark hair. */
const leastLight = 0.42;
/** A sharp photo's skin is at least as rough, 8-bit lightness: rendered and smoothed skin is no measure. */
const leastGrain = 3;

/**
 * Looks for a scalp without hair: skin of the face's own colour at the same darkness, and smoother than the
 * face's. Short and grey hair may have skin's colour, but is as rough as strands are.
 */
export function findBareScalp(cut: Silhouette, a: Float32Array, b: Float32Array): BareScalp {
  const face = readFaceSkin(cut, a, b);
  const above = lookAt(cut, face, (i) => b[i] > 1.02 && Math.abs(a[i]) < 0.7);
  const beside = lookAt(cut, face, (i) => b[i] > 0.68 && b[i] < 1 && Math.abs(a[i]) > 0.82);
  const corners = lookAt(cut, face, (i) => b[i] > 1 && Math.abs(a[i]) > 0.6);
  const count = beside.count + corners.count;
  return {
    top: above.bare,
    sides: count ? (beside.bare * beside.count + corners.bare * corners.count) / count : 0,
  };
}

function readFaceSkin(cut: Silhouette, a: Float32Array, b: Float32Array): FaceSkin {
  const { lab, inFace } = cut;
  const sum = [0, 0, 0];
  let grain = 0;
  let n = 0;
  for (let i = cut.width; i < inFace.length - cut.width; i++) {
    if (!inFace[i] || Math.abs(a[i]) > 0.9) continue;
    const isCheek = b[i] > 0.25 && b[i] < 0.52 && Math.abs(a[i]) > 0.25;
    const isForehead = b[i] > 0.74 && b[i] < 0.95 && Math.abs(a[i]) < 0.55;
    if (!isCheek && !isForehead) continue;
    for (let c = 0; c < 3; c++) sum[c] += lab[3 * i + c];
    grain += roughness(cut, i);
    n++;
  }
  if (n === 0) return { lightness: 128, a: 0, b: 0, grain: leastGrain };
  return {
    lightness: sum[0] / n,
    a: sum[1] / n - 128,
    b: sum[2] / n - 128,
    grain: Math.max(leastGrain, grain / n),
  };
}

/** How far a pixel's lightness lies off its four neighbours' mean. */
function roughness({ lab, width }: Silhouette, i: number): number {
  const around = lab[3 * (i - 1)] + lab[3 * (i + 1)] + lab[3 * (i - width)] + lab[3 * (i + width)];
  return Math.abs(lab[3 * i] - around / 4);
}

/** How much of a part of the head, well inside the outline and outside the face, is smooth skin. */
function lookAt(cut: Silhouette, face: FaceSkin, isThere: (i: number) => boolean) {
  const { lab, mask, inFace, outside, width, height } = cut;
  let count = 0;
  let skin = 0;
  let rough = 0;
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      if (mask[i] < 250 || inFace[i] || outside[i] || !isThere(i)) continue;
      // The outermost pixels mix with the background.
      if (Math.min(mask[i - 2], mask[i + 2], mask[i - 2 * width], mask[i + 2 * width]) < 200) continue;
      count++;
      rough += roughness(cut, i);
      // The chroma of shaded skin falls with its lightness.
      const light = Math.max(0.3, Math.min(1.15, lab[3 * i] / face.lightness));
      const off = Math.hypot(lab[3 * i + 1] - 128 - light * face.a, lab[3 * i + 2] - 128 - light * face.b);
      if (off < mostChroma && lab[3 * i] > leastLight * face.lightness) skin++;
    }
  }
  // Too little is seen to tell.
  if (count < 30) return { count, bare: 0 };
  return { count, bare: (skin / count) * smoothstep(0.9, 0.5, rough / count / face.grain) };
}

/** Roughness (8-bit lightness from pixel to pixel) from which on a light place may be hair, and is: skin has 2 to 3. */
const rough = [3.6, 5.5] as const;

/** Whether the crop's pixels are as rough as strands are, 0..1. */
export function roughShare(cut: Silhouette): Float32Array {
  const { width, height } = cut;
  const values = new Float32Array(width * height);
  for (let i = width; i < values.length - width; i++) if (cut.mask[i] > 200) values[i] = roughness(cut, i);
  return blur(values, width, height, 3).map((value) => smoothstep(rough[0], rough[1], value));
}
