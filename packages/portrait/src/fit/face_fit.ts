import { solve } from '@likeness/geometry/cholesky.ts';
import {
  add,
  at,
  clamp,
  cross,
  dot,
  length,
  mix,
  normalise,
  scale,
  smoothstep,
  subtract,
  type Vector,
} from '@likeness/geometry/vector.ts';
import type { FaceLandmarks, Iris } from '../landmarks/landmarks.ts';
import {
  type EyeGroup,
  eyeRim,
  landmarkCount,
  layout,
  leftEye,
  lowerLip,
  mirrorPoint,
  noseBridge,
  noseTip,
  oval,
  rightEye,
  upperLip,
} from '../topology/face_topology.ts';
import { edgeWeights, fillHarmonically } from '../topology/harmonic_interpolation.ts';
import { landmark } from '../topology/landmark.ts';
import { sharpenEyes } from './eye_corners.ts';

const eyeCorners = [rightEye, leftEye].flatMap(({ outer, inner }) => [outer, inner]);

/** Distance of the outer eye corners of an adult, metres: the only measure of size that a photo allows. */
export const outerEyeDistance = 0.089;

/** How the face stands in the photo: picture = scale · (rows · p) + offset, y down, orthographic. */
export interface PhotoPose {
  /** The face's axes in camera coordinates (x right, y up, z to the viewer). */
  readonly x: Vector;
  readonly y: Vector;
  readonly z: Vector;
  /** Pixels a metre. */
  readonly scale: number;
  /** Picture position of the face frame's origin. */
  readonly tx: number;
  readonly ty: number;
  /**
   * Degrees; yaw positive when the subject turns to its left, pitch positive when it looks up: that of the
   * line from chin to forehead, of which the axes keep a half (see {@link levelOf}).
   */
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

export interface Eye {
  readonly centre: Vector;
  readonly irisRadius: number;
}

/** A face in its own frame: metres, x to its left, y up, z forward; eyes at y = 0, ears at z = 0. */
export interface FaceFit {
  readonly pose: PhotoPose;
  /** 468 × 3, symmetrised, mouth closed, lids on the eyeballs. */
  readonly neutral: Float32Array;
  /** 468 × 2: where each point lies in the photo, pixels. */
  readonly photo: Float32Array;
  readonly rightEye: Eye;
  readonly leftEye: Eye;
  /** Gap between the lips in the photo, in outer eye distances. */
  readonly lipGap: number;
  /** 468 × 3 metres: what closing the mouth moved. */
  readonly closing: Float32Array;
  /** Edge weights of the neutral face. */
  readonly weights: Float64Array;
}

/** Usual distance of a portrait's camera, metres; no single photo tells its own. */
const cameraDistance = 1.5;
/** Depth in the face frame, metres, in which the face lies as the photo shows it. */
const faceDepth = 0.06;

/**
 * Perspective scale of a point of the upper head: a crown lies 8 to 9 cm behind the brows and looks 6 % nearer to them.
 * 1 from the eyes down, where the face itself is laid without perspective.
 */
export function crownShare({ x, y, z }: Axes, p: Vector): number {
  const rise = smoothstep(0.02, 0.08, p[1]);
  if (rise === 0) return 1;
  const behind = z[2] * (faceDepth - p[2]) - x[2] * p[0] - y[2] * (p[1] - 0.08);
  return 1 / (1 + (rise * Math.max(0, behind)) / cameraDistance);
}

/** Picture pixels of a point of the face frame. */
export function project(pose: PhotoPose, p: Vector): [number, number] {
  const s = pose.scale * crownShare(pose, p);
  return [
    pose.tx + s * (pose.x[0] * p[0] + pose.y[0] * p[1] + pose.z[0] * p[2]),
    pose.ty - s * (pose.x[1] * p[0] + pose.y[1] * p[1] + pose.z[1] * p[2]),
  ];
}

/** How far a surface faces the camera at the i-th vertex: the cosine of the angle to its normal. */
export function facingCamera(pose: PhotoPose, normals: Float32Array, i: number): number {
  return pose.x[2] * normals[3 * i] + pose.y[2] * normals[3 * i + 1] + pose.z[2] * normals[3 * i + 2];
}

/**
 * Shares of own and mirrored coordinate when the face is made symmetric. Depth is the least sure; and the
 * more a head is turned, the more its two sides differ by the network's error than by nature. Far turned, one
 * side is hidden, and takes after the other.
 *
 * @param hidden - How far a point lies on the side that is turned away, −1..1.
 */
function ownShare(yaw: number, hidden: number): Vector {
  const turned = clamp((yaw - 3) / 9, 0, 1);
  const away = 0.3 * hidden * smoothstep(12, 28, yaw);
  return [0.92 - 0.27 * turned - away, 0.95 - 0.17 * turned - away, 0.5 - 0.12 * turned - away];
}

/** Fits the metric, symmetric, neutral face to landmarks. */
export function fitFace(landmarks: FaceLandmarks): FaceFit {
  const found = toCamera(landmarks.points);
  const upright = faceAxes(found);
  const upwards = quarterTurned(landmarks.roll);
  const level = levelOf(upwards(upright.z));
  const axes = turnedDown(upright, level);
  // Of the corners that the mesh network sees: beside a face's whole size they vary less than the true ones.
  const metresPerPixel =
    outerEyeDistance / length(subtract(at(found, landmark.leftEyeOuter), at(found, landmark.rightEyeOuter)));
  const points = sharpenEyes(landmarks, yawOf(upwards(upright.z)));
  const camera = toCamera(points);
  const local = new Float32Array(points.length);
  for (let i = 0; i < landmarkCount; i++) {
    const p = scale(at(camera, i), metresPerPixel);
    local.set([dot(p, axes.x), dot(p, axes.y), dot(p, axes.z)], 3 * i);
  }
  // The network's depth is more a prior than a measurement, so it is scaled to the usual depth of a head.
  const tip = local[3 * landmark.noseTipLower + 2];
  const depth =
    (tip - (local[3 * landmark.rightTragus + 2] + local[3 * landmark.leftTragus + 2]) / 2) / outerEyeDistance;
  const depthScale = clamp(1.03 / depth, 0.85, 1.2);
  let middle = 0;
  for (let i = 0; i < landmarkCount; i++)
    middle += (local[3 * i] + local[3 * mirrorPoint[i]]) / 2 / landmarkCount;
  const eyeLine = eyeCorners.reduce((sum, i) => sum + local[3 * i + 1] / 4, 0);
  const earDepth = tip - 1.03 * outerEyeDistance;
  const origin: Vector = [middle, eyeLine, earDepth];
  for (let i = 0; i < landmarkCount; i++) {
    local[3 * i] -= origin[0];
    local[3 * i + 1] -= origin[1];
    local[3 * i + 2] = tip + (local[3 * i + 2] - tip) * depthScale - origin[2];
  }
  const yaw = yawOf(upwards(axes.z));
  const neutral = new Float32Array(local.length);
  for (let i = 0; i < landmarkCount; i++) {
    const m = mirrorPoint[i];
    // A head turned to its left hides its left side.
    const own = ownShare(Math.abs(yaw), clamp((Math.sign(yaw) * local[3 * i]) / 0.02, -1, 1));
    neutral[3 * i] = own[0] * local[3 * i] - (1 - own[0]) * local[3 * m];
    neutral[3 * i + 1] = own[1] * local[3 * i + 1] + (1 - own[1]) * local[3 * m + 1];
    neutral[3 * i + 2] = own[2] * local[3 * i + 2] + (1 - own[2]) * local[3 * m + 2];
  }
  const world = add(add(scale(axes.x, origin[0]), scale(axes.y, origin[1])), scale(axes.z, origin[2]));
  const photo = points.filter((_, i) => i % 3 < 2);
  // The symmetric face lies slightly differently in the photo than the network's landmarks.
  const seen = refinePose(neutral, photo, {
    ...axes,
    scale: 1 / metresPerPixel,
    tx: world[0] / metresPerPixel,
    ty: -world[1] / metresPerPixel,
  });
  const pose: PhotoPose = {
    ...seen,
    yaw: yawOf(upwards(seen.z)),
    pitch: degrees(pitchOf(upwards(seen.z)) + level),
    roll: degrees(landmarks.roll),
  };
  const lipGap =
    length(subtract(at(neutral, landmark.upperLipInner), at(neutral, landmark.lowerLipInner))) /
    outerEyeDistance;
  const closing = closeMouth(neutral);
  const right = placeEye(neutral, rightEye, landmarks.rightIris, pose);
  const left = placeEye(neutral, leftEye, landmarks.leftIris, pose);
  seatLids(neutral, rightEye, right);
  seatLids(neutral, leftEye, left);
  return {
    pose,
    neutral,
    photo,
    rightEye: right,
    leftEye: left,
    lipGap,
    closing,
    weights: edgeWeights(neutral),
  };
}

/** Landmarks with y up and z to the viewer. */
const toCamera = (points: Float32Array): Float32Array => points.map((v, i) => (i % 3 === 0 ? v : -v));

const degrees = (radians: number): number => (radians * 180) / Math.PI;

type Axes = Pick<PhotoPose, 'x' | 'y' | 'z'>;

/** X from all mirror pairs, Y from chin to forehead made orthogonal, Z forward. */
function faceAxes(camera: Float32Array): Axes {
  let sum: Vector = [0, 0, 0];
  for (let i = 0; i < landmarkCount; i++) {
    const m = mirrorPoint[i];
    if (m === i) continue;
    const d = subtract(at(camera, i), at(camera, m));
    // On the flat layout the subject's left half has the larger u.
    sum = layout[2 * i] > 0.5 ? add(sum, d) : subtract(sum, d);
  }
  const x = normalise(sum);
  const up = subtract(at(camera, landmark.foreheadTop), at(camera, landmark.chin));
  const y = normalise(subtract(up, scale(x, dot(up, x))));
  return { x, y, z: cross(x, y) };
}

/**
 * Turn about the axis through the ears that brings a face level, radians. A sloping forehead, a receding chin or a
 * wrong depth makes the line from chin to forehead lean; a head set upright by it looks up. Portraits are level: half
 * of their pitch (−9° ± 7° in 35) counts as the face's own, since heads differ by some 5°.
 */
function levelOf(forward: Vector): number {
  const limit = (8 * Math.PI) / 180;
  return clamp(0.5 * pitchOf(forward), -limit, limit);
}

/** Radians; positive when the face looks up. */
const pitchOf = (forward: Vector): number => Math.asin(clamp(forward[1], -1, 1));

/** Degrees; positive when the subject turns to its left. */
const yawOf = (forward: Vector): number => degrees(Math.atan2(forward[0], forward[2]));

/**
 * Turns directions of a photo that lies on its side or upside down by quarters, as if it stood: up and aside are the
 * person's.
 *
 * @param roll - Of the face, radians clockwise
 */
function quarterTurned(roll: number): (direction: Vector) => Vector {
  const quarters = ((Math.round(roll / (Math.PI / 2)) % 4) + 4) % 4;
  return ([x, y, z]) => {
    for (let turn = 0; turn < quarters; turn++) [x, y] = [-y, x];
    return [x, y, z];
  };
}

/** Axes turned about x: the face's pitch becomes less by `angle`, radians. */
function turnedDown({ x, y, z }: Axes, angle: number): Axes {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return { x, y: add(scale(y, c), scale(z, s)), z: subtract(scale(z, c), scale(y, s)) };
}

export type Stand = Omit<PhotoPose, 'yaw' | 'pitch' | 'roll'>;

/** Fits a pose to the photo by least squares (Gauss and Newton): turn, scale and shift. */
export function refinePose(face: Float32Array, photo: Float32Array, start: Stand): Stand {
  let pose = start;
  for (let round = 0; round < 4; round++) {
    const { x, y, z, scale: s, tx, ty } = pose;
    const a = new Float64Array(36);
    const b = new Float64Array(6);
    for (let i = 0; i < landmarkCount; i++) {
      const [px, py, pz] = at(face, i);
      const cam = [0, 1, 2].map((k) => s * (x[k] * px + y[k] * py + z[k] * pz));
      const [right, up, near] = [cam[0], cam[1], cam[2]];
      // By turns about the camera's three axes, by the scale's logarithm, by both shifts.
      for (const [row, off] of [
        [[0, near, -up, right, 1, 0], photo[2 * i] - tx - right],
        [[near, 0, -right, -up, 0, 1], photo[2 * i + 1] - ty + up],
      ] as const) {
        for (let p = 0; p < 6; p++) {
          b[p] += row[p] * off;
          for (let q = 0; q <= p; q++) a[6 * p + q] += row[p] * row[q];
        }
      }
    }
    const step = solve(a, b);
    const turn: Vector = [step[0], step[1], step[2]];
    const turned = (v: Vector): Vector => normalise(add(v, cross(turn, v)));
    const nextX = turned(x);
    const nextY = normalise(subtract(turned(y), scale(nextX, dot(turned(y), nextX))));
    pose = {
      x: nextX,
      y: nextY,
      z: cross(nextX, nextY),
      scale: s * Math.exp(step[3]),
      tx: tx + step[4],
      ty: ty + step[5],
    };
  }
  return pose;
}

/**
 * Closes the inner lips; the upper one moves by 45 % of the gap. The outer rows follow less, the rest of the face
 * harmonically; oval, nose and eyes stay.
 */
function closeMouth(face: Float32Array): Float32Array {
  const fixed = new Map<number, readonly [number, number, number]>();
  for (const i of [...oval, ...noseBridge, ...noseTip, ...eyeRim(rightEye), ...eyeRim(leftEye)]) {
    fixed.set(i, [0, 0, 0]);
  }
  const upperShare = [0.55, 0.72, 0.9, 1];
  const lowerShare = [0.68, 0.8, 0.92, 1];
  for (let k = 0; k < 11; k++) {
    const gap = subtract(at(face, lowerLip[3][k]), at(face, upperLip[3][k]));
    for (let row = 0; row < 4; row++) {
      if (k > 0 && k < 10) {
        fixed.set(upperLip[row][k], scale(gap, 0.45 * upperShare[row]));
        fixed.set(lowerLip[row][k], scale(gap, -0.55 * lowerShare[row]));
      } else {
        fixed.set(upperLip[row][k], [0, 0, 0]);
      }
    }
  }
  const moved = fillHarmonically(fixed, edgeWeights(face));
  for (let i = 0; i < face.length; i++) face[i] += moved[i];
  return moved;
}

/** Eyeball radius of an adult, metres (24.4 mm across). */
export const eyeballRadius = 0.0122;

function placeEye(face: Float32Array, eye: EyeGroup, iris: Iris, pose: PhotoPose): Eye {
  const outer = at(face, eye.outer);
  const inner = at(face, eye.inner);
  const canthi = mix(outer, inner, 0.5);
  const rim = eyeRim(eye);
  const lidPlane = rim.reduce((sum, i) => sum + face[3 * i + 2], 0) / rim.length;
  // The iris as the camera sees it, taken back to the lid plane along the view ray.
  const [px, py] = project(pose, [canthi[0], canthi[1], lidPlane]);
  const dx = (iris.x - px) / pose.scale;
  const dy = -(iris.y - py) / pose.scale;
  const det = pose.x[0] * pose.y[1] - pose.y[0] * pose.x[1];
  const lx = (dx * pose.y[1] - dy * pose.y[0]) / det;
  const ly = (dy * pose.x[0] - dx * pose.x[1]) / det;
  return {
    centre: [
      canthi[0] + clamp(0.8 * lx, -0.002, 0.002),
      canthi[1] + clamp(0.8 * ly, -0.002, 0.002),
      lidPlane - eyeballRadius + 0.0012,
    ],
    irisRadius: clamp(iris.radius / pose.scale, 0.0057, 0.0064),
  };
}

/** Lays the lid rims on the eyeball (0.6 mm above it); the corners stay, the rows beyond follow a little. */
function seatLids(face: Float32Array, eye: EyeGroup, ball: Eye): void {
  const rows: [readonly number[], number][] = [
    [[...eye.upper[0], ...eye.lower[0]], 1],
    [[...eye.upper[1], ...eye.lower[1]], 0.5],
  ];
  for (const [row, share] of rows) {
    for (const i of row) {
      const p = at(face, i);
      const d = subtract(p, ball.centre);
      // Along z: the lid keeps its outline in the photo.
      const across = Math.hypot(d[0], d[1]);
      const wanted = eyeballRadius + 0.0006;
      if (across >= wanted) continue;
      const z = Math.sqrt(wanted * wanted - across * across);
      face[3 * i + 2] += clamp((z - d[2]) * share, -0.006, 0.006);
    }
  }
}
