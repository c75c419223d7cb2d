/**
 * node packages/portrait/training/draw_heads.ts <count> <seed> <out.jsonl> [<mesh.json>]
 *
 * Draws heads from the basis of ../shared/shapes, photographs them with the engine's own rasteriser (skin, lips, brows,
 * eyes and a crop of hair by place; distance 0.9 – 2.1 m; turned by some degrees) and writes what the engine's detector
 * finds, one JSON line a head: its numbers, its stand and the face as the engine fits it. `<mesh.json>` gets what
 * learn.py must know of the face mesh.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { vertexNormals } from '@likeness/geometry/vector.ts';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import type { HeadModel, Surface } from '../src/contract/head_model.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { findLandmarks } from '../src/landmarks/landmarks.ts';
import { eyeRim, landmarkCount, leftEye, mirrorPoint, rightEye } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';
import {
  info,
  mean,
  modes,
  normalOf,
  random,
  regions,
  shapeOf,
  transformHead,
  triangles,
} from './known_heads.ts';

const [count = 10, seed = 1] = process.argv.slice(2, 4).map(Number);
const [out = 'drawn.jsonl', meshFile] = process.argv.slice(4, 6);

const step = (a: number, b: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - a) / (b - a)));
  return t * t * (3 - 2 * t);
};

/** Colours by place on the mean head, linear RGB: skin, lips, brows, a crop of hair. */
function paint(next: () => number): Float32Array {
  const tone = 0.18 + 0.5 * next();
  const skin = [tone, tone * (0.58 + 0.1 * next()), tone * (0.38 + 0.14 * next())];
  const lipDark = 0.55 + 0.3 * next();
  const lip = [skin[0]! * lipDark * 1.05, skin[1]! * lipDark * 0.72, skin[2]! * lipDark * 0.8];
  const dark = 0.01 + 0.1 * next() ** 2;
  const hair = [dark * 1.3, dark, dark * 0.75];
  const isBald = next() < 0.15;
  const hairline = 96 + 14 * next();
  const [browHeight, browThick, browArch] = [50.5 + 4 * next(), 2.2 + 2 * next(), 2 + 3 * next()];
  const browStrength = 0.5 + 0.5 * next();
  const colours = new Float32Array(mean.length);
  for (let i = 0; i < info.vertices; i++) {
    const [x, y, z] = [Math.abs(mean[3 * i]!), mean[3 * i + 1]!, mean[3 * i + 2]!];
    const middle = browHeight + browArch * Math.sin((Math.PI * (x - 8)) / 52);
    const brow =
      browStrength *
      step(9, 14, x) *
      (1 - step(46, 58, x)) *
      (1 - step(browThick * 0.6, browThick * 1.5, Math.abs(y - middle)));
    const rim = hairline - 0.0035 * x * x - (z < 70 ? 0.75 * (70 - z) : 0);
    const crop = isBald || y < -20 ? 0 : step(-3, 3, y - Math.max(rim, 12));
    const onFace = regions[i]! > 0;
    const isLip = info.regions[regions[i]!] === 'lips';
    const socket = !onFace && z > 70 && Math.abs(y - 33) < 12 && x > 16 && x < 47;
    for (let c = 0; c < 3; c++) {
      let value = isLip ? lip[c]! : skin[c]!;
      if (socket) value *= 0.55;
      value += (hair[c]! - value) * Math.max(brow, crop);
      colours[3 * i + c] = value;
    }
  }
  return colours;
}

/** A ball with iris and pupil, looking along +z; colours linear. */
function ball(centre: readonly number[], radius: number, iris: readonly number[]) {
  const points: number[] = [];
  const colours: number[] = [];
  const corners: number[] = [];
  const [rows, columns] = [28, 40];
  for (let r = 0; r <= rows; r++) {
    const a = (r / rows) ** 1.3 * (Math.PI / 2);
    for (let k = 0; k < columns; k++) {
      const b = (2 * Math.PI * k) / columns;
      points.push(
        centre[0]! + radius * Math.sin(a) * Math.cos(b),
        centre[1]! + radius * Math.sin(a) * Math.sin(b),
        centre[2]! + radius * Math.cos(a),
      );
      const distance = radius * Math.sin(a);
      const colour = distance < 2 ? [0.004, 0.004, 0.004] : distance < 5.9 ? iris : [0.62, 0.6, 0.58];
      colours.push(...colour);
      if (r === rows) continue;
      const [p, q] = [r * columns + k, r * columns + ((k + 1) % columns)];
      corners.push(p, p + columns, q, q, p + columns, q + columns);
    }
  }
  return { points, colours, corners };
}

/** What learn.py must know: the subdivided surface at the landmarks as `[landmark, of which, share]`. */
function writeMesh(file: string): void {
  const refine: [number, number, number][] = [];
  for (let j = 0; j < landmarkCount; j++) {
    const fine = fineFace.refine(
      Float32Array.from({ length: landmarkCount }, (_, i) => Number(i === j)),
      1,
    );
    for (let i = 0; i < landmarkCount; i++) if (fine[i] !== 0) refine.push([i, j, fine[i]!]);
  }
  const rims = [...eyeRim(rightEye), ...eyeRim(leftEye)];
  writeFileSync(file, JSON.stringify({ mean: [...meanFace], mirror: [...mirrorPoint], rims, refine }));
}
if (meshFile) writeMesh(meshFile);

const side = 512;
const networks = await loadFaceNetworks();
writeFileSync(out, '');
let found = 0;
for (let k = 0; k < count; k++) {
  const next = random(seed + 7919 * k);
  const normal = normalOf(next);
  const coefficients = Array.from({ length: modes }, normal);
  const shape = shapeOf(coefficients);
  const distance = 900 + 1200 * next();
  const [yaw, pitch, roll] = [normal() * 3, normal() * 3.5, normal() * 2].map((v) => (v * Math.PI) / 180);
  const colours = paint(next);
  const iris = [0.03 + 0.15 * next(), 0.03 + 0.1 * next(), 0.01 + 0.1 * next()];
  const stand = { yaw: yaw!, pitch: pitch!, roll: roll!, distance };
  const transform = (points: ArrayLike<number>): Float32Array => transformHead(points, stand);
  const turned = transform(shape);
  const surface = (name: string, points: Float32Array, faces: Uint32Array, tint: Float32Array): Surface => ({
    name,
    material: 0,
    node: 'Head',
    points,
    normals: vertexNormals(points, faces),
    triangles: faces,
    colours: tint,
  });
  const at = (i: number): number[] => [0, 1, 2].map((c) => shape[3 * i + c]!);
  const { rightEyeOuter, rightEyeInner, leftEyeInner, leftEyeOuter } = info.landmarks;
  const eyes = [
    [rightEyeOuter, rightEyeInner],
    [leftEyeOuter, leftEyeInner],
  ].map(([outer, inner]) => {
    const [p, q] = [at(outer!), at(inner!)];
    const centre = [(p[0]! + q[0]!) / 2, (p[1]! + q[1]!) / 2 + 0.5, (p[2]! + q[2]!) / 2 - 6.5];
    const { points, colours, corners } = ball(centre, 12.1, iris);
    return surface('Eye', transform(points), Uint32Array.from(corners), Float32Array.from(colours));
  });
  const model: HeadModel = {
    surfaces: [surface('Skin', turned, triangles, colours), ...eyes],
    materials: [{ name: 'Plain', colour: [1, 1, 1, 1], roughness: 0.6 + 0.3 * next(), doubleSided: true }],
    rasters: [],
    targetNames: [],
    headPivot: [0, 0, 0],
    leftEye: [0, 0, 0],
    rightEye: [0, 0, 0],
    extras: {},
  };
  const s = side / 0.33;
  next();
  const drawn = renderHead(model, {
    size: side,
    background: [90 + 100 * next(), 90 + 100 * next(), 90 + 100 * next()],
    camera: { x: [s, 0, 0, side / 2], y: [0, -s, 0, side / 2], z: [0, 0, 1, 0] },
  });
  const data = new Uint8Array(3 * side * side);
  for (let i = 0; i < side * side; i++) for (let c = 0; c < 3; c++) data[3 * i + c] = drawn.data[4 * i + c]!;
  const picture = { data, width: side, height: side };
  const landmarks = findLandmarks(networks, picture, {
    cx: side / 2,
    cy: side / 2 - 5,
    size: 0.155 * s,
    roll: roll!,
  });
  if (landmarks.presence < 0.9) continue;
  const fit = fitFace(landmarks);
  const round = (values: ArrayLike<number>, d: number): number[] =>
    Array.from(values, (v) => Math.round(v * d) / d);
  appendFileSync(
    out,
    `${JSON.stringify({
      coefficients: round(coefficients, 1e5),
      distance,
      yaw,
      pitch,
      roll,
      neutral: round(fit.neutral, 1e7),
      pose: fit.pose,
      s,
      side,
    })}\n`,
  );
  found++;
}
process.stdout.write(`${found} of ${count} heads\n`);
process.exit(0);
