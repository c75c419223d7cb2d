/**
 * node packages/portrait/training/draw_profiles.ts <drawn.jsonl> <out.jsonl>
 *
 * Adds to heads that draw_heads.ts drew the face with the depth that the engine tells of their front (`predicted`), by the
 * weights that stand in the engine now, and how much further forward a profile shows its middle line (`forward`): the
 * true head's outline from the side (distance 0.9 – 2.1 m, turned by some degrees, the outline erring), along which the
 * engine lays that face from a stand that errs as the detector's marks do.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { FaceFit, PhotoPose } from '../src/fit/face_fit.ts';
import { withLearntDepth } from '../src/fit/learnt_depth.ts';
import { layProfile, type PointPair, type ProfileStand, standOver } from '../src/multi_view/profile_line.ts';
import { info, normalOf, random, regions, shapeOf, transformHead, triangles } from './known_heads.ts';

interface Drawn {
  readonly coefficients: readonly number[];
  readonly distance: number;
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
  readonly neutral: readonly number[];
  readonly pose: PhotoPose;
  readonly s: number;
  readonly side: number;
}

/** Pixels a metre of the pictures from the side, and their middle, pixels. */
const [pixels, middle] = [2000, 300];
const height = 2 * middle;
/** How far an outline errs, pixels, and over how many it errs alike. */
const [outlineErrs, errsAlike] = [0.8, 9];
/** How far the marks' stand errs: the scale's logarithm, radians, metres. */
const [scaleErrs, turnErrs, offsetErrs] = [0.04, 0.04, 0.004];
const degree = Math.PI / 180;

/** A head's points in the frame and scale that the engine laid its front in, metres (depth and height alone). */
function inFrame(head: Drawn, shape: Float32Array): [number, number][] {
  const seen = transformHead(shape, head);
  const { pose, s, side } = head;
  return Array.from({ length: info.vertices }, (_, i) => {
    const camera = [
      side / 2 + s * seen[3 * i]! - pose.tx,
      pose.ty - (side / 2 - s * seen[3 * i + 1]!),
      s * seen[3 * i + 2]!,
    ];
    const along = (axis: readonly number[]): number =>
      camera.reduce((sum, v, k) => sum + (v * axis[k]!) / pose.scale, 0);
    return [along(pose.z), along(pose.y)];
  });
}

/** The stand that lays the face over the picture best, by all vertices of the face. */
function trueStand(frame: readonly (readonly [number, number])[], picture: Float32Array): ProfileStand {
  const face = [...regions.keys()].filter((i) => regions[i]! > 0);
  const pairs = face.map((i): PointPair => {
    const [z, y] = frame[i]!;
    return [[y, z], [middle + pixels * picture[3 * i]!, middle - pixels * picture[3 * i + 1]!], 1];
  });
  return standOver(pairs, 1);
}

/** How far right the head reaches in each row of the picture, pixels. */
function outline(picture: Float32Array): Float64Array {
  const reach = new Float64Array(height).fill(-1);
  for (let t = 0; t < triangles.length; t++) {
    const [i, k] = [triangles[t]!, triangles[t % 3 === 2 ? t - 2 : t + 1]!];
    const [x0, x1] = [middle + pixels * picture[3 * i]!, middle + pixels * picture[3 * k]!];
    const [y0, y1] = [middle - pixels * picture[3 * i + 1]!, middle - pixels * picture[3 * k + 1]!];
    const [first, last] = [Math.ceil(Math.min(y0, y1)), Math.floor(Math.max(y0, y1))];
    for (let y = Math.max(0, first); y <= Math.min(height - 1, last); y++) {
      const x = y0 === y1 ? Math.max(x0, x1) : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0);
      reach[y] = Math.max(reach[y]!, x);
    }
  }
  return reach;
}

const [drawn = '', out = ''] = process.argv.slice(2);
const heads = readFileSync(drawn, 'utf8').trim().split('\n');
const lines = heads.map((line, number) => {
  const head = JSON.parse(line) as Drawn;
  const next = random(31 + 104729 * number);
  const normal = normalOf(next);
  const shape = shapeOf(head.coefficients);
  const picture = transformHead(shape, {
    yaw: (90 + 3 * normal()) * degree,
    pitch: 2 * normal() * degree,
    roll: 4 * normal() * degree,
    distance: 900 + 1200 * next(),
  });
  const white = Array.from({ length: height + errsAlike }, normal);
  const reach = outline(picture).map((x, y) => {
    const sum = white.slice(y, y + errsAlike).reduce((a, b) => a + b, 0);
    return x + (outlineErrs * sum) / Math.sqrt(errsAlike);
  });
  const inside = (x: number, y: number): number => {
    const row = Math.min(height - 2, Math.max(0, Math.floor(y)));
    const edge = reach[row]! + (y - row) * (reach[row + 1]! - reach[row]!);
    return Math.min(1, Math.max(0, edge - x + 0.5));
  };
  // Of a fit the learnt depth and the middle line read these alone; drawn lips are shut.
  const withDepth = withLearntDepth({
    neutral: Float32Array.from(head.neutral),
    pose: head.pose,
    lipGap: 0,
  } as FaceFit);
  const { s, turn, tx, ty } = trueStand(inFrame(head, shape), picture);
  const start = {
    s: s * Math.exp(scaleErrs * normal()),
    turn: turn + turnErrs * normal(),
    tx: tx + offsetErrs * s * normal(),
    ty: ty + offsetErrs * s * normal(),
  };
  const laid = layProfile(inside, start, 1, withDepth);
  const round = (values: ArrayLike<number>): number[] => Array.from(values, (v) => Math.round(v * 1e7) / 1e7);
  return JSON.stringify({
    ...head,
    predicted: round(withDepth.neutral),
    forward: laid && round(laid.forward),
    residual: laid?.residual,
    turn: laid && laid.stand.turn - turn,
    size: laid && laid.stand.s / s,
  });
});
writeFileSync(out, `${lines.join('\n')}\n`);
