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
} from '@likeness/geometry/vector.ts';
import { type Eye, eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Share of the lid's colour in the margin's rows, the rest flesh: rim, ledge, fold behind it. */
const rows: readonly (readonly [own: number, light: number])[] = [
  [0.85, 0.8],
  [0.45, 0.85],
  [0.1, 0.5],
];
const flesh: Vector = [0.4, 0.125, 0.1];
const slices = 8;
const stacks = 4;

interface Draft {
  readonly points: Vector[];
  readonly colours: Vector[];
  readonly triangles: number[];
  /** The vertex of the face that each point moves with; −1: none. */
  readonly follows: number[];
}

/**
 * Builds the wet edges of both eyes' lids and the flesh in their inner corners as one part, which moves with the lids.
 * `skin` returns a vertex's colour, linear RGB.
 */
export function buildLidMargins(
  fine: Float32Array,
  fit: FaceFit,
  fineDeltas: readonly (Float32Array | undefined)[],
  skin: (vertex: number) => Vector,
) {
  const draft: Draft = { points: [], colours: [], triangles: [], follows: [] };
  addLidMargin(draft, fine, fit.leftEye, fineFace.leftRim, skin);
  addLidMargin(draft, fine, fit.rightEye, fineFace.rightRim, skin);
  const deltas = fineDeltas.map((skin) => {
    if (!skin) return undefined;
    const moves = draft.follows.map((vertex): Vector => (vertex < 0 ? [0, 0, 0] : at(skin, vertex)));
    const isSeen = moves.some(([x, y, z]) => Math.abs(x) + Math.abs(y) + Math.abs(z) > 2e-5);
    return isSeen ? Float32Array.from(moves.flat()) : undefined;
  });
  return {
    points: Float32Array.from(draft.points.flat()),
    colours: Float32Array.from(draft.colours.flat()),
    triangles: Uint32Array.from(draft.triangles),
    deltas,
  };
}

function addLidMargin(
  draft: Draft,
  fine: Float32Array,
  eye: Eye,
  ring: readonly number[],
  skin: (vertex: number) => Vector,
): void {
  const n = ring.length;
  const first = draft.points.length;
  const inner = at(fine, ring[n / 2]);
  const outer = at(fine, ring[0]);
  const opening = mix(inner, outer, 0.5);
  const lids = ring.reduce<Vector>((sum, i) => add(sum, scale(skin(i), 1 / n)), [0, 0, 0]);
  // Flesh is as light as the skin about it lets one expect.
  const tone = clamp((lids[0] + lids[1] + lids[2]) / 0.75, 0.45, 1.1);
  for (const [row, [own, light]] of rows.entries()) {
    for (const [k, vertex] of ring.entries()) {
      const rim = at(fine, vertex);
      // Towards the inner corner the margin is redder.
      const near = smoothstep(0.008, 0.001, length(subtract(rim, inner)));
      draft.points.push(row === 0 ? rim : row === 1 ? ledge(rim, opening, eye) : onto(rim, eye, -0.0012));
      draft.colours.push(scale(mix(scale(flesh, tone), lids, own * (1 - 0.6 * near)), light));
      draft.follows.push(vertex);
      if (row + 1 === rows.length) continue;
      const a = first + row * n + k;
      const b = first + row * n + ((k + 1) % n);
      // The ring runs from the outer corner over the upper lid: the two eyes' turn opposite ways.
      draft.triangles.push(
        ...(inner[0] < outer[0] ? [a, b, b + n, a, b + n, a + n] : [a, b + n, b, a, a + n, b + n]),
      );
    }
  }
  addCaruncle(draft, inner, outer, tone);
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
function addCaruncle(draft: Draft, inner: Vector, outer: Vector, tone: number): void {
  const along = normalise(subtract(outer, inner));
  const middle = add(inner, scale(along, 0.0017));
  middle[2] -= 0.0021;
  const first = draft.points.length;
  for (let s = 0; s < stacks; s++) {
    const polar = (Math.PI * 0.62 * (s + 0.15)) / (stacks - 1);
    for (let k = 0; k < slices; k++) {
      const turn = (2 * Math.PI * k) / slices;
      const i = first + s * slices + k;
      const x = 0.0027 * Math.sin(polar) * Math.cos(turn);
      const y = 0.0014 * Math.sin(polar) * Math.sin(turn);
      const p: Vector = [middle[0] + along[0] * x, middle[1] + along[1] * x + y, middle[2] + along[2] * x];
      p[2] += 0.0012 * Math.cos(polar);
      draft.points.push(p);
      draft.colours.push(scale(flesh, tone * (0.8 + 0.25 * Math.cos(polar))));
      draft.follows.push(-1);
      if (s + 1 === stacks) continue;
      const next = first + s * slices + ((k + 1) % slices);
      const quad = [i, i + slices, next, next, i + slices, next + slices];
      draft.triangles.push(...(along[0] > 0 ? quad : quad.reverse()));
    }
  }
}
