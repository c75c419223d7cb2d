import { blur } from '../photo/pixel_filters.ts';
import type { FaceView } from './face_view.ts';

/** Directions across which a line is looked for, over half a turn. */
export const directions = 8;
/** Half-widths of lines, pixels: from a wire to a thick frame. */
const halfWidths = [1.5, 3, 5, 8] as const;
/** Distance from a line's edge to the skin that it is compared with, pixels. */
const beside = 3;
/** Strength beyond which certainty doesn't rise, ln. */
const max = 0.4;
/** Weight of a line amid a brow, which is made of lines. */
const inBrow = 0.15;
/** Between eye and brow a line counts only where it is dark and no redder than that, ln, or very dark. */
const [minGrey, surelyDark] = [-0.02, 0.7] as const;
/** Weight of any other line there: a crease, or skin that shines. */
const likeLid = 0.2;
/** A line is as wide as it has to be for that much of its most strength. */
const enough = 0.75;

/** How much a pixel is on a line, by direction and overall; and how wide that is. */
export interface LineStrength {
  /** For each direction across (k · π / directions): ln darker or lighter than both sides, 0..most. */
  readonly across: readonly Float32Array[];
  /** The largest of them. */
  readonly strongest: Float32Array;
  /** The half-width at which it is largest, pixels. */
  readonly halfWidth: Float32Array;
}

/**
 * Finds dark and light lines: what differs from what lies on both its sides, at several widths (a top-hat filter across
 * the line, dark and light).
 */
export function findLines({ light, chroma, width, height, eyes, brows, lids }: FaceView): LineStrength {
  const strongest = new Float32Array(light.length);
  const halfWidth = new Float32Array(light.length).fill(halfWidths[0]);
  const byWidth = halfWidths.map(() => new Float32Array(light.length));
  const across = Array.from({ length: directions }, () => new Float32Array(light.length));
  const red = blur(chroma[0], width, height, 1);
  const count = light.map((_, i) => (eyes[i] ? 0 : brows[i] ? inBrow : 1));
  for (const [d, values] of across.entries()) {
    const angle = (d * Math.PI) / directions;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    for (const [h, half] of halfWidths.entries()) {
      const off = half + beside;
      const step = Math.round(dx * off) + Math.round(dy * off) * width;
      const margin = Math.ceil(off) + 1;
      for (let y = margin; y < height - margin; y++) {
        const [from, to] = [y * width + margin, (y + 1) * width - margin];
        findInRow({ light, red, lids, count }, step, from, to, [values, byWidth[h], strongest]);
      }
    }
  }
  for (let i = 0; i < light.length; i++)
    halfWidth[i] = halfWidths[byWidth.findIndex((values) => values[i] >= enough * strongest[i])];
  return { across, strongest, halfWidth };
}

/** Raises strengths of the pixels from … to by a line of one width and direction. V8 optimises a function that is called often. */
function findInRow(
  { light, red, lids, count }: Record<'light' | 'red' | 'count', Float32Array> & { lids: Uint8Array },
  step: number,
  from: number,
  to: number,
  [values, ofWidth, strongest]: readonly Float32Array[],
): void {
  for (let i = from; i < to; i++) {
    if (!count[i]) continue;
    const one = light[i + step];
    const other = light[i - step];
    const dark = Math.min(one, other) - light[i];
    const bright = light[i] - Math.max(one, other);
    let line = count[i] * Math.min(max, Math.max(dark, 0.8 * bright));
    if (lids[i] && line > 0) {
      // A lid's crease is skin in the shade, redder than the skin; a frame is not.
      const grey = (red[i + step] + red[i - step]) / 2 - red[i];
      if (bright > dark || (grey < minGrey && dark < surelyDark)) line *= likeLid;
    }
    if (line > values[i]) values[i] = line;
    if (line > ofWidth[i]) ofWidth[i] = line;
    if (line > strongest[i]) strongest[i] = line;
  }
}
