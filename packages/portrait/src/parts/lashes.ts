import { hash } from '@likeness/geometry/noise.ts';
import { add, at, normalise, scale, smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import type { Sex } from '../contract/head_request.ts';
import { eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import { fineFace } from '../topology/fine_face.ts';

const rows = 4;
const steps = 33;

/** A strip that stands on the upper lid's rim and curls up; it moves with the rim. */
export function buildEyelashes(
  fine: Float32Array,
  fit: FaceFit,
  side: 'left' | 'right',
  sex: Sex,
  fineDeltas: readonly (Float32Array | undefined)[],
) {
  const rim = (side === 'left' ? fineFace.leftRim : fineFace.rightRim).slice(0, steps);
  const eye = side === 'left' ? fit.leftEye : fit.rightEye;
  const sign = side === 'left' ? 1 : -1;
  const reach = sex === 'female' ? 0.0052 : 0.0036;
  const points = new Float32Array(steps * rows * 3);
  const normals = new Float32Array(steps * rows * 3);
  const uv = new Float32Array(steps * rows * 2);
  const triangles: number[] = [];
  for (let k = 0; k < steps; k++) {
    const root = at(fine, rim[k]);
    const outward = normalise(subtract(root, eye.centre));
    const along = k / (steps - 1);
    const long =
      reach *
      (0.35 + 0.65 * Math.sin(Math.PI * Math.min(1, 0.12 + 0.8 * (1 - along)))) *
      smoothstep(1, 0.85, along);
    for (let r = 0; r < rows; r++) {
      const t = r / (rows - 1);
      const direction: Vector = normalise([
        outward[0] * 0.9 + sign * 0.35 * (0.6 - along),
        -0.25 + 0.95 * t,
        outward[2] * 0.9 + 0.25 - 0.25 * t,
      ]);
      const p = add(add(root, scale(outward, 0.0001)), scale(direction, long * t));
      const i = r * steps + k;
      points.set(p, 3 * i);
      normals.set(outward, 3 * i);
      uv.set([along, 1 - t], 2 * i);
      if (k + 1 < steps && r + 1 < rows) triangles.push(i, i + 1, i + steps, i + 1, i + steps + 1, i + steps);
    }
  }
  const deltas = fineDeltas.map((skin) => {
    if (!skin) return undefined;
    const delta = new Float32Array(points.length);
    let moves = false;
    for (let k = 0; k < steps; k++) {
      const d = at(skin, rim[k]);
      if (Math.abs(d[0]) + Math.abs(d[1]) + Math.abs(d[2]) > 2e-5) moves = true;
      for (let r = 0; r < rows; r++) {
        const i = r * steps + k;
        // A falling lid turns its lashes down with it: about the eye's centre by the angle of the fall.
        const up = points[3 * i + 1] - points[3 * k + 1];
        const out = points[3 * i + 2] - points[3 * k + 2];
        const turn = Math.max(-1, Math.min(1, d[1] / eyeballRadius)) * 0.75;
        delta.set(
          [
            d[0],
            d[1] + out * Math.sin(turn) - up * (1 - Math.cos(turn)),
            d[2] - up * Math.sin(turn) - out * (1 - Math.cos(turn)),
          ],
          3 * i,
        );
      }
    }
    return moves ? delta : undefined;
  });
  return { points, normals, uv, triangles: Uint32Array.from(triangles), deltas };
}

/** Single hairs, thick at the root, in clusters; alpha says where they are. */
export function paintLashes(sex: Sex): Raster {
  const width = 256;
  const height = 32;
  const data = new Uint8Array(width * height * 4);
  const hairs = sex === 'female' ? 84 : 64;
  for (let i = 0; i < width * height; i++) data.set([24, 17, 14, 0], 4 * i);
  for (let h = 0; h < hairs; h++) {
    const random = (n: number): number => hash(h, n);
    const x0 = ((h + 0.5 + 0.5 * (random(1) - 0.5)) / hairs) * width;
    const lean = (random(2) - 0.5) * 9;
    const long = 0.65 + 0.35 * random(3);
    for (let y = 0; y < height; y++) {
      const t = 1 - (y + 0.5) / height;
      if (t > long) continue;
      const x = x0 + lean * t * t;
      const thick = 0.95 * (1 - t / long) + 0.3;
      for (let px = Math.floor(x - 2); px <= x + 2; px++) {
        if (px < 0 || px >= width) continue;
        const cover = Math.max(0, Math.min(1, thick + 0.5 - Math.abs(px + 0.5 - x)));
        const i = 4 * (y * width + px) + 3;
        data[i] = Math.max(data[i], Math.round(240 * cover));
      }
    }
  }
  return { name: 'Lashes', width, height, channels: 4, data };
}
