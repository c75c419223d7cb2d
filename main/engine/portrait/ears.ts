import type { Hood, Sex } from './skull.ts';
import { hoodColumns, hoodRows } from './skull.ts';
import { at, smoothstep, type Vector } from './vector.ts';

/** One ear: a patch of `rings` × `spokes` vertices, the left one; the right one is its mirror image. */
export interface Ear {
  readonly points: Float32Array;
  /** 0..1 a vertex: how much light reaches it. */
  readonly light: Float32Array;
  /** Place in the ear's own square, 0..1. */
  readonly patch: Float32Array;
  readonly triangles: Uint32Array;
}

const spokes = 40;

/** Outline of the pinna about its concha, mm: every 30° from straight back, upwards. */
const outline = [20, 24.5, 30, 31, 26.5, 14.5, 9.5, 9, 12, 24.5, 26, 21];

/** Section from the ear canal outwards: share of the outline, height above the ear's plane in mm, light. */
const section: readonly (readonly [number, number, number])[] = [
  [0, -7, 0.45],
  [0.14, -6.5, 0.5],
  [0.28, -5, 0.6],
  [0.4, -1.5, 0.76],
  [0.5, 3, 0.95],
  [0.58, 4.6, 1],
  [0.66, 3.6, 0.95],
  [0.75, 1.2, 0.8],
  [0.83, 1.6, 0.82],
  [0.89, 4.4, 0.98],
  [0.95, 5.4, 1.02],
  [1, 4.2, 1],
  [1.01, 1.8, 0.95],
  [0.96, -0.6, 0.86],
  [0.86, -3, 0.74],
  [0.7, -7, 0.64],
  [0.55, -13, 0.55],
];

function outlineAt(angle: number): number {
  const x = ((angle / (2 * Math.PI)) * 12 + 12) % 12;
  const i = Math.floor(x);
  const t = x - i;
  const [a, b, c, d] = [-1, 0, 1, 2].map((k) => outline[(i + k + 12) % 12]!) as [
    number,
    number,
    number,
    number,
  ];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/**
 * Grows the left ear on the hood between the height of the brow and that of the nose's base, its plane turned
 * some 25° away from the head. Photos from the front show little of it, hence a default ear by sex.
 */
export function growEar(face: Float32Array, hood: Hood, sex: Sex): Ear {
  const top = (face[3 * 334 + 1]! + face[3 * 105 + 1]!) / 2 + 0.002;
  const bottom = face[3 * 2 + 1]! - 0.001;
  const size = ((sex === 'male' ? 0.063 : 0.0585) / 0.0555 + (top - bottom) / 0.0555) / 2;
  const mm = 0.001 * Math.min(1.2, Math.max(0.95, size));
  const y = top - 31 * mm;
  const z = -0.0125;
  const x = surfaceX(hood, y, z) + 0.001;
  const count = section.length * spokes;
  const points = new Float32Array(count * 3);
  const light = new Float32Array(count);
  const patch = new Float32Array(count * 2);
  const open = (sex === 'male' ? 27 : 23) * (Math.PI / 180);
  const tilt = 10 * (Math.PI / 180);
  const slope = Math.atan2(surfaceX(hood, y, z + 0.012) - surfaceX(hood, y, z - 0.025), 0.037);
  for (let ring = 0; ring < section.length; ring++) {
    const [share, height, bright] = section[ring]!;
    for (let k = 0; k < spokes; k++) {
      const angle = (2 * Math.PI * k) / spokes;
      const r = outlineAt(angle) * share;
      // Towards the cheek the folds flatten out; the lobe is plain; the tragus stands before the canal.
      const front = smoothstep(-0.35, -0.85, Math.cos(angle));
      const lobe = smoothstep(-0.55, -0.9, Math.sin(angle));
      let h = height;
      if (ring < 12) h = h * (1 - 0.8 * front) * (1 - 0.75 * lobe) - 1.5 * front + 2.2 * lobe * share;
      if (front > 0 && ring >= 4 && ring < 9)
        h += 3 * front * Math.exp(-(((angle - Math.PI * 1.03) / 0.35) ** 2));
      if (ring >= 12) h -= 5 * front;
      const a = Math.cos(angle) * r;
      const b = Math.sin(angle) * r;
      const back = a * Math.cos(tilt) + b * Math.sin(tilt);
      const up = b * Math.cos(tilt) - a * Math.sin(tilt);
      const out = h + Math.max(-4, back + 9) * Math.sin(open);
      const along = back * Math.cos(open);
      const i = ring * spokes + k;
      const p: Vector = [
        x + (out * Math.cos(slope) - along * Math.sin(slope)) * mm - 0.003,
        y + up * mm,
        z - (along * Math.cos(slope) + out * Math.sin(slope) * 0.5) * mm,
      ];
      points.set(p, 3 * i);
      light[i] = bright * (1 - 0.12 * front) + (ring < 12 ? (1 - bright) * 0.6 * Math.max(front, lobe) : 0);
      const span = ring < 12 ? share * 0.72 : 0.74 + (0.26 * (ring - 12)) / (section.length - 13);
      patch[2 * i] = 0.5 + 0.48 * span * Math.cos(angle);
      patch[2 * i + 1] = 0.5 - 0.48 * span * Math.sin(angle);
    }
  }
  const triangles: number[] = [];
  for (let ring = 0; ring + 1 < section.length; ring++) {
    for (let k = 0; k < spokes; k++) {
      const a = ring * spokes + k;
      const b = ring * spokes + ((k + 1) % spokes);
      // Outward for the left ear: +x. Spokes run back, up, front, which seen from +x turns clockwise.
      if (ring > 0) triangles.push(a, a + spokes, b);
      triangles.push(b, a + spokes, b + spokes);
    }
  }
  return { points, light, patch, triangles: Uint32Array.from(triangles) };
}

/** Half-width of the hood at a height and depth: the mean of its nearest points, left side. */
function surfaceX(hood: Hood, y: number, z: number): number {
  let sum = 0;
  let weight = 0;
  for (let i = 0; i < (hoodRows + 1) * hoodColumns; i++) {
    const p = at(hood.points, i);
    if (p[0] < 0.02) continue;
    const w = Math.exp(-((p[1] - y) ** 2 + (p[2] - z) ** 2) / 3e-5);
    sum += w * p[0];
    weight += w;
  }
  return weight > 1e-9 ? sum / weight : hood.halfWidth;
}
