import type { Picture } from '../photo/photo.ts';
import {
  cropSquare,
  cropToPicture,
  type Similarity,
  type Square,
  sampleCrop,
} from '../photo/picture_sampling.ts';
import { type EyeGroup, landmarkCount, leftEye, mirrorPoint, rightEye } from '../topology/face_topology.ts';
import { landmark } from '../topology/landmark.ts';
import type { FaceNetworks } from './face_networks.ts';

/** A face that the detector found, in picture pixels. */
export interface FaceBox {
  readonly cx: number;
  readonly cy: number;
  readonly size: number;
  /** Direction from the subject's right eye to the left one in the picture, radians. */
  readonly roll: number;
  /** 0..1 */
  readonly score: number;
  /** × 2: the eyes, the nose's tip, the mouth, the ears, the subject's right before its left. */
  readonly marks: readonly number[];
}

export interface Iris {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /**
   * Where the lids end, 16 × 2 picture pixels: the outer corner, the lower rim, the inner corner, the upper rim
   * from its outer end. Only where a network has looked at the eye.
   */
  readonly lids?: Float32Array;
}

/** The landmarks of one face, in picture pixels. */
export interface FaceLandmarks {
  /** 468 × 3, z towards the back in the scale of x and y. */
  readonly points: Float32Array;
  readonly rightIris: Iris;
  readonly leftIris: Iris;
  /** How sure the network is that it sees a face, 0..1. */
  readonly presence: number;
  /** Mean distance between the passes on shifted and mirrored crops, in parts of the outer eye distance. */
  readonly spread: number;
  /** Distance of the outer eye corners 33–263, pixels. */
  readonly iod: number;
  readonly roll: number;
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Finds faces with BlazeFace: 16 × 16 cells of 2 anchors and 8 × 8 of 6, box centres relative to their cell,
 * sizes in pixels of the 256² input. Overlaps above 30 % are merged to the surest. Sorted by size, largest
 * first. Faces that are turned by up to a right angle are found.
 *
 * @param turn - Radians by which the picture is turned before it is looked at
 * @param isClose - Looks at parts of the picture, for faces that are too small to be found in all of it
 */
export function detectFaces(networks: FaceNetworks, picture: Picture, turn = 0, isClose = false): FaceBox[] {
  const side = networks.detector.side;
  const found: FaceBox[] = [];
  const extent = Math.max(picture.width, picture.height);
  for (const view of isClose ? partsOf(picture) : wholeViews(picture)) {
    // A face that fills the photo is found when it is shown smaller; one that was found needs no second look.
    if (found.some(({ score, size }) => score > 0.75 && size > 0.2 * extent)) break;
    const map = cropSquare(view, turn, side);
    const input = sampleCrop(picture, map, side, side);
    for (let i = 0; i < input.length; i++) input[i] = input[i] / 127.5 - 1;
    const [scoresA, boxesA, boxesB, scoresB] = networks.detector.run(input);
    const scale = view.extent / side;
    for (let i = 0; i < 896; i++) {
      const coarse = i >= 512;
      const k = coarse ? i - 512 : i;
      const score = sigmoid((coarse ? scoresB : scoresA)[k]);
      if (score < 0.5) continue;
      const cells = coarse ? 8 : 16;
      const cell = Math.floor(k / (coarse ? 6 : 2));
      const ax = (((cell % cells) + 0.5) / cells) * side;
      const ay = ((Math.floor(cell / cells) + 0.5) / cells) * side;
      const box = (coarse ? boxesB : boxesA).subarray(16 * k, 16 * k + 16);
      const inPicture = (at: number): [number, number] => cropToPicture(map, box[at] + ax, box[at + 1] + ay);
      const [cx, cy] = inPicture(0);
      found.push({
        cx,
        cy,
        size: Math.max(box[2], box[3]) * scale,
        roll: turn + Math.atan2(box[7] - box[5], box[6] - box[4]),
        score,
        marks: [4, 6, 8, 10, 12, 14].flatMap(inPicture),
      });
    }
  }
  found.sort((p, q) => q.score - p.score);
  const kept: FaceBox[] = [];
  for (const face of found) {
    const half = face.size / 2;
    const overlaps = kept.some((other) => {
      const o = other.size / 2;
      const ix = Math.min(face.cx + half, other.cx + o) - Math.max(face.cx - half, other.cx - o);
      const iy = Math.min(face.cy + half, other.cy + o) - Math.max(face.cy - half, other.cy - o);
      return ix > 0 && iy > 0 && (ix * iy) / Math.min(face.size ** 2, other.size ** 2) > 0.3;
    });
    if (!overlaps) kept.push(face);
  }
  return kept.sort((p, q) => q.size - p.size);
}

function wholeViews({ width, height }: Picture): Square[] {
  const whole = { cx: width / 2, cy: height / 2, extent: Math.max(width, height) };
  return [whole, { ...whole, extent: whole.extent * 1.8 }];
}

/** Squares of half the picture's longer side that lie over each other by half. */
function partsOf({ width, height }: Picture): Square[] {
  const extent = Math.max(width, height) / 2;
  const middles = (side: number): number[] => {
    const steps = Math.ceil((side - extent) / (extent / 2));
    return steps <= 0
      ? [side / 2]
      : Array.from({ length: steps + 1 }, (_, i) => extent / 2 + ((side - extent) * i) / steps);
  };
  return middles(height).flatMap((cy) => middles(width).map((cx) => ({ cx, cy, extent })));
}

/** A square crop as a network reads it, 0..1; mirrored when asked. */
function networkInput(picture: Picture, map: Similarity, side: number, mirrored: boolean): Float32Array {
  const crop = sampleCrop(picture, map, side, side, true);
  const input = new Float32Array(crop.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const from = (y * side + (mirrored ? side - 1 - x : x)) * 3;
      const to = (y * side + x) * 3;
      for (let c = 0; c < 3; c++) input[to + c] = crop[from + c] / 255;
    }
  }
  return input;
}

/** A square that the mesh network reads, turned by `roll`, radians. */
interface MeshCrop extends Square {
  readonly roll: number;
}

/** One pass of the mesh network over a crop; mirrored when asked. Points in picture pixels. */
function meshPass(
  { mesh }: FaceNetworks,
  picture: Picture,
  { cx, cy, extent, roll }: MeshCrop,
  mirrored: boolean,
): { points: Float32Array; presence: number } {
  const { side } = mesh;
  const map = cropSquare({ cx, cy, extent }, roll, side);
  const [raw, flag] = mesh.run(networkInput(picture, map, side, mirrored));
  const scale = extent / side;
  const points = new Float32Array(landmarkCount * 3);
  for (let i = 0; i < landmarkCount; i++) {
    const from = mirrored ? mirrorPoint[i] : i;
    const x = mirrored ? side - raw[3 * from] : raw[3 * from];
    const y = raw[3 * from + 1];
    points.set([...cropToPicture(map, x, y), raw[3 * from + 2] * scale], 3 * i);
  }
  return { points, presence: flag[0] };
}

/** From the right eye's outer corner to the left one's. */
function acrossEyes(points: Float32Array): [dx: number, dy: number] {
  const [right, left] = [3 * landmark.rightEyeOuter, 3 * landmark.leftEyeOuter];
  return [points[left] - points[right], points[left + 1] - points[right + 1]];
}

function rollOf(points: Float32Array): number {
  const [dx, dy] = acrossEyes(points);
  return Math.atan2(dy, dx);
}

/** The square that the mesh network likes to see: the face's bounding box, half as large again. */
function meshCrop(points: Float32Array): MeshCrop {
  const roll = rollOf(points);
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  const along = (x: number, y: number): readonly [min: number, max: number] => {
    const values = Array.from({ length: landmarkCount }, (_, i) => x * points[3 * i] + y * points[3 * i + 1]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [x0, x1] = along(c, s);
  const [y0, y1] = along(-s, c);
  const mx = (x0 + x1) / 2;
  const my = (y0 + y1) / 2;
  return { cx: c * mx - s * my, cy: s * mx + c * my, extent: 1.5 * Math.max(x1 - x0, y1 - y0), roll };
}

/** Crop offsets (parts of the crop), turns (radians) and mirrorings over which landmarks are averaged. */
const passes = [
  { dx: 0, dy: 0, scale: 1, turn: 0, mirrored: false },
  { dx: 0, dy: 0, scale: 1, turn: 0, mirrored: true },
  { dx: 0.012, dy: 0.009, scale: 0.95, turn: 0.03, mirrored: false },
  { dx: -0.012, dy: -0.009, scale: 0.95, turn: -0.03, mirrored: true },
] as const;

/**
 * Landmarks of one face. The mesh network reads a crop set by the box, then one set by the first result, then shifted
 * and mirrored crops; their mean has little of the network's grid noise.
 */
export function findLandmarks(
  networks: FaceNetworks,
  picture: Picture,
  face: Pick<FaceBox, 'cx' | 'cy' | 'size' | 'roll'>,
): FaceLandmarks {
  let crop: MeshCrop = { ...face, extent: face.size * 1.5 };
  for (let i = 0; i < 2; i++) crop = meshCrop(meshPass(networks, picture, crop, false).points);
  const { cx, cy, extent, roll } = crop;
  const results = passes.map(({ dx, dy, scale, turn, mirrored }) => {
    const shifted = { cx: cx + dx * extent, cy: cy + dy * extent, extent: extent * scale, roll: roll + turn };
    return meshPass(networks, picture, shifted, mirrored);
  });
  const points = new Float32Array(landmarkCount * 3);
  for (const result of results) {
    for (let i = 0; i < points.length; i++) points[i] = points[i] + result.points[i] / results.length;
  }
  let spread = 0;
  for (const result of results) {
    for (let i = 0; i < landmarkCount; i++) {
      spread += Math.hypot(
        result.points[3 * i] - points[3 * i],
        result.points[3 * i + 1] - points[3 * i + 1],
      );
    }
  }
  const iod = Math.hypot(...acrossEyes(points));
  return {
    points,
    rightIris: findIris(networks, picture, points, rightEye),
    leftIris: findIris(networks, picture, points, leftEye),
    presence: results.reduce((sum, r) => sum + r.presence, 0) / results.length,
    spread: spread / (results.length * landmarkCount * iod),
    iod,
    roll: rollOf(points),
  };
}

/** The iris network sees a crop 2.3 eye widths wide; left eyes mirrored, so that radii agree best. */
function findIris({ iris }: FaceNetworks, picture: Picture, points: Float32Array, eye: EyeGroup): Iris {
  const ox = points[3 * eye.outer];
  const oy = points[3 * eye.outer + 1];
  const ix = points[3 * eye.inner];
  const iy = points[3 * eye.inner + 1];
  const { side } = iris;
  const extent = 2.3 * Math.hypot(ix - ox, iy - oy);
  const map = cropSquare({ cx: (ox + ix) / 2, cy: (oy + iy) / 2, extent }, rollOf(points), side);
  const mirrored = eye === leftEye;
  const [raw] = iris.run(networkInput(picture, map, side, mirrored));
  const irisPoint = (i: number): [number, number] => {
    const x = mirrored ? side - raw[3 * i] : raw[3 * i];
    return cropToPicture(map, x, raw[3 * i + 1]);
  };
  const [x, y] = irisPoint(71);
  const lids = Float32Array.from(Array.from({ length: 16 }, (_, i) => irisPoint(i)).flat());
  let radius = 0;
  for (let i = 72; i < 76; i++) {
    const [rx, ry] = irisPoint(i);
    radius += Math.hypot(rx - x, ry - y) / 4;
  }
  return { x, y, radius, lids };
}
