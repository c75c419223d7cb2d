import { type Eye, eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import {
  add,
  at,
  clamp,
  length,
  mix,
  normalise,
  scale,
  smoothstep,
  subtract,
  type Vector,
} from '../math/vector.ts';
import { fineFace } from '../topology/fine_face.ts';

/** The wet edge of both lids and the flesh in the eye's inner corner; it moves with the lids. */
export interface LidMargins {
  readonly points: Float32Array;
  /** Linear RGB, × 3. */
  readonly colours: Float32Array;
  readonly triangles: Uint32Array;
  readonly deltas: (Float32Array | undefined)[];
}

/** Share of the lid's colour in the margin's rows, the rest flesh: rim, ledge, fold behind it. */
const rows: readonly (readonly [own: number, light: number])[] = [
  [0.85, 0.8],
  [0.45, 0.85],
  [0.1, 0.5],
];
const flesh: Vector = [0.4, 0.125, 0.1];
const slices = 8;
const stacks = 4;

/** Builds the margins of both eyes as one part; `skin` returns a vertex's colour, linear RGB. */
export function buildLidMargins(
  fine: Float32Array,
  fit: FaceFit,
  fineDeltas: readonly (Float32Array | undefined)[],
  skin: (vertex: number) => Vector,
): LidMargins {
  const left = buildLidMargin(fine, fit, 'left', fineDeltas, skin);
  const right = buildLidMargin(fine, fit, 'right', fineDeltas, skin);
  const first = left.points.length;
  const join = (a: Float32Array | undefined, b: Float32Array | undefined): Float32Array => {
    const both = new Float32Array(first + right.points.length);
    if (a) both.set(a);
    if (b) both.set(b, first);
    return both;
  };
  return {
    points: join(left.points, right.points),
    colours: join(left.colours, right.colours),
    triangles: Uint32Array.from([...left.triangles, ...right.triangles.map((i) => i + first / 3)]),
    deltas: left.deltas.map((delta, i) =>
      delta || right.deltas[i] ? join(delta, right.deltas[i]) : undefined,
    ),
  };
}

function buildLidMargin(
  fine: Float32Array,
  fit: FaceFit,
  side: 'left' | 'right',
  fineDeltas: readonly (Float32Array | undefined)[],
  skin: (vertex: number) => Vector,
): LidMargins {
  const ring = side === 'left' ? fineFace.leftRim : fineFace.rightRim;
  const eye = side === 'left' ? fit.leftEye : fit.rightEye;
  const n = ring.length;
  const count = rows.length * n + stacks * slices;
  const points = new Float32Array(count * 3);
  const colours = new Float32Array(count * 3);
  const triangles: number[] = [];
  const inner = at(fine, ring[n / 2]);
  const outer = at(fine, ring[0]);
  const opening = mix(inner, outer, 0.5);
  const lids = ring.reduce<Vector>((sum, i) => add(sum, scale(skin(i), 1 / n)), [0, 0, 0]);
  // Flesh is as light as the skin about it lets one expect.
  const tone = clamp((lids[0] + lids[1] + lids[2]) / 0.75, 0.45, 1.1);
  for (let k = 0; k < n; k++) {
    const rim = at(fine, ring[k]);
    // Towards the inner corner the margin is redder.
    const near = smoothstep(0.008, 0.001, length(subtract(rim, inner)));
    for (const [row, [own, light]] of rows.entries()) {
      const p = row === 0 ? rim : row === 1 ? ledge(rim, opening, eye) : onto(rim, eye, -0.0012);
      points.set(p, 3 * (row * n + k));
      const colour = mix(scale(flesh, tone), lids, own * (1 - 0.6 * near));
      colours.set(scale(colour, light), 3 * (row * n + k));
    }
  }
  for (let row = 0; row + 1 < rows.length; row++) {
    for (let k = 0; k < n; k++) {
      const a = row * n + k;
      const b = row * n + ((k + 1) % n);
      // The ring runs from the outer corner over the upper lid: the two eyes' turn opposite ways.
      triangles.push(...(side === 'left' ? [a, b, b + n, a, b + n, a + n] : [a, b + n, b, a, a + n, b + n]));
    }
  }
  buildCaruncle(inner, outer, { points, colours, triangles, from: rows.length * n }, tone);
  const deltas = fineDeltas.map((skin) => {
    if (!skin) return undefined;
    const delta = new Float32Array(points.length);
    let moves = false;
    for (let k = 0; k < n; k++) {
      const d = at(skin, ring[k]);
      if (Math.abs(d[0]) + Math.abs(d[1]) + Math.abs(d[2]) > 2e-5) moves = true;
      for (let row = 0; row < rows.length; row++) delta.set(d, 3 * (row * n + k));
    }
    return moves ? delta : undefined;
  });
  return { points, colours, triangles: Uint32Array.from(triangles), deltas };
}

/** The rim's point brought to a distance from the eyeball's surface, along its own ray. */
function onto(rim: Vector, eye: Eye, above: number): Vector {
  const d = subtract(rim, eye.centre);
  return add(eye.centre, scale(d, (eyeballRadius + above) / length(d)));
}

/** The margin's inner edge: a little into the opening, just on the eyeball. */
function ledge(rim: Vector, opening: Vector, eye: Eye): Vector {
  const inwards = normalise(subtract(opening, rim));
  const p = add(rim, scale([0, inwards[1], 0], 0.00045));
  return onto(p, eye, 0.0001);
}

/** The caruncle: a small mound of flesh between the lids, just behind their plane. */
function buildCaruncle(
  inner: Vector,
  outer: Vector,
  to: { points: Float32Array; colours: Float32Array; triangles: number[]; from: number },
  tone: number,
): void {
  const along = normalise(subtract(outer, inner));
  const middle = add(inner, scale(along, 0.0017));
  middle[2] -= 0.0021;
  for (let s = 0; s < stacks; s++) {
    const polar = (Math.PI * 0.62 * (s + 0.15)) / (stacks - 1);
    for (let k = 0; k < slices; k++) {
      const turn = (2 * Math.PI * k) / slices;
      const i = to.from + s * slices + k;
      const x = 0.0027 * Math.sin(polar) * Math.cos(turn);
      const y = 0.0014 * Math.sin(polar) * Math.sin(turn);
      const p: Vector = [middle[0] + along[0] * x, middle[1] + along[1] * x + y, middle[2] + along[2] * x];
      p[2] += 0.0012 * Math.cos(polar);
      to.points.set(p, 3 * i);
      to.colours.set(scale(flesh, tone * (0.8 + 0.25 * Math.cos(polar))), 3 * i);
      if (s + 1 === stacks) continue;
      const next = to.from + s * slices + ((k + 1) % slices);
      const forward = along[0] > 0;
      const quad = [i, i + slices, next, next, i + slices, next + slices];
      to.triangles.push(...(forward ? quad : quad.reverse()));
    }
  }
}
