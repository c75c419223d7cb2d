/**
 * How far a normal must turn to be stored, as the length of its delta: it fades in from the first value (14°)
 * to the second (22°). Smaller turns are hardly visible, and storing all would take four times the bytes.
 */
const visible = { from: 0.24, to: 0.38 } as const;

/** A shape's companion: `mouthClose` closes lips that `jawOpen` has opened, so it is always seen with it. */
const seenWith: Readonly<Record<string, string>> = { mouthClose: 'jawOpen' };

export interface MorphedSurface {
  /** Metres × 3. */
  points: ArrayLike<number>;
  triangles: ArrayLike<number>;
  /** Names of the targets, in the order of `moves`. */
  names: readonly string[];
  /** Metres × 3 by target; undefined if it moves nothing. */
  moves: readonly (Float32Array | undefined)[];
}

/**
 * The normal deltas of morph targets where normals turn visibly, × 3 per vertex; undefined where none do.
 * Without them a renderer that does not recompute normals (three.js, Babylon.js, game engines) shades an open
 * mouth as if it were shut.
 */
export function morphNormals({
  points,
  triangles,
  names,
  moves,
}: MorphedSurface): (Float32Array | undefined)[] {
  const around = trianglesAround(triangles, points.length / 3);
  const rest = poseOf(Float32Array.from(points), triangles);
  return moves.map((move, target) => {
    if (!move) return undefined;
    const companion = moves[names.indexOf(seenWith[names[target]!] ?? '')];
    const pose = companion ? poseOf(added(rest.points, companion), triangles) : rest;
    return turned(pose, move, triangles, around);
  });
}

/** A surface at rest. A target's changes are applied to the `moved` arrays and undone afterwards. */
interface Pose {
  points: Float32Array;
  moved: Float32Array;
  /** Normals of the triangles, as long as twice their areas. */
  faces: Float32Array;
  /** Their sums at each vertex, and how long they are. */
  sums: Float32Array;
  lengths: Float32Array;
  movedSums: Float32Array;
}

function poseOf(points: Float32Array, triangles: ArrayLike<number>): Pose {
  const faces = new Float32Array(triangles.length);
  const sums = new Float32Array(points.length);
  for (let first = 0; first < triangles.length; first += 3) {
    faceNormal(faces, first, points, triangles, first);
    for (let corner = first; corner < first + 3; corner++) {
      const at = 3 * triangles[corner]!;
      sums[at]! += faces[first]!;
      sums[at + 1]! += faces[first + 1]!;
      sums[at + 2]! += faces[first + 2]!;
    }
  }
  const lengths = Float32Array.from({ length: points.length / 3 }, (_, i) => lengthAt(sums, 3 * i));
  return { points, moved: points.slice(), faces, sums, lengths, movedSums: sums.slice() };
}

const added = (points: Float32Array, move: Float32Array): Float32Array =>
  points.map((value, i) => value + move[i]!);

const lengthAt = (values: Float32Array, at: number): number =>
  Math.sqrt(values[at]! ** 2 + values[at + 1]! ** 2 + values[at + 2]! ** 2) || 1;

function faceNormal(
  out: Float32Array,
  at: number,
  points: Float32Array,
  triangles: ArrayLike<number>,
  first: number,
): void {
  const a = 3 * triangles[first]!;
  const b = 3 * triangles[first + 1]!;
  const c = 3 * triangles[first + 2]!;
  const ux = points[b]! - points[a]!;
  const uy = points[b + 1]! - points[a + 1]!;
  const uz = points[b + 2]! - points[a + 2]!;
  const vx = points[c]! - points[a]!;
  const vy = points[c + 1]! - points[a + 1]!;
  const vz = points[c + 2]! - points[a + 2]!;
  out[at] = uy * vz - uz * vy;
  out[at + 1] = uz * vx - ux * vz;
  out[at + 2] = ux * vy - uy * vx;
}

/**
 * Triangles by vertex: those of vertex i stand from `starts[i]` to `starts[i + 1]`, each as its first
 * corner's place.
 */
interface Around {
  starts: Uint32Array;
  list: Uint32Array;
}

function trianglesAround(triangles: ArrayLike<number>, count: number): Around {
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < triangles.length; i++) starts[triangles[i]! + 1]!++;
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice();
  const list = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) list[next[triangles[i]!]!++] = i - (i % 3);
  return { starts, list };
}

/** The change of the normals by a target. Only triangles that it touches are examined. */
function turned(
  pose: Pose,
  move: Float32Array,
  triangles: ArrayLike<number>,
  around: Around,
): Float32Array | undefined {
  const { points, moved, faces, sums, movedSums } = pose;
  const { vertices, firsts } = touchedBy(pose, move, triangles, around);
  const face = new Float32Array(3);
  for (const first of firsts) {
    faceNormal(face, 0, moved, triangles, first);
    const x = face[0]! - faces[first]!;
    const y = face[1]! - faces[first + 1]!;
    const z = face[2]! - faces[first + 2]!;
    for (let corner = first; corner < first + 3; corner++) {
      const at = 3 * triangles[corner]!;
      movedSums[at]! += x;
      movedSums[at + 1]! += y;
      movedSums[at + 2]! += z;
    }
  }
  const turns = visibleTurns(pose, vertices);
  for (const vertex of vertices) {
    for (let at = 3 * vertex; at < 3 * vertex + 3; at++) {
      moved[at] = points[at]!;
      movedSums[at] = sums[at]!;
    }
  }
  return turns;
}

/** Moves the points; returns the triangles that change and all their vertices. */
function touchedBy(
  { points, moved, lengths }: Pose,
  move: Float32Array,
  triangles: ArrayLike<number>,
  { starts, list }: Around,
): { vertices: number[]; firsts: number[] } {
  const [vertices, firsts]: number[][] = [[], []];
  const seen = new Uint8Array(triangles.length / 3);
  const isTouched = new Uint8Array(lengths.length);
  const bits = new Uint32Array(move.buffer, move.byteOffset, move.length);
  for (let vertex = 0, at = 0; vertex < lengths.length; vertex++, at += 3) {
    // Zero, positive or negative, by its bits.
    if ((bits[at]! | bits[at + 1]! | bits[at + 2]!) << 1 === 0) continue;
    for (let k = at; k < at + 3; k++) moved[k] = points[k]! + move[k]!;
    for (let n = starts[vertex]!; n < starts[vertex + 1]!; n++) {
      const first = list[n]!;
      if (seen[first / 3]) continue;
      seen[first / 3] = 1;
      firsts!.push(first);
      for (let corner = first; corner < first + 3; corner++) {
        const one = triangles[corner]!;
        if (isTouched[one]) continue;
        isTouched[one] = 1;
        vertices!.push(one);
      }
    }
  }
  return { vertices: vertices!, firsts: firsts! };
}

function visibleTurns(
  { points, sums, lengths, movedSums }: Pose,
  vertices: readonly number[],
): Float32Array | undefined {
  let turns: Float32Array | undefined;
  for (const vertex of vertices) {
    const at = 3 * vertex;
    const was = 1 / lengths[vertex]!;
    const is = 1 / lengthAt(movedSums, at);
    const x = movedSums[at]! * is - sums[at]! * was;
    const y = movedSums[at + 1]! * is - sums[at + 1]! * was;
    const z = movedSums[at + 2]! * is - sums[at + 2]! * was;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length <= visible.from) continue;
    const t = Math.min(1, (length - visible.from) / (visible.to - visible.from));
    const share = t * t * (3 - 2 * t);
    turns ??= new Float32Array(points.length);
    turns[at] = inReach(x * share);
    turns[at + 1] = inReach(y * share);
    turns[at + 2] = inReach(z * share);
  }
  return turns;
}

/** Quantised for the web, a component must lie within ±1. */
const inReach = (value: number): number => Math.max(-1, Math.min(1, value));
