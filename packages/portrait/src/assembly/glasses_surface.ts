import { at, clamp, mix, normalise, type Vector, vertexNormals } from '@likeness/geometry/vector.ts';
import type { HeadModel, Material, Surface } from '../contract/head_model.ts';
import { eyeballRadius, type FaceFit, type PhotoPose, project } from '../fit/face_fit.ts';
import { type FramePicture, solidRows } from '../glasses/frame_picture.ts';
import { cropToPicture, pictureToCrop } from '../photo/picture_sampling.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';

/** Side of a cell of the front, pixels of its picture. */
const cell = 12;
/** The front is so many copies of its grid, metres apart: from the side it would have no thickness. */
const layers = { count: 4, apart: 0.0005 } as const;
/** Its distance from the corneas and from the skin behind it at least, metres. */
const [fromEye, fromSkin] = [0.012, 0.001] as const;
/** Rise of depth by height (a tilt of 8°), and how far the front curves back aside, 1/metre. */
const [tilt, wrap] = [0.14, 1.1] as const;
/** Half-width of the bridge, and how far it arches forwards over the nose, metres. */
const bridge = { wide: 0.018, high: 0.008 } as const;
/** An arm's thickness and the bounds of its height, metres; and its pieces from the front to the ear. */
const arm = { thick: 0.0012, low: 0.0018, high: 0.005, pieces: 12 } as const;
/** Where an arm ends behind an ear's root, below the ear's upper end and in depth of the face frame, metres. */
const ear = { below: 0.006, depth: -0.009 } as const;
/** Where ears begin among the skin's vertices. */
const earStart = fineFace.count + craniumRows * craniumColumns;

/** Depth of the front in the face frame, metres; `front`: its depth at the origin but for the bridge. */
const depthAt = (front: number, x: number, y: number): number =>
  front + tilt * y - wrap * x * x + bridge.high * Math.exp(-((x / bridge.wide) ** 2));

/** Where the ray through a pixel of the picture meets the front; face frame. */
function meetFront(
  { x: xs, y: ys, z: zs, ...pose }: PhotoPose,
  frame: FramePicture,
  front: number,
  u: number,
  v: number,
): Vector {
  const [px, py] = cropToPicture(frame.map, u, v);
  const [right, up] = [(px - pose.tx) / pose.scale, (pose.ty - py) / pose.scale];
  const det = xs[0] * ys[1] - ys[0] * xs[1];
  let p: Vector = [0, 0, front];
  for (let round = 0; round < 12; round++) {
    const [a, b] = [right - zs[0] * p[2], up - zs[1] * p[2]];
    const [x, y] = [(a * ys[1] - b * ys[0]) / det, (b * xs[0] - a * xs[1]) / det];
    p = [x, y, depthAt(front, x, y)];
  }
  return p;
}

/** The most of the frame's alpha, 0..255, in a square from a pixel on. */
function maxAlpha(
  { raster: { width, height, data } }: FramePicture,
  x: number,
  y: number,
  side: number,
): number {
  let max = 0;
  for (let v = Math.max(0, y); v < Math.min(y + side, height - solidRows); v++)
    for (let u = Math.max(0, x); u < Math.min(x + side, width); u++)
      max = Math.max(max, data[4 * (v * width + u) + 3]);
  return max;
}

/** Depth at which the front stands before the eyes, and before the skin that the frame hides. */
function standFront(skin: Float32Array, { pose, leftEye }: FaceFit, frame: FramePicture): number {
  const [x, y, z] = leftEye.centre;
  let front = z + eyeballRadius + fromEye - depthAt(0, x, y);
  for (let i = 0; i < fineFace.count; i++) {
    const p = at(skin, i);
    const needed = p[2] + fromSkin + layers.count * layers.apart - depthAt(0, p[0], p[1]);
    // The face's own sides lie behind the arms.
    if (needed <= front || p[2] < 0.03) continue;
    const [u, v] = pictureToCrop(frame.map, ...project(pose, p)).map((value) => Math.floor(value) - 2);
    if (maxAlpha(frame, u, v, 5) > 80) front = needed;
  }
  return front;
}

/** The surface while it is put together. */
type Parts = Readonly<Record<'points' | 'uv' | 'triangles', number[]>>;

/** Adds the cells that show some of the frame; so from the photo's place the front looks as it does in the photo. */
function addFront(
  { points, uv, triangles }: Parts,
  pose: PhotoPose,
  frame: FramePicture,
  front: number,
): void {
  const { width, height } = frame.raster;
  const numbers = new Map<string, number>();
  const vertexAt = (u: number, v: number, layer: number): number => {
    const key = `${u},${v},${layer}`;
    const number = numbers.get(key) ?? points.length / 3;
    if (numbers.has(key)) return number;
    numbers.set(key, number);
    const [x, y, z] = meetFront(pose, frame, front, u, v);
    points.push(x, y, z - layer * layers.apart);
    uv.push(u / width, v / height);
    return number;
  };
  for (let y = 0; y + cell <= height - solidRows; y += cell)
    for (let x = 0; x + cell <= width; x += cell) {
      if (maxAlpha(frame, x - 1, y - 1, cell + 2) <= 8) continue;
      for (let layer = 0; layer < layers.count; layer++) {
        const [a, b] = [y, y + cell].map((v) => vertexAt(x, v, layer));
        const [c, d] = [y, y + cell].map((v) => vertexAt(x + cell, v, layer));
        triangles.push(a, b, c, c, b, d);
      }
    }
}

/** Adds an arm from its hinge to the ear, outside the skin. */
function addArm(parts: Parts, skin: Float32Array, start: Vector, height: number, v: number): void {
  const side = Math.sign(start[0]);
  const end = onEar(skin, side);
  const path: Vector[] = [];
  for (let n = 0; n <= arm.pieces; n++) {
    const [x, y, z] = mix(start, end, n / arm.pieces);
    path.push([side * Math.max(side * x, outermost(skin, side, y, z) + fromSkin + arm.thick), y, z]);
  }
  for (const [n, p] of path.entries()) {
    const [before, after] = [path[Math.max(0, n - 1)], path[Math.min(path.length - 1, n + 1)]];
    const [, dy, dz] = normalise([0, after[1] - before[1], after[2] - before[2]]);
    const first = parts.points.length / 3;
    for (const [inwards, up] of [
      [0, 0.5],
      [0, -0.5],
      [1, -0.5],
      [1, 0.5],
    ] as const) {
      parts.points.push(p[0] - side * inwards * arm.thick, p[1] - up * height * dz, p[2] + up * height * dy);
      parts.uv.push(0.5, v);
    }
    for (let k = 0; n > 0 && k < 4; k++) {
      const [a, b] = [first + k, first + ((k + 1) % 4)];
      parts.triangles.push(...(side > 0 ? [a - 4, b - 4, a, b - 4, b, a] : [a - 4, a, b - 4, b - 4, a, b]));
    }
  }
}

/** How far out the head reaches without its ears, about a height and depth, metres. */
function outermost(skin: Float32Array, side: number, y: number, z: number): number {
  let out = 0;
  for (let i = 0; i < earStart; i++)
    if (Math.abs(skin[3 * i + 1] - y) < 0.004 && Math.abs(skin[3 * i + 2] - z) < 0.004)
      out = Math.max(out, side * skin[3 * i]);
  return out;
}

/** Where an arm lies on the ear, or would under hair. */
function onEar(skin: Float32Array, side: number): Vector {
  let top = -1;
  for (let i = earStart; i < skin.length / 3; i++)
    if (side * skin[3 * i] > 0.05) top = Math.max(top, skin[3 * i + 1]);
  const y = (top < 0 ? at(skin, landmark.leftBrowPeak)[1] : top) - ear.below;
  return [side * outermost(skin, side, y, ear.depth), y, ear.depth];
}

/** A head that wears the glasses of its photo as an object of its own. */
export function withGlasses(model: HeadModel, fit: FaceFit, frame: FramePicture): HeadModel {
  const base = model.neckBase!;
  const skin = model.surfaces
    .find(({ name }) => name === 'Skin')!
    .points.map((value, i) => value + base[i % 3]);
  const parts: Parts = { points: [], uv: [], triangles: [] };
  const front = standFront(skin, fit, frame);
  addFront(parts, fit.pose, frame, front);
  const pixel = Math.hypot(frame.map.a, frame.map.b) / fit.pose.scale;
  const solid = 1 - solidRows / 2 / frame.raster.height;
  for (const { x, y, height } of frame.hinges) {
    const start = meetFront(fit.pose, frame, front, x, y);
    addArm(parts, skin, start, clamp(pixel * height, arm.low, arm.high), solid);
  }
  const points = Float32Array.from(parts.points, (value, i) => value - base[i % 3]);
  const surface: Surface = {
    name: 'Glasses',
    material: model.materials.length,
    node: 'Head',
    points,
    normals: vertexNormals(points, parts.triangles),
    uv: Float32Array.from(parts.uv),
    triangles: Uint32Array.from(parts.triangles),
  };
  const material: Material = {
    name: 'Glasses',
    colour: [1, 1, 1, 1],
    roughness: 1,
    texture: model.rasters.length,
    alphaMode: 'BLEND',
    doubleSided: true,
  };
  return {
    ...model,
    surfaces: [...model.surfaces, surface],
    materials: [...model.materials, material],
    rasters: [...model.rasters, frame.raster],
  };
}
