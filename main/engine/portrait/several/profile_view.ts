import type { FaceFit, PhotoPose } from '../fit/face_fit.ts';
import { solve } from '../fit/photo_light.ts';
import type { FaceBox } from '../landmarks/landmarks.ts';
import { at, clamp } from '../math/vector.ts';
import { grabCut, trimapClasses } from '../matte/grab_cut.ts';
import { tidyMask } from '../matte/mask_morphology.ts';
import { toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { cropSimilarity, readGrid, sampleCrop } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import { surfaceByProfile } from './learnt_profile.ts';

/** The face's middle line from the hairline to the chin, landmarks from above. */
export const middleLine = [
  10, 151, 9, 8, 168, 6, 197, 195, 5, 4, 1, 19, 94, 2, 164, 0, 11, 12, 13, 14, 15, 16, 17, 18, 200, 199, 175,
  152,
] as const;

/** A photo from the side, beyond the turn up to which the mesh network sees a face. */
export interface ProfileView {
  readonly pose: PhotoPose;
  /** How far head and hair cover a place of the photo, 0..1. */
  inside(x: number, y: number): number;
  /** By the middle line's points: how far further forward the photo shows them than the face has them, metres. */
  readonly forward: readonly number[];
  /** Mean distance of the middle line from the photo's after its own share was taken out, metres. */
  readonly residual: number;
}

/** What is cut of the photo, metres and pixels a side. */
const cropMetres = 0.4;
const cropSide = 333;
/** No middle line fits worse, metres, where the outline is the face's; nor stands otherwise than the marks tell. */
const mostResidual = 0.0008;
/** The marks of a face from the side lie wider than its own: by the median of sixteen known heads. */
const marksTooWide = 1.1;
const [leastSize, mostSize, mostTurn] = [0.85, 1.18, 0.6];

/** Where the face's origin lies, pixels; pixels a metre; how far it looks up or down, radians. */
export type Stand = Readonly<{ s: number; turn: number; tx: number; ty: number }>;
interface Laid {
  readonly stand: Stand;
  readonly forward: readonly number[];
  readonly residual: number;
}
type Point = readonly [number, number];

/**
 * Lays a face over a photo that shows it from the side: first by the detector's six marks, then by the outline from
 * the forehead to the chin.
 *
 * @returns null where no outline of a face is found
 */
export function fitProfile(picture: Picture, box: FaceBox, fit: FaceFit): ProfileView | null {
  const { marks } = box;
  const side = marks[0] + marks[2] > marks[8] + marks[10] ? 1 : -1;
  const start = standByMarks(marks, fit.neutral, side);
  const cut = cutHead(picture, start, side, fit);
  const laid = layProfile(cut, start, side, fit);
  if (!laid) return null;
  const { stand, forward, residual } = laid;
  const size = stand.s / start.s;
  const isPlausible = size > leastSize && size < mostSize && Math.abs(stand.turn) < mostTurn;
  if (!isPlausible || residual > mostResidual) return null;
  // The eyes keep their place in the face, and its middle line comes forward: so the head stands further back.
  const told = surfaceByProfile(forward);
  const mean = middleLine.reduce<number>((sum, i) => sum + told[i] / middleLine.length, 0);
  return { pose: poseOf(movedOut(stand, side, -mean), side), inside: cut.inside, forward, residual };
}

/** Lays a face along the outline of a head that is cut out; null where there is none. */
export function layProfile(cut: HeadCut, start: Stand, side: number, fit: FaceFit): Laid | null {
  const contour = faceContour(cut, start, side, fit);
  return contour.length < 60 ? null : alongContour(middlePoints(fit), contour, start, side);
}

/** Height and depth of the middle line on the fine surface: subdivision draws it in. */
function middlePoints({ neutral }: FaceFit): Point[] {
  const fine = fineFace.refine(neutral, 3);
  return middleLine.map((i) => [fine[3 * i + 1], fine[3 * i + 2]]);
}

const place = ({ s, turn, tx, ty }: Stand, side: number, [y, z]: Point): [number, number] => {
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return [tx + s * (side * z * c - y * n), ty - s * (side * z * n + y * c)];
};

function poseOf({ s, turn, tx, ty }: Stand, side: number): PhotoPose {
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return {
    x: [0, 0, -side],
    y: [-n, c, 0],
    z: [side * c, side * n, 0],
    scale: s,
    tx,
    ty,
    yaw: 90 * side,
    pitch: (side * turn * 180) / Math.PI,
    roll: 0,
  };
}

/** By eyes, mouth, ears and, a little, the nose, which the detector places before the face. */
function standByMarks(marks: readonly number[], face: Float32Array, side: number): Stand {
  const middle = (...points: number[]): Point => {
    const all = points.map((i) => at(face, i));
    const mean = (c: 1 | 2): number => all.reduce((sum, p) => sum + p[c] / all.length, 0);
    return [mean(1), mean(2)];
  };
  const seen = (k: number, l: number): Point => [
    (marks[2 * k] + marks[2 * l]) / 2,
    (marks[2 * k + 1] + marks[2 * l + 1]) / 2,
  ];
  const pairs: readonly (readonly [Point, Point, number])[] = [
    [middle(landmark.leftEyeOuter, landmark.leftEyeInner), seen(0, 1), 1],
    [middle(landmark.noseTip), seen(2, 2), 0.3],
    [middle(landmark.upperLipInner), seen(3, 3), 1],
    [middle(landmark.leftTragus), seen(4, 5), 0.5],
  ];
  const total = pairs.reduce((sum, [, , w]) => sum + w, 0);
  const mean = (of: (pair: (typeof pairs)[number]) => number): number =>
    pairs.reduce((sum, pair) => sum + (pair[2] * of(pair)) / total, 0);
  const [mu, mv] = [mean(([p]) => side * p[1]), mean(([p]) => p[0])];
  const [mx, my] = [mean(([, q]) => q[0]), mean(([, q]) => -q[1])];
  const along = mean(([p, q]) => (side * p[1] - mu) * (q[0] - mx) + (p[0] - mv) * (-q[1] - my));
  const across = mean(([p, q]) => (side * p[1] - mu) * (-q[1] - my) - (p[0] - mv) * (q[0] - mx));
  const size = mean(([p]) => (side * p[1] - mu) ** 2 + (p[0] - mv) ** 2);
  const s = Math.hypot(along, across) / size / marksTooWide;
  const turn = Math.atan2(across, along);
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return { s, turn, tx: mx - s * (mu * c - mv * n), ty: -(my - s * (mu * n + mv * c)) };
}

interface HeadCut {
  inside(x: number, y: number): number;
}

/** Cuts head and hair out: by what the front photo says of the face, and how far heads reach behind it. */
function cutHead(picture: Picture, stand: Stand, side: number, { neutral }: FaceFit): HeadCut {
  const [cx, cy] = place(stand, side, [0.02, -0.005]);
  const map = cropSimilarity(cx, cy, cropMetres * stand.s, 0, cropSide);
  const rgb = sampleCrop(picture, map, cropSide, cropSide, true);
  const lab = toLab(rgb);
  const count = cropSide * cropSide;
  const trimap = new Uint8Array(count);
  const prior = new Float32Array(count);
  const line = middleLine.map((i) => at(neutral, i));
  const [top, chin] = [neutral[3 * landmark.foreheadTop + 1], neutral[3 * landmark.chin + 1]];
  const depthAt = (y: number): number => {
    const below = line.findIndex((p) => p[1] <= y);
    if (below <= 0) return line[below === 0 ? 0 : line.length - 1][2];
    const [p, q] = [line[below - 1], line[below]];
    return p[2] + ((q[2] - p[2]) * (p[1] - y)) / Math.max(1e-6, p[1] - q[1]);
  };
  const [c, n] = [Math.cos(stand.turn), Math.sin(stand.turn)];
  for (let row = 0; row < cropSide; row++) {
    for (let column = 0; column < cropSide; column++) {
      const i = row * cropSide + column;
      const px = map.a * (column + 0.5) + map.tx;
      const py = map.a * (row + 0.5) + map.ty;
      const [u, v] = [(px - stand.tx) / stand.s, -(py - stand.ty) / stand.s];
      const z = side * (u * c + v * n);
      const y = v * c - u * n;
      const isOutside = px < 0 || py < 0 || px >= picture.width || py >= picture.height;
      const front = depthAt(clamp(y, chin, top));
      const skull = Math.hypot((y - 0.015) / 0.065, (z + 0.012) / 0.072);
      const isFace = y > chin + 0.012 && y < top && z > -0.02 && z < front - 0.018;
      const isBefore = z > front + 0.03 || (y < chin - 0.012 && z > 0.05);
      const far = Math.hypot((y - 0.01) / 0.13, (z + 0.012) / 0.125);
      if (isOutside || isBefore || far > 1.55) trimap[i] = trimapClasses.background;
      else if (isFace || skull < 1) trimap[i] = trimapClasses.foreground;
      else trimap[i] = far > 1.2 ? trimapClasses.probablyBackground : trimapClasses.probablyForeground;
      prior[i] = clamp(7 * (1.25 - far), -7, 7);
    }
  }
  const mask = grabCut({
    width: cropSide,
    height: cropSide,
    channels: 3,
    values: Float32Array.from(lab),
    trimap,
    prior,
  });
  const tidy = tidyMask(mask, cropSide, cropSide, cropSide >> 1, cropSide >> 1);
  const soft = blur(Float32Array.from(tidy), cropSide, cropSide, 1);
  return {
    inside: (x, y) => {
      const [px, py] = [(x - map.tx) / map.a, (y - map.ty) / map.a];
      if (px < 0 || py < 0 || px > cropSide || py > cropSide) return 0;
      return readGrid(soft, cropSide, cropSide, px, py);
    },
  };
}

/** Where the face ends before the background, row by row from the forehead to the chin; picture pixels. */
function faceContour({ inside }: HeadCut, stand: Stand, side: number, { neutral }: FaceFit): Point[] {
  const top = neutral[3 * landmark.foreheadTop + 1] + 0.008;
  const bottom = neutral[3 * landmark.chin + 1] - 0.012;
  const points: Point[] = [];
  const step = 0.0005;
  for (let y = top; y > bottom; y -= 0.001) {
    let before = 0;
    for (let z = 0.15; z > 0; z -= step) {
      const [px, py] = place(stand, side, [y, z]);
      const now = inside(px, py);
      if (now >= 0.5) {
        const share = (0.5 - before) / Math.max(1e-6, now - before);
        points.push(place(stand, side, [y, z + step * (1 - share)]));
        break;
      }
      before = now;
    }
  }
  return points;
}

/** How far the marks' pose errs, how far a face's middle line strays, how far tip and root of the nose shift; metres. */
const deviations = { scale: 0.035, turn: 0.06, forward: 0.005, tip: 0.0025, root: 0.004 };
const rounds = 30;

/**
 * Pose and shape in turns: the pose by point and line, with what the middle line may stand further out than the front
 * photo told held to some millimetres.
 */
function alongContour(line: readonly Point[], contour: readonly Point[], start: Stand, side: number): Laid {
  let stand = start;
  let forward = line.map(() => 0);
  let residual = 0;
  const own = noseOf(
    line.map(([y, z]) => [side * z, -y]),
    side,
  );
  const theirs = noseOf(contour, side);
  for (let round = 0; round < rounds; round++) {
    const a = new Float64Array(16);
    const b = new Float64Array(4);
    const off: number[] = [];
    residual = 0;
    const weight = 1 / 0.001;
    for (const [i, [y, z]] of line.entries()) {
      const moved: Point = [y, z + forward[i]];
      const [px, py] = place(stand, side, moved);
      const { distance, normal } = nearest(contour, px, py);
      const relative: Point = [px - stand.tx, py - stand.ty];
      // By the scale's logarithm, the turn, both shifts.
      const rows = [
        normal[0] * relative[0] + normal[1] * relative[1],
        normal[0] * relative[1] - normal[1] * relative[0],
        normal[0],
        normal[1],
      ];
      const w = weight / stand.s;
      const say = 1 / (1 + (distance / (0.004 * stand.s)) ** 2);
      for (let p = 0; p < 4; p++) {
        b[p] += say * w * w * rows[p] * distance;
        for (let q = 0; q <= p; q++) a[4 * p + q] += say * w * w * rows[p] * rows[q];
      }
      // How far to go along the face's depth to meet the contour.
      const depth: Point = [side * Math.cos(stand.turn), -side * Math.sin(stand.turn)];
      const facing = normal[0] * depth[0] + normal[1] * depth[1];
      off.push(Math.abs(facing) > 0.25 ? distance / facing / stand.s : 0);
      residual += Math.abs(distance) / stand.s / line.length;
    }
    // A line can slide along a line: tip and root of the nose hold it.
    const up: Point = [-Math.sin(stand.turn), -Math.cos(stand.turn)];
    for (const [i, k, error] of [
      [own.tip, theirs.tip, deviations.tip],
      [own.root, theirs.root, deviations.root],
    ] as const) {
      const [y, z] = line[i];
      const [px, py] = place(stand, side, [y, z + forward[i]]);
      const relative: Point = [px - stand.tx, py - stand.ty];
      const rows = [
        up[0] * relative[0] + up[1] * relative[1],
        up[0] * relative[1] - up[1] * relative[0],
        up[0],
        up[1],
      ];
      const off = up[0] * (contour[k][0] - px) + up[1] * (contour[k][1] - py);
      const w = 3 / (error * stand.s);
      for (let p = 0; p < 4; p++) {
        b[p] += w * w * rows[p] * off;
        for (let q = 0; q <= p; q++) a[4 * p + q] += w * w * rows[p] * rows[q];
      }
    }
    a[0] += 1 / deviations.scale ** 2;
    b[0] += Math.log(start.s / stand.s) / deviations.scale ** 2;
    a[5] += 1 / deviations.turn ** 2;
    b[1] += (start.turn - stand.turn) / deviations.turn ** 2;
    const step = solve(a, b);
    stand = {
      s: stand.s * Math.exp(step[0]),
      turn: stand.turn + step[1],
      tx: stand.tx + step[2],
      ty: stand.ty + step[3],
    };
    // First the face as it is, then its own shape.
    if (round < 8) continue;
    const share = deviations.forward ** 2 / (deviations.forward ** 2 + 0.0015 ** 2);
    forward = smooth(
      forward.map((value, i) => clamp(value + 0.5 * (share * (value + off[i]) - value), -0.012, 0.012)),
    );
  }
  const mean = forward.reduce((sum, value) => sum + value / forward.length, 0);
  // What all of it stands further out is where the head stands.
  return { stand: movedOut(stand, side, mean), forward: forward.map((value) => value - mean), residual };
}

/** A stand further out, the way the face looks, by some metres. */
const movedOut = (stand: Stand, side: number, metres: number): Stand => ({
  ...stand,
  tx: stand.tx + stand.s * metres * side * Math.cos(stand.turn),
  ty: stand.ty - stand.s * metres * side * Math.sin(stand.turn),
});

/** Where the nose's tip is looked for, in parts of the way from forehead to chin. */
const [leastTip, mostTip] = [0.42, 0.72];

/** Tip and root of the nose on a line from forehead to chin: furthest out, and furthest in on the way there. */
function noseOf(line: readonly Point[], side: number): { tip: number; root: number } {
  const [first, last] = [line[0], line[line.length - 1]];
  const most = (of: (p: Point) => number, isAmong: (i: number) => boolean): number => {
    let best = -1;
    for (const [i, p] of line.entries()) if (isAmong(i) && (best < 0 || of(p) > of(line[best]))) best = i;
    return Math.max(0, best);
  };
  const way = (p: Point): number => (p[1] - first[1]) / (last[1] - first[1]);
  const tip = most(
    ([x]) => side * x,
    (i) => way(line[i]) > leastTip && way(line[i]) < mostTip,
  );
  const [dx, dy] = [line[tip][0] - first[0], line[tip][1] - first[1]];
  const inward = ([x, y]: Point): number => -side * ((x - first[0]) * dy - (y - first[1]) * dx);
  return { tip, root: most(inward, (i) => i < tip) };
}

const smooth = (values: readonly number[]): number[] =>
  values.map((value, i) => 0.7 * value + 0.15 * ((values[i - 1] ?? value) + (values[i + 1] ?? value)));

/** Signed distance from a place to a line of points along its normal there, pixels. */
function nearest(line: readonly Point[], x: number, y: number): { distance: number; normal: Point } {
  let best = 0;
  let least = Infinity;
  for (const [i, [px, py]] of line.entries()) {
    const d = (px - x) ** 2 + (py - y) ** 2;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  const [a, b] = [line[Math.max(0, best - 2)], line[Math.min(line.length - 1, best + 2)]];
  const l = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const normal: Point = [-(b[1] - a[1]) / l, (b[0] - a[0]) / l];
  const [px, py] = line[best];
  return { distance: normal[0] * (px - x) + normal[1] * (py - y), normal };
}
