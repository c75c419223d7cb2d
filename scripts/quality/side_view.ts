import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import type { FaceNetworks } from '@likeness/portrait/landmarks/face_networks.ts';
import { detectFaces } from '@likeness/portrait/landmarks/landmarks.ts';
import type { FaceNetwork } from '@likeness/portrait/landmarks/tensorflow.ts';
import type { Picture } from '@likeness/portrait/photo/photo.ts';
import { cropToPicture } from '@likeness/portrait/photo/picture_sampling.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { describeFace } from './likeness.ts';
import { fitSimilarity } from './similarity.ts';

/** A point in a side view: towards the nose, up. Millimetres. */
type SidePoint = readonly [x: number, y: number];

/** A known head's camera, from heads.json. */
export interface KnownCamera {
  readonly focal: number;
  /** Three rows of four: maps a point of the head, millimetres, to right, down, and away from the camera. */
  readonly headToCamera: readonly (readonly number[])[];
}

/**
 * Number of directions from the middle of the head; and the range that the neck leaves free, degrees from
 * straight ahead upwards.
 */
const bins = 720;
const [fromChin, toNape] = [-50, 205];
/** Step along triangle edges, millimetres. */
const step = 0.5;
const rounds = 40;

/** The outermost points of a side view by direction from its middle, without the directions of the neck. */
function outline(points: Iterable<SidePoint>, [mx, my]: SidePoint, margin: number): SidePoint[] {
  const reach = new Float64Array(bins);
  const outer = new Map<number, SidePoint>();
  for (const point of points) {
    const [x, y] = [point[0] - mx, point[1] - my];
    const bin = Math.floor(((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * bins) % bins;
    const r = Math.hypot(x, y);
    if (r <= reach[bin]!) continue;
    reach[bin] = r;
    outer.set(bin, point);
  }
  const angle = (bin: number): number => (bin + 0.5) * (360 / bins);
  return [...outer]
    .filter(([bin]) => angle(bin) <= toNape + margin || angle(bin) >= 360 + fromChin - margin)
    .map(([, point]) => point);
}

/** Points along all edges of triangles. */
function* alongEdges(points: readonly SidePoint[], triangles: ArrayLike<number>): Generator<SidePoint> {
  for (let t = 0; t < triangles.length; t++) {
    const next = t % 3 === 2 ? t - 2 : t + 1;
    const [a, b] = [points[triangles[t]!]!, points[triangles[next]!]!];
    const parts = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / step));
    for (let k = 0; k < parts; k++)
      yield [a[0] + ((b[0] - a[0]) * k) / parts, a[1] + ((b[1] - a[1]) * k) / parts];
  }
}

/** Skin and hair seen from the head's left, in orthographic projection. */
function* madeFromSide(model: HeadModel): Generator<SidePoint> {
  for (const { name, points, triangles } of model.surfaces) {
    if (name !== 'Skin' && name !== 'Hair') continue;
    const projected = Array.from(
      { length: points.length / 3 },
      (_, i): SidePoint => [1000 * points[3 * i + 2]!, 1000 * points[3 * i + 1]!],
    );
    yield* alongEdges(projected, triangles);
  }
}

/**
 * The true head in the view of its side photo, in millimetres at the distance of its middle; nose towards
 * +x.
 */
function* trueFromSide(
  points: Float32Array,
  triangles: ArrayLike<number>,
  { headToCamera }: KnownCamera,
  toNose: 1 | -1,
): Generator<SidePoint> {
  const projected = Array.from({ length: points.length / 3 }, (_, i): SidePoint => {
    const [x, y, z] = headToCamera.map(
      (row) =>
        row[0]! * points[3 * i]! + row[1]! * points[3 * i + 1]! + row[2]! * points[3 * i + 2]! + row[3]!,
    );
    const share = headToCamera[2]![3]! / z!;
    return [toNose * share * x!, -share * y!];
  });
  yield* alongEdges(projected, triangles);
}

function nearest(points: readonly SidePoint[], to: SidePoint): SidePoint {
  let best = points[0]!;
  let min = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const d = (point[0] - to[0]) ** 2 + (point[1] - to[1]) ** 2;
    if (d < min) [min, best] = [d, point];
  }
  return best;
}

/** Minimum and maximum of one coordinate. */
function range(points: readonly SidePoint[], axis: 0 | 1): [least: number, most: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of points) [min, max] = [Math.min(min, point[axis]), Math.max(max, point[axis])];
  return [min, max];
}

/** Distance of a generated head's outline from that of the side photo, % of the head's height. */
export interface SideFigures {
  readonly mean: number;
  readonly p90: number;
}

/**
 * Aligns the outline of a generated head, from below the chin over face and crown to the nape, with the true
 * one of the photo: by translation, rotation and scale, because a photo has no size. Then measures the
 * distance of every point of the true outline to it.
 *
 * @param truth × 3, millimetres, in the format of ../shared/shapes
 */
export function compareSilhouettes(
  model: HeadModel,
  truth: Float32Array,
  triangles: ArrayLike<number>,
  camera: KnownCamera,
  toNose: 1 | -1,
): SideFigures {
  const whole = [...trueFromSide(truth, triangles, camera, toNose)];
  const top = Math.max(...range(whole, 1));
  const [back, front] = range(
    whole.filter((p) => p[1] > top - 160),
    0,
  );
  const middle: SidePoint = [(back + front) / 2, top - 110];
  const seen = outline(whole, middle, 0);
  const height = top - range(seen, 1)[0];
  const all = [...madeFromSide(model)];
  const [madeTop, madeFront] = [range(all, 1)[1], range(all, 0)[1]];
  // Start with the noses and the crowns aligned.
  const laid = all.map(([x, y]): SidePoint => [x - madeFront + front, y - madeTop + top]);
  let made = outline(laid, middle, 15);
  for (let round = 0; round < rounds; round++) {
    const onto = fitSimilarity(seen.map((to) => [nearest(made, to), to]));
    made = made.map(([x, y]) => cropToPicture(onto, x, y));
  }
  const off = seen.map((to) => {
    const p = nearest(made, to);
    return (100 * Math.hypot(p[0] - to[0], p[1] - to[1])) / height;
  });
  return { mean: off.reduce((sum, d) => sum + d / off.length, 0), p90: percentile(off, 0.9) };
}

/** Describes a face in a side view, cropped to the detector's box. Null if the detector finds no face. */
export function describeProfile(
  network: FaceNetwork,
  networks: FaceNetworks,
  picture: Picture,
): Float32Array | null {
  const [box] = detectFaces(networks, picture);
  if (!box) return null;
  const half = box.size / 2;
  const corners = [-half, half].flatMap((x) =>
    [-half, half].map((y): [number, number] => [box.cx + x, box.cy + y]),
  );
  return describeFace(network, picture, corners, 0);
}
