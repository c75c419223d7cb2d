import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, length, smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import { drawInEdge, type HairSheet, openSheet } from '@likeness/portrait/hair/hair_sheet.ts';
import { buildRibbons, type RibbonTip } from '@likeness/portrait/hair/strands/hair_ribbons.ts';
import {
  type Cranium,
  craniumColumns,
  craniumRows,
  gridNormals,
  smoothGrid,
} from '@likeness/portrait/skull/skull.ts';
import { cutDepth, cutShare } from './cut_cover.ts';
import { drawFlow } from './drawn_flow.ts';

/** How invented hair is cut. Metres in the face frame; x to the person's left. */
export type HairCut = HangingCut | ShortCut;

/** Hair that hangs over the ears to a straight end. */
export interface HangingCut {
  readonly kind: 'hanging';
  /** How far it stands off the crown. */
  readonly volume: number;
  /** Height at which it ends, beside the face and at the nape. */
  readonly hem: number;
  readonly napeHem: number;
  /** How far the ends draw in, parts of the width. */
  readonly tuck: number;
  /** Where it is parted, and how much of the scalp shows there, 0..1. */
  readonly parting: number;
  readonly line: number;
  /** How far hair falls over the forehead, by x; where absent it is combed up and back from the hairline. */
  readonly fringe?: (x: number) => number;
  /** How far over the forehead it is combed aside rather than down, 0..1. */
  readonly sweep: number;
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

/** Builds a cut over the bare head, with ribbons of strands. `face`: 468 × 3 metres. */
export function buildHairCut(cranium: Cranium, face: Float32Array, cut: HairCut): HairSheet {
  const normals = gridNormals(cranium.points);
  const { sheet, coverage } =
    cut.kind === 'hanging' ? hang(cranium, normals, face, cut) : lieClose(cranium, normals, cut);
  raiseLocks(sheet, coverage, cut);
  drawInEdge(sheet, coverage);
  const flow = drawFlow(sheet, (p, normal) => wayOf(p, normal, cut), 6);
  const ribbons = buildRibbons({
    sheet,
    coverage,
    flow,
    seen: coveredAlready(cranium, sheet, cut),
    long: cut.kind === 'hanging' ? 0.8 : 0.1,
    tones: [0.93, 0.2],
    ...(cut.kind === 'hanging' ? { max: 80, tips: hemTips(sheet, coverage, cut) } : { max: 190 }),
  });
  return { ...openSheet(sheet, coverage), flow, ribbons, coversEars: cut.kind === 'hanging' };
}

/**
 * 1 where no ribbon begins: over the forehead ends would hang before the eyes, and where short hair is clipped
 * there is nothing to stand off the head.
 */
const coveredAlready = ({ points }: Cranium, sheet: Float32Array, cut: HairCut): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => {
    if (cut.kind === 'short') return smoothstep(2.2, 1.4, cutShare(at(points, i), 'short'));
    const [x, y, z] = at(sheet, i);
    // At a parting strands go apart, and a ribbon across it stands up.
    if (Math.abs(x - cut.parting) < 0.014 && y > 0.05) return 1;
    // Over the ends lie ribbons of their own: light goes through few layers of alpha in a ray tracer.
    if (y < cut.hem + 0.05) return 1;
    return i < 8 * craniumColumns && y > 0.02 && z > 0.02 ? 1 : 0;
  });

/** From the parting to both sides, and down; short hair to one side over the crown, up from the forehead. */
function wayOf(p: Vector, normal: Vector, cut: HairCut): Vector {
  const top = smoothstep(0.35, 0.85, normal[1]);
  const from = p[0] - cut.parting;
  const aside = from === 0 ? 1 : Math.sign(from);
  const front = smoothstep(0.02, 0.06, p[2]);
  if (cut.kind === 'short') {
    const up = smoothstep(0.035, 0.06, p[2]) * smoothstep(0.062, 0.045, Math.abs(p[0])) * (1 - top);
    return [
      (aside > 0 ? 0.8 : -0.75) * top - 0.35 * up,
      up - (1 - top) * (1 - up),
      -0.85 * top - 0.35 * (1 - top) * (1 - up),
    ];
  }
  const back = sweptBack(p, cut);
  return [
    aside * (1.2 * top + (0.25 + 1.1 * cut.sweep) * front),
    (-0.25 - 0.9 * (1 - top)) * (1 - back) + 0.6 * back * (1 - top),
    (-0.35 * top + 0.15 * front - 0.1 * (1 - top)) * (1 - back) - 0.7 * back,
  ];
}

/** 1 over the forehead where hair goes up and back from the hairline, as none falls over it. */
export const sweptBack = ([, y, z]: Vector, { fringe }: HangingCut): number =>
  fringe ? 0 : smoothstep(0.018, 0.036, y) * smoothstep(0, 0.02, z);

interface GrownSheet {
  readonly sheet: Float32Array;
  /** 0..1 a vertex of the cranium's grid. */
  readonly coverage: Float32Array;
}

/** A dent along the parting, 1 in it. */
const partingAt = (p: Vector, parting: number): number =>
  bell(p[0], parting, 0.009) * smoothstep(0.02, 0.05, p[1]) * smoothstep(-0.04, 0, p[2]);

function lieClose({ points, centre }: Cranium, normals: Float32Array, cut: ShortCut): GrownSheet {
  const sheet = new Float32Array(3 * count);
  const coverage = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const depth = cutDepth(p, 'short');
    const share = cutShare(p, 'short');
    coverage[i] = smoothstep(-0.25, 1, share);
    const d = subtract(p, centre);
    const up = d[1] / length(d);
    const top = smoothstep(0.45, 0.9, up);
    const front = smoothstep(0.03, 0.06, p[2]) * smoothstep(0.035, 0.06, p[1]);
    const nape = 0.45 + 0.55 * smoothstep(-0.05, 0.02, p[1]);
    // Highest behind the forehead, where it is combed up before it goes back.
    const quiff = cut.front * front * smoothstep(0, 0.02, depth);
    const full =
      (0.0042 * nape + (cut.volume - 0.0042) * top) * (1 - 0.25 * partingAt(p, cut.parting)) + quiff;
    // At sides and nape it is clipped: it stands off the skin no sooner than it covers it.
    const rises = Math.min(smoothstep(0.1, 1.4, share), smoothstep(0, 0.006 + 0.016 * front, depth) ** 0.7);
    const rise = full * rises - 0.0013 * smoothstep(0.38, 0.06, share);
    for (let c = 0; c < 3; c++) sheet[3 * i + c] = p[c] + normals[3 * i + c] * rise;
  }
  return { sheet, coverage };
}

function hang(
  { points, columnDistance }: Cranium,
  normals: Float32Array,
  face: Float32Array,
  cut: HangingCut,
): GrownSheet {
  const sheet = new Float32Array(3 * count);
  const coverage = new Float32Array(count);
  const wide = widthByAngle(points);
  const forehead = depthOfFace(face);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    const angle = Math.atan2(Math.abs(p[0]), p[2] - middleZ);
    const behind = smoothstep(1.5, 2.3, angle);
    const up = smoothstep(0, 0.08, p[1]);
    const dent = 1 - 0.35 * partingAt(p, cut.parting);
    const swept = sweptBack(p, cut);
    const share = cutShare(p, 'short');
    const rooted = Math.min(smoothstep(0.1, 1.4, share), smoothstep(0, 0.022, cutDepth(p, 'short')) ** 0.6);
    const rises = swept * rooted + (1 - swept) * smoothstep(0, 0.02, columnDistance[i] + 0.006);
    const full = cut.volume * (0.75 + 0.25 * up) * dent * rises;
    const q: Vector = [
      p[0] + normals[3 * i] * full,
      p[1] + normals[3 * i + 1] * full,
      p[2] + normals[3 * i + 2] * full,
    ];
    const hem = cut.hem + (cut.napeHem - cut.hem) * behind;
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
      // Below the jaw it hangs free of the neck.
      const free = Math.max(edge, 0.95 * smoothstep(-0.045, -0.075, p[1]));
      const to = bare + (Math.max(own, r) - bare) * free;
      const stretch = 1 + falls * (to / Math.max(0.02, own) - 1);
      q[0] *= stretch;
      q[2] = middleZ + (q[2] - middleZ) * stretch;
    }
    dropFringe(q, i, cut, forehead);
    coverCheek(q, p, i);
    sheet.set(q, 3 * i);
    const beside = smoothstep(front, front + 0.16, angle);
    const covered = Math.max(beside, smoothstep(0.03, 0.044, p[1]));
    const line = 1 - swept * (1 - smoothstep(-0.25, 1, share));
    coverage[i] = smoothstep(hem - 0.003, hem + 0.009, p[1]) * covered * line;
  }
  smoothGrid(sheet, craniumRows, craniumColumns, 3);
  for (let i = 0; i < count; i++) {
    const p = at(points, i);
    // At the hairline it grows out of the skin.
    const rooted = sweptBack(p, cut) * smoothstep(1.3, 0.5, cutShare(p, 'short'));
    for (let c = 0; c < 3; c++)
      sheet[3 * i + c] += (p[c] - 0.0013 * normals[3 * i + c] - sheet[3 * i + c]) * rooted;
  }
  return { sheet, coverage };
}

/** Rows of the grid that hang over the forehead. */
const fringeRows = 7;

/** Lets the first rows above the forehead hang before it. In place. */
function dropFringe(q: Vector, i: number, cut: HangingCut, forehead: (x: number, y: number) => number): void {
  const row = Math.floor(i / craniumColumns);
  if (!cut.fringe || row >= fringeRows || q[1] < 0.03) return;
  const drop = cut.fringe(q[0]);
  if (drop <= 0) return;
  const share = (1 - row / fringeRows) ** 1.3 * smoothstep(0.028, 0.05, q[1]);
  const y = q[1] - drop * share;
  const out = forehead(q[0], y) + 0.0085 + 0.35 * cut.volume * smoothstep(0, 0.5, 1 - share);
  q[1] = y;
  q[2] += (Math.max(q[2], out) - q[2]) * smoothstep(0, 0.008, drop);
}

/** How far hanging hair comes forward before a cheek, and how close its edge lies on it, metres. */
const overCheek = { forward: 0.022, off: 0.002 } as const;
/** Rows of the grid over which it comes there. */
const cheekRows = 12;

/**
 * Lays the first rows beside a cheek on it. The grid begins at the face's oval; hair that stands off behind it leaves a
 * pale strip of cheek visible from 35°. In place.
 */
function coverCheek(q: Vector, p: Vector, i: number): void {
  const row = Math.floor(i / craniumColumns);
  const share =
    smoothstep(cheekRows, 0, row) * smoothstep(0.022, -0.004, p[1]) * smoothstep(-0.085, -0.05, p[1]);
  q[0] += (Math.sign(p[0]) * (Math.abs(p[0]) + overCheek.off) - q[0]) * share;
  q[2] += overCheek.forward * share;
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

/** Radians round the head from one broad lock to the next. */
const lockWidth = 0.24;

/** Raises broad locks along the hair. In place. */
function raiseLocks(sheet: Float32Array, coverage: Float32Array, cut: HairCut): void {
  if (cut.locks === 0) return;
  const normals = gridNormals(sheet);
  for (let i = craniumColumns; i < count; i++) {
    const rise = cut.locks * lockAt(sheet, i) * smoothstep(0.6, 1, coverage[i]);
    for (let c = 0; c < 3; c++) sheet[3 * i + c] += rise * normals[3 * i + c];
  }
}

const lockAt = (sheet: Float32Array, i: number): number => {
  const s = Math.atan2(sheet[3 * i], sheet[3 * i + 2] - middleZ) / lockWidth;
  const row = Math.floor(i / craniumColumns);
  return Math.sin(2 * Math.PI * s + 1.2 * grain(s * 0.5, row * 0.12, 71)) * (0.4 + grain(s, row * 0.1, 72));
};

/** Metres along the hair's end between two ribbons that hide it, and from their roots to it. */
const tipSpacing = 0.0088;
const tipRoots = [0.011, 0.008] as const;

/**
 * Ribbons over the ends of hanging hair, where the sheet's edge would be a board's: along the hem, a fringe and
 * the locks beside the face. Two layers, the second a little longer.
 */
function hemTips(sheet: Float32Array, coverage: Float32Array, cut: HangingCut): RibbonTip[] {
  const tips: RibbonTip[] = [];
  for (const [layer, rooted] of tipRoots.entries()) {
    const long = 1.15 * rooted + 0.015 + 0.002 * layer;
    const edges = [
      { endOf: (column: number) => hemOf(sheet, coverage, column, cut), due: 0.5 + 0.5 * layer },
      { endOf: (column: number) => fringeOf(sheet, column, cut), due: 0.5 * layer },
    ].map((edge) => ({ ...edge, last: undefined as Vector | undefined }));
    for (let k = 0; k <= craniumColumns; k++) {
      const column = k % craniumColumns;
      for (const edge of edges) {
        const end = edge.endOf(column);
        const before = edge.last;
        const p = end && at(sheet, end.row * craniumColumns + column);
        edge.last = p;
        if (!p || !before) continue;
        edge.due += length(subtract(p, before)) / tipSpacing;
        if (edge.due < 1) continue;
        edge.due -= 1;
        const row = goBack(sheet, end, column, rooted);
        tips.push({ row, column: column + 0.3 * layer, length: long, width: 0.0135, inside: layer === 1 });
      }
    }
  }
  return tips;
}

/** An end of hair in a column, and by which step of rows one goes back along it. */
interface HairEnd {
  readonly row: number;
  readonly back: 1 | -1;
}

/** Where hair ends at the hem in a column. */
function hemOf(
  sheet: Float32Array,
  coverage: Float32Array,
  column: number,
  { hem, napeHem }: HangingCut,
): HairEnd | undefined {
  for (let row = craniumRows; row > 0; row--) {
    const i = row * craniumColumns + column;
    if (coverage[i] < 0.6) continue;
    return sheet[3 * i + 1] < Math.max(hem, napeHem) + 0.03 ? { row, back: -1 } : undefined;
  }
  return undefined;
}

/** Where a fringe ends in a column: at the face's oval, row 0. */
function fringeOf(sheet: Float32Array, column: number, cut: HangingCut): HairEnd | undefined {
  const [x, y] = at(sheet, column);
  return y > 0.015 && cut.fringe && cut.fringe(x) > 0.004 ? { row: 0, back: 1 } : undefined;
}

/** The row so many metres back from an end of hair. */
function goBack(sheet: Float32Array, { row, back }: HairEnd, column: number, metres: number): number {
  let left = metres;
  for (let r = row; r + back >= 0 && r + back <= craniumRows; r += back) {
    const step = length(
      subtract(at(sheet, (r + back) * craniumColumns + column), at(sheet, r * craniumColumns + column)),
    );
    if (step >= left) return r + (back * left) / step;
    left -= step;
  }
  return row;
}
