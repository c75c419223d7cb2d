import type { HeadCorrections } from '#proto/head_corrections.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import { labBin, labBins, toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { cropSimilarity, type Similarity, sampleCrop } from '../photo/picture_sampling.ts';
import { blur, polygonMask } from '../photo/pixel_filters.ts';
import { oval } from '../topology/face_topology.ts';
import { grabCut, trimapClasses } from './grab_cut.ts';

/**
 * The outline of head and hair in an upright crop about the face.
 *
 * Cut by GrabCut from a trimap that the landmarks make and a prior on how far heads of hair reach, twice: by
 * colour alone, and with the distance from the face as a channel of its own. Where the two disagree the cut is
 * unsure, and that agreement is the score.
 */
export interface Silhouette {
  readonly width: number;
  readonly height: number;
  /** 0..255, soft at the edge. */
  readonly mask: Uint8Array;
  /** RGB floats of the crop. */
  readonly crop: Float32Array;
  /** From the crop's pixels to the photo's. */
  readonly map: Similarity;
  /** 0..1: agreement of the two cuts above the chin. */
  readonly score: number;
  /** Photo pixels to crop pixels. */
  toCrop(x: number, y: number): [number, number];
  /** Lab of the crop in 8 bits: L · 255/100, a + 128, b + 128. */
  readonly lab: Uint8Array;
  /** 1 inside the face's outline (a little shrunk). */
  readonly inFace: Uint8Array;
  /** The face's own coordinates of a crop pixel: a = ±1 at the ears, b = 0 at the chin and 1 at landmark 10. */
  faceFrame(x: number, y: number): [number, number];
  /** 1 where the crop reaches over the photo's edge. */
  readonly outside: Uint8Array;
  /** Whether hair reaches the photo's upper edge, or its sides above the ears, over more than a tenth of the head. */
  readonly cutOff: boolean;
}

/** Crop pixels a unit; the unit is the outer eye distance, or 0.6 of the face's height when that is more. */
const unitPixels = 40;
const halfWidthUnits = 2.4;
const upUnits = 3.1;
const downUnits = 2.6;

const { background, foreground, probablyBackground, probablyForeground } = trimapClasses;

/** How wide the hair may reach: half-width and top in face units, and how low its sides hang. */
interface Envelope {
  readonly half: number;
  readonly top: number;
  readonly bottom: number;
}

/** One way to cut; distances are in halves of a usual head of hair, 1 at its outline. */
interface Recipe {
  readonly envelope: Envelope;
  /** Steps of colour that a unit of distance is worth to the mixtures; 0 leaves it out of them. */
  readonly distanceSteps: number;
  /** Log odds: how fast they fall with the distance, where they are even, and how far they go. */
  readonly slope: number;
  readonly even: number;
  readonly most: number;
}

/** Two ways that fail on different photos. */
const recipes: readonly [Recipe, Recipe] = [
  { envelope: { half: 1.6, top: 1.66, bottom: 0 }, distanceSteps: 0, slope: 10, even: 1.2, most: 10 },
  { envelope: { half: 2.1, top: 1.66, bottom: -0.3 }, distanceSteps: 70, slope: 5, even: 1.3, most: 8 },
];

/** Cuts head and hair out of a photo. */
export function cutSilhouette(
  picture: Picture,
  landmarks: FaceLandmarks,
  yaw: number,
  corrections: Partial<HeadCorrections> | undefined,
): Silhouette {
  const { points, roll, iod } = landmarks;
  const p = (i: number): [number, number] => [points[3 * i], points[3 * i + 1]];
  const [fx, fy] = p(10);
  const [cx, cy] = p(152);
  const unit = Math.max(iod, 0.6 * Math.hypot(fx - cx, fy - cy));
  const scale = unit / unitPixels;
  const width = Math.round(2 * halfWidthUnits * unitPixels);
  const height = Math.round((upUnits + downUnits) * unitPixels);
  const mx = (fx + cx) / 2;
  const my = (fy + cy) / 2;
  const square = cropSimilarity(0, 0, scale, roll, 1);
  const map: Similarity = {
    a: square.a,
    b: square.b,
    tx: mx - square.a * (width / 2) + square.b * (upUnits * unitPixels),
    ty: my - square.b * (width / 2) - square.a * (upUnits * unitPixels),
  };
  const det = map.a * map.a + map.b * map.b;
  const toCrop = (x: number, y: number): [number, number] => [
    (map.a * (x - map.tx) + map.b * (y - map.ty)) / det,
    (-map.b * (x - map.tx) + map.a * (y - map.ty)) / det,
  ];
  const crop = sampleCrop(picture, map, width, height, true);
  const outside = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const px = map.a * (x + 0.5) - map.b * (y + 0.5) + map.tx;
      const py = map.b * (x + 0.5) + map.a * (y + 0.5) + map.ty;
      if (px < 0 || py < 0 || px >= picture.width || py >= picture.height) outside[y * width + x] = 1;
    }
  }
  // The face's own frame: b from the chin (0) to the forehead (1), a = ±1 at the ears.
  const chin = toCrop(cx, cy);
  const brow = toCrop(fx, fy);
  const right = toCrop(...p(234));
  const left = toCrop(...p(454));
  const halfFace = (left[0] - right[0]) / 2;
  const axis = (right[0] + left[0]) / 2;
  const tall = chin[1] - brow[1];
  const shift = Math.max(-0.3, Math.min(0.3, -0.5 * Math.sin((yaw * Math.PI) / 180)));
  const ovalPoints = oval.map((i) => toCrop(...p(i)));
  const inFace = polygonMask(ovalPoints, axis, (chin[1] + brow[1]) / 2, 0.95, width, height);

  const strokes = new Int8Array(width * height).fill(-1);
  for (const stroke of corrections?.strokes ?? []) {
    const r = Math.max(1.5, (stroke.radius * picture.width) / scale);
    for (let i = 0; i + 1 < stroke.points.length; i += 2) {
      const [sx, sy] = toCrop(stroke.points[i] * picture.width, stroke.points[i + 1] * picture.height);
      const steps = i + 3 < stroke.points.length ? 24 : 1;
      const [ex, ey] =
        steps > 1
          ? toCrop(stroke.points[i + 2] * picture.width, stroke.points[i + 3] * picture.height)
          : [sx, sy];
      for (let s = 0; s < steps; s++) {
        const x0 = sx + ((ex - sx) * s) / steps;
        const y0 = sy + ((ey - sy) * s) / steps;
        for (let y = Math.max(0, Math.floor(y0 - r)); y <= Math.min(height - 1, y0 + r); y++) {
          for (let x = Math.max(0, Math.floor(x0 - r)); x <= Math.min(width - 1, x0 + r); x++) {
            if (Math.hypot(x - x0, y - y0) <= r) strokes[y * width + x] = stroke.kind === 'hair' ? 1 : 0;
          }
        }
      }
    }
  }

  const trimap = (envelope: Envelope): Uint8Array => {
    const mask = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) {
      const b = (chin[1] - y - 0.5) / tall;
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const a = (x + 0.5 - axis) / halfFace;
        const e = a - shift;
        const upper = (e / envelope.half) ** 2 + (Math.max(0, b - 0.55) / (envelope.top - 0.55)) ** 2;
        const insideEnvelope = b > 0.55 ? upper < 1 : Math.abs(e) < envelope.half && b > envelope.bottom;
        let value = probablyForeground;
        if (
          !insideEnvelope ||
          b < -0.25 ||
          (Math.abs(a) > 0.62 && b < Math.min(-0.08, envelope.bottom + 0.2))
        )
          value = background;
        else if ((b > 0.55 && upper > 0.62) || b < 0 || (b <= 0.55 && Math.abs(e) > envelope.half * 0.76))
          value = probablyBackground;
        if (outside[i]) value = background;
        if (
          inFace[i] ||
          (b > 0.5 && (a / 0.9) ** 2 + ((b - 0.62) / 0.57) ** 2 < 1) ||
          (Math.abs(a) < 0.3 && b > -0.22 && b < 0.02)
        ) {
          value = outside[i] ? background : foreground;
        }
        if (strokes[i] >= 0) value = strokes[i] ? foreground : background;
        mask[i] = value;
      }
    }
    return mask;
  };

  const lab = toLab(crop);
  const cut = ({ envelope, distanceSteps, slope, even, most }: Recipe): Uint8Array => {
    const channels = distanceSteps ? 4 : 3;
    const values = new Float32Array(channels * width * height);
    const prior = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      const b = (chin[1] - y - 0.5) / tall;
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const a = (x + 0.5 - axis) / halfFace - shift;
        const distance = Math.hypot(a / 1.15, (b - 0.6) / 0.72);
        for (let c = 0; c < 3; c++) values[channels * i + c] = lab[3 * i + c];
        if (distanceSteps) values[channels * i + 3] = Math.min(255, distanceSteps * distance);
        prior[i] = Math.max(-most, Math.min(most, slope * (even - distance)));
      }
    }
    const mask = grabCut({ width, height, channels, values, trimap: trimap(envelope), prior });
    return tidy(mask, width, height, Math.round(axis), Math.round((chin[1] + brow[1]) / 2));
  };
  const first = cut(recipes[0]);
  const second = cut(recipes[1]);
  const judged = judgeDisputes(lab, first, second, {
    width,
    height,
    axis: axis + shift * halfFace,
    from: Math.round(chin[1] - 0.1 * tall),
    sureHair: (x, y) => {
      const a = (x + 0.5 - axis) / halfFace;
      const b = (chin[1] - y - 0.5) / tall;
      return !inFace[y * width + x] && b > 0.62 && (a / 0.92) ** 2 + ((b - 0.62) / 0.55) ** 2 < 1;
    },
    usualHair: (x, y) => {
      const a = (x + 0.5 - axis) / halfFace;
      const b = (chin[1] - y - 0.5) / tall;
      return b > 0.6 && (a / 1.12) ** 2 + ((b - 0.6) / 0.7) ** 2 < 1;
    },
    outside,
  });
  // No skull ends this low: hair above it was taken for background.
  const top = judged.mask.indexOf(1);
  const crownHeight = top < 0 ? 0 : (chin[1] - Math.floor(top / width)) / tall;
  const plausible = Math.min(1, Math.max(0.6, 1 - 4 * (1.24 - crownHeight)));
  for (let i = 0; i < judged.mask.length; i++) if (strokes[i] >= 0) judged.mask[i] = strokes[i];
  let touching = 0;
  for (let i = width; i < Math.round(chin[1] - 0.6 * tall) * width; i++) {
    if (judged.mask[i] && (outside[i - width] || outside[i - 1] || outside[i + 1])) touching++;
  }
  const soft = blur(Float32Array.from(judged.mask), width, height, 1);
  const mask = new Uint8Array(width * height);
  for (let i = 0; i < mask.length; i++) mask[i] = Math.round(255 * soft[i]);
  return {
    width,
    height,
    mask,
    crop,
    map,
    score: Math.round(judged.score * plausible * 1000) / 1000,
    toCrop,
    lab,
    inFace,
    faceFrame: (x, y) => [(x - axis) / halfFace, (chin[1] - y) / tall],
    outside,
    cutOff: touching > 0.2 * halfFace,
  };
}

/** A histogram as probabilities, spread over neighbouring cells so that unseen shades are not impossible. */
export function spreadHistogram(counts: Float32Array, count: number): Float32Array {
  const total = Math.max(1, count);
  const out = new Float32Array(labBins).fill(0.02 / labBins);
  for (let l = 0; l < 16; l++) {
    for (let a = 0; a < 16; a++) {
      for (let b = 0; b < 16; b++) {
        const n = counts[(l << 8) | (a << 4) | b];
        if (!n) continue;
        for (let dl = -2; dl <= 2; dl++) {
          for (let da = -1; da <= 1; da++) {
            for (let db = -1; db <= 1; db++) {
              const [ll, aa, bb] = [l + dl, a + da, b + db];
              if (ll < 0 || aa < 0 || bb < 0 || ll > 15 || aa > 15 || bb > 15) continue;
              const share = ((3 - Math.abs(dl)) * (2 - Math.abs(da)) * (2 - Math.abs(db))) / (9 * 16);
              out[(ll << 8) | (aa << 4) | bb] += (n / total) * share;
            }
          }
        }
      }
    }
  }
  return out;
}

/** Brings the outlines that are wrong by eye below 0.9, where a person is asked to look. */
const doubtWeight = 1.6;

interface DisputeFrame {
  readonly width: number;
  readonly height: number;
  /** Column about which heads are symmetric. */
  readonly axis: number;
  /** Only rows above this one count for the score. */
  readonly from: number;
  /** Pixels that are hair (or a bald scalp) whatever the cuts say. */
  readonly sureHair: (x: number, y: number) => boolean;
  /** Pixels that most heads of hair cover. */
  readonly usualHair: (x: number, y: number) => boolean;
  readonly outside: Uint8Array;
}

/**
 * Settles where two cuts differ, piece by piece: a piece belongs to the head when its colours are rather those
 * of the sure hair above the forehead than those of the agreed background, and when its mirror image is on the
 * head too (hair is full on both sides, a swallowed curtain is not), or lies where most heads have hair. What stays doubtful lowers the score.
 */
function judgeDisputes(
  lab: Uint8Array,
  first: Uint8Array,
  second: Uint8Array,
  frame: DisputeFrame,
): { mask: Uint8Array; score: number } {
  const { width, height, axis, from, sureHair, usualHair, outside } = frame;
  const bin = (i: number): number => labBin(lab, i);
  const hair = new Float32Array(labBins);
  const ground = new Float32Array(labBins);
  let hairCount = 0;
  let groundCount = 0;
  const mask = new Uint8Array(first.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      mask[i] = first[i] & second[i];
      if (sureHair(x, y)) {
        hair[bin(i)] += 1;
        hairCount++;
      } else if (!(first[i] | second[i]) && !outside[i] && y < from + 30) {
        ground[bin(i)] += 1;
        groundCount++;
      }
    }
  }
  const hairShare = spreadHistogram(hair, hairCount);
  const groundShare = spreadHistogram(ground, groundCount);
  const disputed = Uint8Array.from(first, (value, i) => value ^ second[i]);
  let doubt = 0;
  for (let start = 0; start < disputed.length; start++) {
    if (disputed[start] !== 1) continue;
    const piece = flood(disputed, width, height, [start], 1);
    let area = 0;
    let counted = 0;
    let likely = 0;
    let mirrored = 0;
    let usual = 0;
    for (let i = start; i < piece.length; i++) {
      if (!piece[i]) continue;
      disputed[i] = 2;
      area++;
      const x = i % width;
      const y = (i - x) / width;
      if (y < from) counted++;
      const b = bin(i);
      likely += Math.max(-2, Math.min(2, Math.log(hairShare[b] / groundShare[b])));
      const mx = Math.round(2 * axis - x - 1);
      const j = y * width + mx;
      if (usualHair(x, y)) usual++;
      if (mx >= 0 && mx < width && first[j] | second[j]) mirrored++;
    }
    const verdict = likely / area + 3.2 * (mirrored / area - 0.5) + (1.6 * usual) / area;
    if (verdict > 0) for (let i = start; i < piece.length; i++) if (piece[i]) mask[i] = 1;
    doubt += counted * Math.exp(-1.6 * Math.abs(verdict));
  }
  let whole = 0;
  for (let i = 0; i < from * width; i++) whole += mask[i];
  return {
    mask: tidy(mask, width, height, Math.round(axis), Math.round(from - 20)),
    score: Math.max(0, 1 - (doubtWeight * doubt) / Math.max(1, whole)),
  };
}

/** Opens by about two pixels, keeps the piece on the face, fills its holes. */
function tidy(mask: Uint8Array, width: number, height: number, sx: number, sy: number): Uint8Array {
  const eroded = grow(grow(mask, width, height, 0), width, height, 0);
  const opened = grow(grow(eroded, width, height, 1), width, height, 1);
  const cleaned = Uint8Array.from(mask, (value, i) => value & opened[i]);
  const kept = flood(cleaned, width, height, [sy * width + sx], 1);
  const border: number[] = [];
  for (let x = 0; x < width; x++) border.push(x, (height - 1) * width + x);
  for (let y = 0; y < height; y++) border.push(y * width, y * width + width - 1);
  const outside = flood(kept, width, height, border, 0);
  return outside.map((value) => 1 - value);
}

/** Grows the pixels of a value by one, four-connected. */
function grow(mask: Uint8Array, width: number, height: number, value: number): Uint8Array {
  const out = mask.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (mask[i] === value) continue;
      if (
        (x > 0 && mask[i - 1] === value) ||
        (x + 1 < width && mask[i + 1] === value) ||
        (y > 0 && mask[i - width] === value) ||
        (y + 1 < height && mask[i + width] === value)
      ) {
        out[i] = value;
      }
    }
  }
  return out;
}

/** 1 where a pixel of `value` can be reached from the seeds. */
function flood(mask: Uint8Array, width: number, height: number, seeds: number[], value: number): Uint8Array {
  const out = new Uint8Array(mask.length);
  const stack = seeds.filter((i) => mask[i] === value);
  for (const i of stack) out[i] = 1;
  while (stack.length) {
    const i = stack.pop()!;
    const x = i % width;
    for (const j of [
      x > 0 ? i - 1 : -1,
      x + 1 < width ? i + 1 : -1,
      i - width,
      i + width < width * height ? i + width : -1,
    ]) {
      if (j >= 0 && !out[j] && mask[j] === value) {
        out[j] = 1;
        stack.push(j);
      }
    }
  }
  return out;
}
