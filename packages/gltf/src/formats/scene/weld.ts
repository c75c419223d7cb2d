import type { Influences, MorphTarget } from './mesh_data.ts';

interface Vertices {
  positions: Float32Array;
  normals: Float32Array;
  influences: Influences | null;
  targets: readonly MorphTarget[];
  /** Triangles × 3, into the vertices. */
  rows: Uint32Array;
  /** Material slot of each triangle. */
  slots: Uint32Array;
}

interface Welded {
  /** The point that each vertex became, −1 where no triangle uses it. */
  points: Int32Array;
  /** The representative vertex of each point. */
  firsts: Uint32Array;
  /** Triangles × 3, into points; those that became a line are left out here, in `rows` and `slots`. */
  corners: Uint32Array;
  rows: Uint32Array;
  slots: Uint32Array;
}

/**
 * Normals that differ by less than 2.5° are a rounding of one; by more, they are a hard edge, which is kept.
 */
const sameDirection = Math.cos((2.5 * Math.PI) / 180);

/**
 * Merges vertices with the same position, normal, morph targets and joints. glTF splits a surface at every
 * seam of a texture or a colour, and a modelling program would show an open edge there.
 */
export function weld({ positions, normals, influences, targets, rows, slots }: Vertices): Welded {
  const count = positions.length / 3;
  const used = new Uint8Array(count);
  for (const row of rows) used[row] = 1;
  const motion = motionHashes(targets, influences, count);
  const bits = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
  const buckets = new Int32Array(2 ** Math.ceil(Math.log2(count + 2))).fill(-1);
  const next = new Int32Array(count).fill(-1);
  const points = new Int32Array(count).fill(-1);
  const firsts = new Uint32Array(count);
  let length = 0;
  const isSame = (a: number, b: number): boolean => {
    for (let k = 0; k < 3; k++) if (positions[a * 3 + k] !== positions[b * 3 + k]) return false;
    for (let k = 0; k < 2; k++) if (motion[a * 2 + k] !== motion[b * 2 + k]) return false;
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += normals[a * 3 + k]! * normals[b * 3 + k]!;
    return cosine >= sameDirection;
  };
  for (let vertex = 0; vertex < count; vertex++) {
    if (!used[vertex]) continue;
    let hash = 0x811c9dc5;
    for (let k = 0; k < 3; k++) hash = Math.imul(hash ^ mixed(bits[vertex * 3 + k]!), 0x01000193);
    const bucket = mixed(hash) & (buckets.length - 1);
    let other = buckets[bucket]!;
    while (other >= 0 && !isSame(firsts[other]!, vertex)) other = next[other]!;
    if (other < 0) {
      other = length++;
      firsts[other] = vertex;
      next[other] = buckets[bucket]!;
      buckets[bucket] = other;
    }
    points[vertex] = other;
  }
  return { points, firsts: firsts.slice(0, length), ...withoutLines(points, rows, slots) };
}

function withoutLines(
  points: Int32Array,
  rows: Uint32Array,
  slots: Uint32Array,
): Omit<Welded, 'points' | 'firsts'> {
  const corners = rows.map((row) => points[row]!);
  const kept: number[] = [];
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = corners.subarray(i, i + 3);
    if (a !== b && b !== c && c !== a) kept.push(i / 3);
  }
  if (kept.length === slots.length) return { corners, rows, slots };
  const of3 = (values: Uint32Array): Uint32Array =>
    Uint32Array.from({ length: kept.length * 3 }, (_, i) => values[kept[Math.floor(i / 3)]! * 3 + (i % 3)]!);
  return { corners: of3(corners), rows: of3(rows), slots: Uint32Array.from(kept, (i) => slots[i]!) };
}

/** A hash of two numbers per vertex, equal for vertices that move alike. */
function motionHashes(
  targets: readonly MorphTarget[],
  influences: Influences | null,
  count: number,
): Uint32Array {
  const hashes = new Uint32Array(count * 2);
  const add = (vertex: number, value: number, salt: number): void => {
    const mixedIn = mixed(value + Math.imul(salt, 0x9e3779b9));
    hashes[vertex * 2] = Math.imul(hashes[vertex * 2]! ^ mixedIn, 0x01000193);
    hashes[vertex * 2 + 1] = Math.imul(hashes[vertex * 2 + 1]! + mixedIn, 0x85ebca6b) ^ salt;
  };
  for (const [number, { points, offsets }] of targets.entries()) {
    const bits = new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.length);
    for (const [i, vertex] of points.entries())
      for (let k = 0; k < 3; k++) add(vertex, bits[i * 3 + k]!, number * 3 + k + 1);
  }
  if (!influences) return hashes;
  const { width, joints, weights } = influences;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i]! > 0) add(Math.floor(i / width), joints[i]!, Math.round(weights[i]! * 65_535) + 1);
  }
  return hashes;
}

/** Finalizer of MurmurHash3: every bit of a number moves all of its hash's. */
function mixed(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
