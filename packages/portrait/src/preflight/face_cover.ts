import { median } from '@likeness/geometry/median.ts';
import { clamp } from '@likeness/geometry/vector.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import { toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { type EyeGroup, leftEye, lowerLip, rightEye, upperLip } from '../topology/face_topology.ts';

/** Measures that distinguish a covered face from one with a beard, in shade, or with dark skin. */
export type FaceCover = ReturnType<typeof measureCover>;

/** Set on portraits with drawn covers: `scripts/quality/covered.ts`, docs/quality.md. */
const limits = {
  /** Bare skin stays below the first in most light; light alone never reaches the second. */
  lower: 9,
  sureLower: 13,
  /** No bare mouth was this far from skin (15 at most): there a line may be a fold of cloth. */
  cloth: 18,
  unlikeHair: 12,
  dim: 0.6,
  noseTip: 11,
  lips: 12,
  mouthLine: 0.1,
  nostrils: 0.6,
  rough: 0.025,
  eyes: 0.42,
  /** In the dark, and where it is darker yet: shade leaves the white of an eye lighter than the rest. */
  eyeContrast: 1.2,
  blackEyes: 0.25,
  blackEyeContrast: 2.2,
};

/** How far each finding is beyond its limits, in parts of the limit that decides: above 0 it holds. */
export interface CoverScores {
  readonly eyes: number;
  readonly mouth: number;
}

const above = (value: number, limit: number): number => value / limit - 1;
const below = (value: number, limit: number): number => 1 - value / limit;
/** Conditions that must all hold, and those of which one is enough. */
const all = Math.min;
const any = Math.max;

/**
 * Beards leave nose and lips visible; shade and dark skin keep the skin's hue; thin lips leave a dark line. So a mask
 * must hide nose and lips and look unlike skin. A cup or scarf over the mouth must be unlike hair: smooth, or of
 * another colour. Hidden nostrils and a shining nose alone mean a lowered head.
 */
export function coverScores(face: FaceCover): CoverScores {
  const minContrast = face.eyes < limits.blackEyes ? limits.blackEyeContrast : limits.eyeContrast;
  const noseHidden = all(
    above(face.nostrils, limits.nostrils),
    any(above(face.noseTip, limits.noseTip), below(face.tipLight, limits.dim)),
  );
  const lipsHidden = all(
    below(face.lips, limits.lips),
    any(below(face.mouthLine, limits.mouthLine), above(face.lower, limits.cloth)),
  );
  const unlikeHair = above(face.unlikeHair, limits.unlikeHair);
  const noHair = any(below(face.rough, limits.rough), unlikeHair);
  const unlikeSkin = any(above(face.lower, limits.lower), below(face.lowerLight, limits.dim));
  return {
    eyes: all(below(face.eyes, limits.eyes), below(face.eyeContrast, minContrast)),
    mouth: any(
      all(noseHidden, unlikeHair),
      all(noseHidden, lipsHidden, unlikeSkin),
      all(lipsHidden, above(face.lower, limits.sureLower), noHair),
    ),
  };
}

export const coverOf = ({ eyes, mouth }: CoverScores): 'eyes' | 'mouth' | null =>
  eyes > 0 ? 'eyes' : mouth > 0 ? 'mouth' : null;

type Rgb = readonly [number, number, number];
const luma = ([r, g, b]: Rgb): number => 0.299 * r + 0.587 * g + 0.114 * b;
/** Where skin shows above a mask and about dark glasses; the median bears less than half hidden. */
const aboveMask = [151, 9, 108, 337, 8, 168, 143, 372, 35, 265];
const besideGlasses = [151, 9, 108, 337, 197, 195, 5, 101, 330, 205, 425];
const chin = [199, 200, 18, 175, 83, 313];
const aboveLip = [164, 167, 393, 165, 391];
const noseTip = [1, 4, 5, 45, 275];
const nostrils = [98, 97, 326, 327, 60, 290, 99, 328, 20, 250, 238, 458, 241, 461];
const besideChin = [201, 421, 208, 428];

export function measureCover(picture: Picture, { points, iod }: FaceLandmarks) {
  const pixel = new Float32Array(3);
  /** Nine samples about a landmark. */
  const about = (i: number): Rgb[] =>
    [-0.02, 0, 0.02].flatMap((dy) =>
      [-0.02, 0, 0.02].map((dx) => {
        readPixel(picture, points[3 * i] + dx * iod, points[3 * i + 1] + dy * iod, pixel);
        return [pixel[0], pixel[1], pixel[2]] as const;
      }),
    );
  const colourOf = (landmarks: readonly number[]): Rgb => {
    const all = landmarks.flatMap(about);
    return [median(all.map(([r]) => r)), median(all.map(([, g]) => g)), median(all.map(([, , b]) => b))];
  };
  const skin = colourOf(aboveMask);
  const skinLight = Math.max(1, luma(skin));
  const aboutEyes = Math.max(1, luma(colourOf(besideGlasses)));
  /** A shadow takes the same part of every channel: compared is the skin as dark as what is there. */
  const dimmed = (colour: Rgb): [l: number, a: number, b: number] => {
    const part = luma(colour) / skinLight;
    return lab([skin[0] * part, skin[1] * part, skin[2] * part]);
  };
  const fromSkin = (colour: Rgb): number => {
    const [, a, b] = lab(colour);
    const [, skinA, skinB] = dimmed(colour);
    return Math.hypot(a - skinA, b - skinB);
  };
  const fromHair = (colour: Rgb): number => {
    const [, a, b] = lab(colour);
    const [, skinA, skinB] = dimmed(colour);
    const along = clamp((a * skinA + b * skinB) / Math.max(1, skinA ** 2 + skinB ** 2), 0, 2);
    return Math.hypot(a - along * skinA, b - along * skinB);
  };
  const mouthAndChin = colourOf([...chin, ...aboveLip]);
  const tip = colourOf(noseTip);
  const lipFrom = (row: readonly number[]): number => {
    const one = lab(colourOf(row.slice(3, 8)));
    const other = lab(mouthAndChin);
    return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
  };
  const lumaAt = (x: number, y: number): number => {
    readPixel(picture, x, y, pixel);
    return luma([pixel[0], pixel[1], pixel[2]]);
  };
  const roughAt = (i: number): number => {
    const lumas = about(i).map(luma);
    const mean = lumas.reduce((sum, value) => sum + value / lumas.length, 0);
    const square = lumas.reduce((sum, value) => sum + (value - mean) ** 2 / lumas.length, 0);
    return Math.sqrt(square) / Math.max(20, mean);
  };
  const aroundEye = ({ upper, lower }: EyeGroup): number =>
    luma(colourOf([...upper[1], ...lower[1], ...upper[2].slice(1, 6), ...lower[2].slice(1, 6)])) / aboutEyes;
  const contrastOf = ({ outer, inner, upper, lower }: EyeGroup): number => {
    const lumas = [outer, inner, ...upper[0], ...lower[0]].flatMap(about).map(luma);
    lumas.sort((p, q) => p - q);
    const dark = lumas[Math.floor(0.1 * lumas.length)];
    return (lumas[Math.floor(0.9 * lumas.length)] - dark) / Math.max(8, dark);
  };
  return {
    /** Distance of mouth and chin from the colours of skin in any light (Lab a, b). */
    lower: fromSkin(mouthAndChin),
    /** How far from all between grey and twice the skin's chroma, where hair of all ages is (Lab a, b). */
    unlikeHair: fromHair(mouthAndChin),
    /** Luma of mouth and chin, and of the nose's tip, in that of the skin. */
    lowerLight: luma(mouthAndChin) / skinLight,
    tipLight: luma(tip) / skinLight,
    /** As `lower`, of the tip of the nose, where no beard grows. */
    noseTip: fromSkin(tip),
    /** The more different lip against its surroundings, Lab: a mouth that is seen stands out. */
    lips: Math.max(lipFrom(lowerLip[1]), lipFrom(upperLip[1])),
    /**
     * How much darker a line along the mouth is than the pixels above and below it, share: lips have a dark gap, and
     * teeth a dark edge. Cloth has none there, or not along the whole mouth.
     */
    mouthLine: darkestLine(points, iod, lumaAt),
    /** Luma of the nostrils' darkest part in that of the nose's tip: a nose that is seen has dark ones. */
    nostrils: Math.min(...nostrils.flatMap(about).map(luma)) / Math.max(1, luma(tip)),
    /** Change of luma within 0.04 eye distances on mouth and chin, share: hair is rough, cloth smooth. */
    rough: median([...chin, ...besideChin, ...aboveLip].map(roughAt)),
    /** Luma about the lighter eye in the skin's, and how much lighter its white is than its darkest. */
    eyes: Math.max(aroundEye(rightEye), aroundEye(leftEye)),
    eyeContrast: Math.max(contrastOf(rightEye), contrastOf(leftEye)),
  };
}

/** Pairs of the lips' inner edges between which the mouth's line runs, from corner to corner. */
const mouthColumns = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((k) => [upperLip[3][k], lowerLip[3][k]] as const);
/** Heights at which the mouth is read across its line, from the middle, outer eye distances. */
const acrossMouth = Array.from({ length: 25 }, (_, n) => (n - 12) / 80);

/**
 * Contrast of the darkest line that runs along the whole mouth against the lighter of its surroundings above and
 * below, whichever is darker. Columns are averaged, so that a pattern or a beard's hairs leave none.
 */
function darkestLine(points: Float32Array, iod: number, lumaAt: (x: number, y: number) => number): number {
  const [a, b] = [3 * 61, 3 * 291];
  const width = Math.hypot(points[b] - points[a], points[b + 1] - points[a + 1]);
  // Downwards, square to the line between the corners.
  const down = [-(points[b + 1] - points[a + 1]) / width, (points[b] - points[a]) / width] as const;
  const profile = acrossMouth.map((height) => {
    let sum = 0;
    for (const [upper, lower] of mouthColumns) {
      const x = (points[3 * upper] + points[3 * lower]) / 2 + height * iod * down[0];
      const y = (points[3 * upper + 1] + points[3 * lower + 1]) / 2 + height * iod * down[1];
      sum += lumaAt(x, y) / mouthColumns.length;
    }
    return sum;
  });
  let deepest = 0;
  for (let n = 2; n < profile.length - 2; n++) {
    const around = Math.min(Math.max(...profile.slice(0, n)), Math.max(...profile.slice(n + 1)));
    deepest = Math.max(deepest, (around - profile[n]) / Math.max(12, around));
  }
  return deepest;
}

function lab(colour: Rgb): [l: number, a: number, b: number] {
  const [l, a, b] = toLab(Float32Array.from(colour, (value) => Math.min(255, value)));
  return [l / 2.55, a - 128, b - 128];
}
