import { labBin, labBins, spreadHistogram } from '../photo/lab_colour.ts';
import type { HeadCrop } from './head_crop.ts';
import { connectedPieces, tidyMask } from './mask_morphology.ts';

/** Chosen so that visibly wrong outlines score below 0.9, where a person is asked to look. */
const doubtWeight = 1.6;

/** Pixels that are hair (or a bald scalp) whatever the cuts say. */
function isSureHair({ inFace, width, across, up }: HeadCrop, x: number, y: number): boolean {
  const a = across(x);
  const b = up(y);
  return !inFace[y * width + x] && b > 0.62 && (a / 0.92) ** 2 + ((b - 0.62) / 0.55) ** 2 < 1;
}

/** Pixels that most heads of hair cover. */
function isUsualHair({ across, up }: HeadCrop, x: number, y: number): boolean {
  const a = across(x);
  const b = up(y);
  return b > 0.6 && (a / 1.12) ** 2 + ((b - 0.6) / 0.7) ** 2 < 1;
}

/** How likely each colour is among the sure hair, and among what both cuts call background; by Lab bin. */
function learnColours(crop: HeadCrop, first: Uint8Array, second: Uint8Array, from: number) {
  const { lab, width, height, outside } = crop;
  const hair = new Float32Array(labBins);
  const ground = new Float32Array(labBins);
  let hairCount = 0;
  let groundCount = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (isSureHair(crop, x, y)) {
        hair[labBin(lab, i)] += 1;
        hairCount++;
      } else if (!(first[i] | second[i]) && !outside[i] && y < from + 30) {
        ground[labBin(lab, i)] += 1;
        groundCount++;
      }
    }
  }
  return { hair: spreadHistogram(hair, hairCount), ground: spreadHistogram(ground, groundCount) };
}

/**
 * Settles where two cuts differ, piece by piece: a piece belongs to the head when its colours are rather
 * those of the sure hair above the forehead than those of the agreed background, and when its mirror image is
 * on the head too (hair is full on both sides, a swallowed curtain is not), or lies where most heads have
 * hair. What stays doubtful lowers the score.
 */
export function judgeDisputes(
  crop: HeadCrop,
  first: Uint8Array,
  second: Uint8Array,
): { mask: Uint8Array; score: number } {
  const { lab, width, height } = crop;
  /** Column about which heads are symmetric. */
  const axis = crop.axis + crop.shift * crop.halfFace;
  /** Only rows above this one count for the score. */
  const from = Math.round(crop.chin - 0.1 * crop.tall);
  const mask = first.map((value, i) => value & second[i]);
  const colours = learnColours(crop, first, second, from);
  const disputed = first.map((value, i) => value ^ second[i]);
  let doubt = 0;
  for (const piece of connectedPieces(disputed, width, height)) {
    const area = piece.length;
    let counted = 0;
    let likely = 0;
    let mirrored = 0;
    let usual = 0;
    for (const i of piece) {
      const x = i % width;
      const y = (i - x) / width;
      if (y < from) counted++;
      const bin = labBin(lab, i);
      likely += Math.max(-2, Math.min(2, Math.log(colours.hair[bin] / colours.ground[bin])));
      const mx = Math.round(2 * axis - x - 1);
      const j = y * width + mx;
      if (isUsualHair(crop, x, y)) usual++;
      if (mx >= 0 && mx < width && first[j] | second[j]) mirrored++;
    }
    const verdict = likely / area + 3.2 * (mirrored / area - 0.5) + (1.6 * usual) / area;
    if (verdict > 0) for (const i of piece) mask[i] = 1;
    doubt += counted * Math.exp(-1.6 * Math.abs(verdict));
  }
  let whole = 0;
  for (let i = 0; i < from * width; i++) whole += mask[i];
  return {
    mask: tidyMask(mask, width, height, Math.round(axis), Math.round(from - 20)),
    score: Math.max(0, 1 - (doubtWeight * doubt) / Math.max(1, whole)),
  };
}
