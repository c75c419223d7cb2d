import type { Accessor, Document, Node, Primitive } from '@gltf-transform/core';
import { refuseUnboundedGlb } from '../../glb_bounds.ts';
import { targetNames } from '../../morph_targets.ts';
import { openHead } from '../head/open_head.ts';
import { moved } from '../scene/matrix.ts';
import { restMatrix } from '../scene/rest_pose.ts';
import { hasTriangles, trianglesOf } from '../scene/triangles.ts';
import { valuesOf } from '../scene/vertices.ts';

/**
 * Returns the gap between a head's lips, millimetres: the widest one between their rims, below 0 if they
 * overlap.
 */
export type LipGap = (weights: ArrayLike<number>, channelNames: readonly string[]) => number;

/** Two vertices that coincide while the mouth is shut, one on each lip's rim. */
interface RimPair {
  upper: number;
  lower: number;
}

/** Shapes that open the mouth, for finding the rims. */
const openingNames = ['jawOpen', 'viseme_aa', 'aa', 'A'];
/** Maximum distance at rest between vertices of the two rims, millimetres. */
const reach = 3;
/** Minimum difference between the rims' displacements, as a share of the largest displacement. */
const minParting = 0.2;
/** Range of mouth widths, millimetres; other finds aren't mouths. */
const widths = { least: 20, most: 90 } as const;
/** Positions along the mouth, without its corners, at which the gap is measured. */
const sampleCount = 9;
/** Maximum gap at rest, millimetres: that of the engine's heads. A larger gap is an open mouth. */
const maxAtRest = 1.5;

/**
 * Finds the rims of a head's lips by its shapes, and returns a function that measures their gap.
 *
 * The opening shape separates vertices that touch at rest and have no edge between them. The frontmost are
 * the lips; teeth are behind them.
 *
 * @param head - a GLB
 * @returns null if its lips can't be found: no shape opens its mouth, or it is not shut at rest
 * @throws Failure `unsupported`, `invalid_input` if the file can't be read
 */
export async function lipGapOf(head: Uint8Array): Promise<LipGap | null> {
  await refuseUnboundedGlb(head);
  return lipGapIn((await openHead(head)).document);
}

function lipGapIn(document: Document): LipGap | null {
  for (const node of document.getRoot().listNodes()) {
    const mesh = node.getMesh();
    const names = mesh ? targetNames(mesh) : [];
    const opening = openingNames.map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1;
    if (!mesh || opening < 0) continue;
    const parts = mesh.listPrimitives().toSorted((a, b) => verticesOf(b) - verticesOf(a));
    for (const primitive of parts) {
      const surface = surfaceOf(primitive, node);
      const pairs = surface && rimPairs(surface, opening, names);
      if (surface && pairs) return measuring(surface, pairs, names);
    }
  }
  return null;
}

const verticesOf = (primitive: Primitive): number => primitive.getAttribute('POSITION')?.getCount() ?? 0;

/** Positions and displacements, millimetres × 3 per vertex. */
interface Surface {
  rest: Float32Array;
  moves: readonly (Float32Array | null)[];
  indices: ArrayLike<number> | null;
}

function surfaceOf(primitive: Primitive, node: Node): Surface | null {
  const positions = primitive.getAttribute('POSITION');
  if (!positions) return null;
  const matrix = restMatrix(node);
  const inMillimetres = (accessor: Accessor, w: 0 | 1): Float32Array => {
    const values = valuesOf(accessor, 3);
    for (let i = 0; i < values.length; i += 3) {
      const position = moved(matrix, values[i]!, values[i + 1]!, values[i + 2]!, w);
      values.set(
        position.map((value) => value * 1000),
        i,
      );
    }
    return values;
  };
  return {
    rest: inMillimetres(positions, 1),
    moves: primitive.listTargets().map((target) => {
      const offsets = target.getAttribute('POSITION');
      return offsets ? inMillimetres(offsets, 0) : null;
    }),
    indices: hasTriangles(primitive) ? trianglesOf(primitive) : null,
  };
}

/**
 * Returns one pair for each position along the mouth; null if this surface has no mouth that opens and shuts.
 */
function rimPairs(surface: Surface, opening: number, names: readonly string[]): RimPair[] | null {
  const { rest, moves } = surface;
  const move = moves[opening];
  if (!move) return null;
  const count = rest.length / 3;
  let lowest = 0;
  for (let vertex = 0; vertex < count; vertex++) lowest = Math.min(lowest, move[3 * vertex + 1]!);
  if (lowest > -2) return null;
  const torn = tornPairs(surface, move, -lowest * minParting);
  if (torn.length < sampleCount) return null;
  const x = ({ lower }: RimPair): number => rest[3 * lower]!;
  const [left, right] = [Math.min(...torn.map(x)), Math.max(...torn.map(x))];
  if (right - left < widths.least || right - left > widths.most) return null;
  const forward = forwardOf(surface, names);
  const best = new Map<number, { pair: RimPair; cost: number }>();
  for (const pair of torn) {
    // As many positions as the engine's own rims have between the corners.
    const slot = Math.round(((x(pair) - left) / (right - left)) * (sampleCount + 1));
    if (slot < 1 || slot > sampleCount) continue;
    const cost = 10 * distance(rest, pair) - forward * rest[3 * pair.lower + 2]!;
    if (cost < (best.get(slot)?.cost ?? Number.POSITIVE_INFINITY)) best.set(slot, { pair, cost });
  }
  const pairs = [...best.values()].map(({ pair }) => pair);
  if (pairs.length < sampleCount - 2) return null;
  const isShut = pairs.every(({ upper, lower }) => rest[3 * upper + 1]! - rest[3 * lower + 1]! <= maxAtRest);
  return isShut ? pairs : null;
}

/** Returns pairs of vertices that coincide at rest, have no edge between them, and move apart. */
function tornPairs({ rest, indices }: Surface, move: Float32Array, parting: number): RimPair[] {
  const count = rest.length / 3;
  const cells = new Map<string, number[]>();
  const cellOf = (vertex: number, dx = 0, dy = 0, dz = 0): string =>
    [dx, dy, dz].map((step, axis) => Math.floor(rest[3 * vertex + axis]! / reach) + step).join(' ');
  for (let vertex = 0; vertex < count; vertex++) {
    const cell = cellOf(vertex);
    const those = cells.get(cell);
    if (those) those.push(vertex);
    else cells.set(cell, [vertex]);
  }
  const edges = edgesOf(indices);
  const pairs: RimPair[] = [];
  const steps = [-1, 0, 1];
  for (let lower = 0; lower < count; lower++) {
    const falls = move[3 * lower + 1]!;
    if (falls > -parting) continue;
    for (const dx of steps)
      for (const dy of steps)
        for (const dz of steps)
          for (const upper of cells.get(cellOf(lower, dx, dy, dz)) ?? []) {
            if (move[3 * upper + 1]! - falls < parting) continue;
            if (distance(rest, { upper, lower }) > reach || edges.has(edge(upper, lower))) continue;
            pairs.push({ upper, lower });
          }
  }
  return pairs;
}

const edge = (a: number, b: number): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);

function edgesOf(indices: ArrayLike<number> | null): Set<number> {
  const edges = new Set<number>();
  for (let at = 0; indices && at + 2 < indices.length; at += 3) {
    const [a, b, c] = [indices[at]!, indices[at + 1]!, indices[at + 2]!];
    edges.add(edge(a, b)).add(edge(b, c)).add(edge(c, a));
  }
  return edges;
}

function distance(rest: Float32Array, { upper, lower }: RimPair): number {
  const along = (axis: number): number => rest[3 * upper + axis]! - rest[3 * lower + axis]!;
  return Math.hypot(along(0), along(1), along(2));
}

/** Returns the face's direction along Z: lips move that way when they are pursed. */
function forwardOf({ moves }: Surface, names: readonly string[]): 1 | -1 {
  const pursing = ['mouthPucker', 'mouthFunnel', 'viseme_U', 'U']
    .map((name) => moves[names.indexOf(name)])
    .find((move) => move);
  let sum = 0;
  for (let at = 2; pursing && at < pursing.length; at += 3) sum += pursing[at]!;
  return sum < 0 ? -1 : 1;
}

function measuring({ rest, moves }: Surface, pairs: readonly RimPair[], names: readonly string[]): LipGap {
  const hasArkit = names.includes('jawOpen');
  /** Each shape's contribution to the gap of each pair, precomputed so that a frame costs nothing. */
  const parting = moves.map((move) =>
    move ? pairs.map(({ upper, lower }) => move[3 * upper + 1]! - move[3 * lower + 1]!) : null,
  );
  const atRest = pairs.map(({ upper, lower }) => rest[3 * upper + 1]! - rest[3 * lower + 1]!);
  return (weights, channelNames) => {
    const gaps = [...atRest];
    for (const [shape, name] of names.entries()) {
      // A head may have two sets of shapes; only one of them is driven.
      if (hasArkit && name.startsWith('viseme_')) continue;
      const channel = channelNames.indexOf(name);
      const adds = parting[shape];
      const weight = channel < 0 ? 0 : Math.min(1.2, weights[channel]!);
      if (!adds || weight === 0) continue;
      for (let at = 0; at < gaps.length; at++) gaps[at]! += weight * adds[at]!;
    }
    return Math.max(...gaps);
  };
}
