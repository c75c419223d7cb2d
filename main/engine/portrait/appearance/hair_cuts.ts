import { drawFlow, type HairFlow } from '../hair/hair_flow.ts';
import { growRibbons } from '../hair/hair_ribbons.ts';
import { drawInEdge, type HairSheet, openSheet } from '../hair/hair_sheet.ts';
import { hairDepth } from '../hair/hairline.ts';
import { grain } from '../math/noise.ts';
import { at, clamp, length, smoothstep, subtract, type Vector } from '../math/vector.ts';
import { type Cranium, craniumColumns, craniumRows, gridNormals, smoothGrid } from '../skull/skull.ts';

/** How invented hair is cut. Metres in the face frame; x to the person's left. */
export type HairCut = HangingCut | ShortCut;

/** Hair that hangs over the ears to a straight end. */
export interface HangingCut {
  readonly kind: 'hanging';
  /** How far it stands off the crown. */
  readonly volume: number;
  /** Height at which it ends, beside the face and at the nape. */
  readonly hem: number;
  readonly hemBehind: number;
  /** How far the ends draw in, parts of the width. */
  readonly tuck: number;
  /** Where it is parted, and how much of the scalp shows there, 0..1. */
  readonly parting: number;
  readonly line: number;
  /** How far hair falls over the forehead, by x. */
  readonly fringe: (x: number) => number;
  /** Height of broad locks. */
  readonly locks: number;
}

/** Hair cut short at sides and nape, combed from a parting over the crown. */
export interface ShortCut {
  readonly kind: 'short';
  readonly volume: number;
  /** How far it stands up over the forehead, beside the volume. */
  readonly front: number;
  readonly parting: number;
  readonly line: number;
  readonly locks: number;
}

const count = (craniumRows + 1) * craniumColumns;
/** Axis about which hair hangs. */
const middleZ = -0.02;
/** Height of the brow, where a head is about widest: from here hair falls. */
const falling = 0.018;

const bell = (x: number, middle: number, reach: number): number =>
  smoothstep(reach, 0.2 * reach, Math.abs(x - middle));

/** Grows a cut over the bare head, with ribbons of strands. `face`: 468 × 3 metres. */
export function growCut(cranium: Cranium, face: Float32Array, cut: HairCut): HairSheet {
  const normals = gridNormals(cranium.points);
  const { sheet, presence } =
    cut.kind === 'hanging' ? hang(cranium, normals, face, cut) : lieClose(cranium, normals, cut);
  raiseLocks(sheet, cut);
  drawInEdge(sheet, presence);
  const flow = drawFlow(sheet, (p, normal) => wayOf(p, normal, cut), cut.parting, 6);
  const ribbons = growRibbons({
    sheet,
    // Ribbons go on a little beyond the hair's end.
    presence:
      cut.kind === 'hanging'
        ? presence.map((share, i) => share * smoothstep(cut.hem + 0.008, cut.hem + 0.02, sheet[3 * i + 1]))
        : presence,
    flow,
    seen: clearForehead(sheet),
    long: cut.kind === 'hanging' ? 0.8 : 0,
  });
  return { ...openSheet(sheet, presence), flow, ribbons, coversEars: cut.kind === 'hanging' };
}

/** 1 where no ribbon begins: over the forehead ends would hang before the eyes. */
const clearForehead = (sheet: Float32Array): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => {
    const [, y, z] = at(sheet, i);
    return i < 8 * craniumColumns && y > 0.02 && z > 0.02 ? 1 : 0;
  });

/** From the parting to both sides, and down; short hair to one side over the crown. */
function wayOf(p: Vector, normal: Vector, cut: HairCut): Vector {
  const top = smoothstep(0.35, 0.85, normal[1]);
  const from = p[0] - cut.parting;
  const aside = from === 0 ? 1 : Math.sign(from);
  const front = smoothstep(0.02, 0.06, p[2]);
  if (cut.kind === 'short')
    return [1.1 * aside * top, 0.5 * front - (1 - top), -0.75 * top - 0.3 * (1 - top) + 0.25 * front * top];
  return [
    aside * (1.2 * top + 0.25 * front),
    -0.25 - 0.9 * (1 - top),
    -0.35 * top + 0.15 * front - 0.1 * (1 - top),
  ];
}

interface GrownSheet {
  readonly sheet: Float32Array;
  /** 0..1 a vertex of the cranium's grid. */
  readonly presence: Float32Array;
}

/** A dent along the parting, 1 in it. */
const partingAt = (p: Vector, parting: number): number =>
  bell(p[0], parting, 0.009) * smoothstep(0.02, 0.05, p[1]) * smoothstep(-0.04, 0, p[2]);

function lieClose({ points, centre }: Cranium, normals: Float32Array, cut: ShortCut): GrownSheet {
  const sheet = new Float32Array(3 * count);
  const presence = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const depth = hairDepth(p);
    presence[i] = smoothstep(-0.004, 0.008, depth);
    const d = subtract(p, centre);
    const up = d[1] / length(d);
    const top = smoothstep(0.3, 0.8, up);
    const front = smoothstep(0.01, 0.06, p[2]) * smoothstep(0.035, 0.07, p[1]);
    const nape = 0.35 + 0.65 * smoothstep(-0.06, 0.01, p[1]);
    const full =
      (0.0032 * nape + (cut.volume - 0.0032) * top + cut.front * front) *
      (1 - 0.3 * partingAt(p, cut.parting)) *
      smoothstep(0, front > 0 ? 0.007 : 0.016, depth) ** 0.6;
    const rise = full - 0.002 * smoothstep(0.0045, 0.001, depth);
    for (let c = 0; c < 3; c++) sheet[3 * i + c] = p[c] + normals[3 * i + c] * rise;
    // Over the forehead it leans forward before it goes back.
    sheet[3 * i + 2] += 0.35 * cut.front * front * smoothstep(0, 0.01, depth);
  }
  return { sheet, presence };
}

function hang(
  { points, way }: Cranium,
  normals: Float32Array,
  face: Float32Array,
  cut: HangingCut,
): GrownSheet {
  const sheet = new Float32Array(3 * count);
  const presence = new Float32Array(count);
  const wide = widthByAngle(points);
  const forehead = depthOfFace(face);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const angle = Math.atan2(Math.abs(p[0]), p[2] - middleZ);
    const behind = smoothstep(1.5, 2.3, angle);
    const up = smoothstep(0, 0.08, p[1]);
    const dent = 1 - 0.35 * partingAt(p, cut.parting);
    const full = cut.volume * (0.75 + 0.25 * up) * dent * smoothstep(0, 0.02, way[i] + 0.006);
    const q: Vector = [
      p[0] + normals[3 * i] * full,
      p[1] + normals[3 * i + 1] * full,
      p[2] + normals[3 * i + 2] * full,
    ];
    const hem = cut.hem + (cut.hemBehind - cut.hem) * behind;
    // It comes forward over the temples, and behind the cheeks; its edge lies against them as a lock does.
    const front = 0.66 + 0.42 * smoothstep(0.008, -0.045, p[1]);
    const falls = smoothstep(falling + 0.03, falling - 0.012, p[1]);
    if (falls > 0) {
      const own = Math.hypot(q[0], q[2] - middleZ);
      const bare = Math.hypot(p[0], p[2] - middleZ);
      const down = clamp((falling - p[1]) / (falling - hem), 0, 1.15);
      // Fullest below the ears, drawn in at the ends.
      const r =
        (wide(angle) + 0.85 * cut.volume) * (1 + 0.05 * bell(down, 0.55, 0.6) - cut.tuck * down ** 2.5);
      const edge = 0.25 + 0.75 * smoothstep(front - 0.1, front + 0.42, angle) ** 0.7;
      const to = bare + (Math.max(own, r) - bare) * edge;
      const stretch = 1 + falls * (to / Math.max(0.02, own) - 1);
      q[0] *= stretch;
      q[2] = middleZ + (q[2] - middleZ) * stretch;
    }
    dropFringe(q, i, cut, forehead);
    sheet.set(q, 3 * i);
    const ends = 0.004 * (grain((i % craniumColumns) * 0.37, 3, 91) - 0.5);
    const beside = smoothstep(front, front + 0.16, angle);
    presence[i] =
      smoothstep(hem - 0.007, hem + 0.005, p[1] + ends) * Math.max(beside, smoothstep(0.03, 0.044, p[1]));
  }
  smoothGrid(sheet, craniumRows, craniumColumns, 3);
  return { sheet, presence };
}

/** Rows of the grid that hang over the forehead. */
const fringeRows = 7;

/** Lets the first rows above the forehead hang before it. In place. */
function dropFringe(q: Vector, i: number, cut: HangingCut, forehead: (x: number, y: number) => number): void {
  const row = Math.floor(i / craniumColumns);
  if (row >= fringeRows || q[1] < 0.03) return;
  const drop = cut.fringe(q[0]);
  if (drop <= 0) return;
  const share = (1 - row / fringeRows) ** 1.3 * smoothstep(0.028, 0.05, q[1]);
  const y = q[1] - drop * share;
  const out = forehead(q[0], y) + 0.004 + 0.35 * cut.volume * smoothstep(0, 0.5, 1 - share);
  q[1] = y;
  q[2] += (Math.max(q[2], out) - q[2]) * smoothstep(0, 0.008, drop);
}

/** How far forward the face reaches at a place, metres: the mean of the landmarks about it. */
function depthOfFace(face: Float32Array): (x: number, y: number) => number {
  return (x, y) => {
    let sum = 0;
    let total = 1e-12;
    for (let i = 0; i < 3 * 468; i += 3) {
      const d = (face[i] - x) ** 2 + (face[i + 1] - y) ** 2;
      const w = Math.exp(-d / 1.2e-4);
      sum += w * face[i + 2];
      total += w;
    }
    return sum / total;
  };
}

/** Half-width of the bare head where hair begins to fall, by the angle from the front, both sides alike. */
function widthByAngle(points: Float32Array): (angle: number) => number {
  const bins = 48;
  const width = new Float32Array(bins + 1);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = at(points, i);
    if (Math.abs(y - falling) > 0.014) continue;
    const bin = Math.round((Math.atan2(Math.abs(x), z - middleZ) / Math.PI) * bins);
    width[bin] = Math.max(width[bin], Math.hypot(x, z - middleZ));
  }
  for (let b = 1; b <= bins; b++) if (width[b] === 0) width[b] = width[b - 1];
  for (let b = bins - 1; b >= 0; b--) if (width[b] === 0) width[b] = width[b + 1];
  for (let round = 0; round < 4; round++) {
    const copy = width.slice();
    for (let b = 0; b <= bins; b++)
      width[b] = (copy[Math.max(0, b - 1)] + 2 * copy[b] + copy[Math.min(bins, b + 1)]) / 4;
  }
  return (angle) => {
    const x = clamp((angle / Math.PI) * bins, 0, bins - 0.001);
    const b = Math.floor(x);
    return width[b] + (width[b + 1] - width[b]) * (x - b);
  };
}

/** Metres across the hair from one broad lock to the next. */
const lockWidth = 0.021;

/** Raises broad locks along the way of the hair. In place. */
function raiseLocks(sheet: Float32Array, cut: HairCut): void {
  if (cut.locks === 0) return;
  const flow = drawFlow(sheet, (p, normal) => wayOf(p, normal, cut), cut.parting, 6);
  const normals = gridNormals(sheet);
  for (let i = craniumColumns; i < count; i++) {
    const rise = cut.locks * lockAt(flow, i);
    for (let c = 0; c < 3; c++) sheet[3 * i + c] += rise * normals[3 * i + c];
  }
}

const lockAt = ({ across }: HairFlow, i: number): number => {
  const s = across[i] / lockWidth;
  const row = Math.floor(i / craniumColumns);
  return Math.sin(2 * Math.PI * s + 1.2 * grain(s * 0.5, row * 0.12, 71)) * (0.4 + grain(s, row * 0.1, 72));
};
