import type { Accessor, Material, Mesh, mat4, Primitive, vec3 } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { glbFailure } from '../../glb_bounds.ts';
import { determinant, moved, normalMatrix } from './matrix.ts';
import type { Block, MergedMesh, MorphTarget } from './mesh_data.ts';
import { hasTriangles, trianglesOf } from './triangles.ts';
import {
  bounds,
  colorsOf,
  influencesOf,
  pick,
  rowSemantics,
  uvsOf,
  uvTransform,
  valuesOf,
} from './vertices.ts';
import { weld } from './weld.ts';

export interface MergeOptions {
  /** Transform applied to every point first. */
  matrix: mat4 | null;
  /** A material's vertex colours are divided by these factors, which its base colour contains instead. */
  tints: ReadonlyMap<Material, readonly [number, number, number]>;
}

/** @returns null where the mesh has no triangles */
export function mergedMesh(mesh: Mesh, options: MergeOptions): MergedMesh | null {
  const { blocks, drawn } = blocksOf(mesh);
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const triangles = allTriangles(drawn, options.matrix !== null && determinant(options.matrix) < 0);
  if (triangles.rows.length === 0) return null;
  const positions = new Float32Array(count * 3);
  const normals = new Float32Array(count * 3);
  for (const block of blocks) {
    positions.set(valuesOf(block.primitive.getAttribute('POSITION')!, 3), block.first * 3);
    const normal = block.primitive.getAttribute('NORMAL');
    if (normal) normals.set(valuesOf(normal, 3), block.first * 3);
  }
  smoothWhereNone(positions, normals, triangles.rows);
  if (options.matrix) {
    turn(positions, options.matrix, 1);
    turn(normals, normalMatrix(options.matrix), 0);
  }
  makeUnit(normals);
  const influences = influencesOf(blocks, count);
  const targets = targetsOf(mesh, blocks, positions, options.matrix);
  const welded = weld({
    positions,
    normals,
    influences,
    targets,
    rows: triangles.rows,
    slots: triangles.slots,
  });
  return {
    name: mesh.getName().replace(/\p{Cc}+/gu, ' '),
    positions: pick(positions, welded.firsts, 3),
    normals: pick(normals, welded.firsts, 3),
    corners: welded.corners,
    rows: welded.rows,
    slots: welded.slots,
    uvs: uvsOf(blocks, count),
    colors: colorsOf(blocks, count, options.tints),
    materials: triangles.materials,
    targets: targets.map((target) => onPoints(target, welded.points, welded.firsts)),
    influences: influences && {
      width: influences.width,
      joints: pick(influences.joints, welded.firsts, influences.width),
      weights: pick(influences.weights, welded.firsts, influences.width),
    },
  };
}

/** A mesh's vertices, each accessor once: the material slots of one skin often share theirs. */
function blocksOf(mesh: Mesh): { blocks: Block[]; drawn: { primitive: Primitive; block: Block }[] } {
  const blocks: Block[] = [];
  const drawn: { primitive: Primitive; block: Block }[] = [];
  let first = 0;
  for (const primitive of mesh.listPrimitives()) {
    const position = primitive.getAttribute('POSITION');
    if (!position || !hasTriangles(primitive)) continue;
    let block = blocks.find((one) => sharesVertices(one.primitive, primitive));
    if (!block) {
      block = { primitive, first, count: position.getCount() };
      blocks.push(block);
      first += block.count;
    }
    drawn.push({ primitive, block });
  }
  return { blocks, drawn };
}

const sharesVertices = (a: Primitive, b: Primitive): boolean => {
  const [ours, theirs] = [accessorsOf(a), accessorsOf(b)];
  return (
    ours.length === theirs.length &&
    ours.every((one, i) => one === theirs[i]) &&
    // What is baked into the rows depends on the material.
    uvTransform(a.getMaterial())?.join() === uvTransform(b.getMaterial())?.join() &&
    (a.getMaterial() === b.getMaterial() || !a.getAttribute('COLOR_0'))
  );
};

const accessorsOf = (primitive: Primitive): (Accessor | null)[] => [
  ...['POSITION', 'NORMAL', ...rowSemantics].map((name) => primitive.getAttribute(name)),
  ...primitive
    .listTargets()
    .flatMap((target) => [target.getAttribute('POSITION'), target.getAttribute('NORMAL')]),
];

interface Triangles {
  /** Triangles × 3, into the mesh's vertices. */
  rows: Uint32Array;
  slots: Uint32Array;
  materials: (Material | null)[];
}

/** All triangles of the primitives. */
function allTriangles(drawn: { primitive: Primitive; block: Block }[], mirrored: boolean): Triangles {
  const materials: (Material | null)[] = [];
  const rows: number[] = [];
  const slots: number[] = [];
  for (const { primitive, block } of drawn) {
    const material = primitive.getMaterial();
    if (!materials.includes(material)) materials.push(material);
    const slot = materials.indexOf(material);
    const corners = trianglesOf(primitive);
    const at = (corner: number): number => {
      const index = corners[corner]!;
      if (index < block.count) return block.first + index;
      throw glbFailure(t('glb.triangle_points'));
    };
    for (let corner = 0; corner < corners.length; corner += 3) {
      const [x, y, z] = [at(corner), at(corner + 1), at(corner + 2)];
      if (x === y || y === z || z === x) continue;
      if (mirrored) rows.push(x, z, y);
      else rows.push(x, y, z);
      slots.push(slot);
    }
  }
  return { rows: Uint32Array.from(rows), slots: Uint32Array.from(slots), materials };
}

/** Computes missing normals from the surrounding triangles. */
function smoothWhereNone(positions: Float32Array, normals: Float32Array, rows: Uint32Array): void {
  const has = new Uint8Array(normals.length / 3).map((_, i) =>
    normals[i * 3] || normals[i * 3 + 1] || normals[i * 3 + 2] ? 1 : 0,
  );
  if (!has.includes(0)) return;
  const side = (from: number, to: number): vec3 => [
    positions[to * 3]! - positions[from * 3]!,
    positions[to * 3 + 1]! - positions[from * 3 + 1]!,
    positions[to * 3 + 2]! - positions[from * 3 + 2]!,
  ];
  for (let i = 0; i < rows.length; i += 3) {
    const [ax, ay, az] = side(rows[i]!, rows[i + 1]!);
    const [bx, by, bz] = side(rows[i]!, rows[i + 2]!);
    for (const row of rows.subarray(i, i + 3)) {
      if (has[row]) continue;
      normals[row * 3]! += ay * bz - az * by;
      normals[row * 3 + 1]! += az * bx - ax * bz;
      normals[row * 3 + 2]! += ax * by - ay * bx;
    }
  }
}

function makeUnit(normals: Float32Array): void {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1;
    for (let k = i; k < i + 3; k++) normals[k]! /= length;
  }
}

function targetsOf(
  mesh: Mesh,
  blocks: readonly Block[],
  positions: Float32Array,
  matrix: mat4 | null,
): MorphTarget[] {
  const names = mesh.getExtras().targetNames;
  const count = Math.max(0, ...blocks.map(({ primitive }) => primitive.listTargets().length));
  const [low, high] = bounds(positions);
  const tooSmall = 1e-7 * Math.hypot(...high.map((value, k) => value - low[k]!));
  const turning = matrix && turnOf(matrix);
  return Array.from({ length: count }, (_, number) => {
    const points: number[] = [];
    const offsets: number[] = [];
    const turns: number[] = [];
    let hasNormals = false;
    for (const { primitive, first, count: length } of blocks) {
      const target = primitive.listTargets()[number];
      const position = target?.getAttribute('POSITION');
      const normal = target?.getAttribute('NORMAL');
      const by = position ? valuesOf(position, 3, length) : null;
      const turned = normal ? valuesOf(normal, 3, length) : null;
      if (turned) hasNormals = true;
      for (let i = 0; i < length; i++) {
        const offset = rowOf(by, i, matrix);
        const tilt = rowOf(turned, i, turning);
        if (!(Math.hypot(...offset) > tooSmall) && !(Math.hypot(...tilt) > 1e-3)) continue;
        points.push(first + i);
        offsets.push(...offset);
        turns.push(...tilt);
      }
    }
    return {
      name: Array.isArray(names) && typeof names[number] === 'string' ? names[number] : '',
      points: Uint32Array.from(points),
      offsets: Float32Array.from(offsets),
      normals: hasNormals ? Float32Array.from(turns) : null,
    };
  });
}

const still: vec3 = [0, 0, 0];

/** One of many directions, moved; nearly all of them are nothing. */
function rowOf(values: Float32Array | null, row: number, matrix: mat4 | null): vec3 {
  if (!values) return still;
  const [x, y, z] = [values[row * 3]!, values[row * 3 + 1]!, values[row * 3 + 2]!];
  if (x === 0 && y === 0 && z === 0) return still;
  return matrix ? moved(matrix, x, y, z, 0) : [x, y, z];
}

/** Returns the matrix for changes of normals: like that of normals, but it keeps their length. */
const turnOf = (matrix: mat4): mat4 => {
  const size = Math.cbrt(Math.abs(determinant(matrix)));
  return normalMatrix(matrix).map((value) => value * size) as mat4;
};

/** One of the welded vertices determines how their point moves. */
function onPoints(target: MorphTarget, pointOf: Int32Array, firsts: Uint32Array): MorphTarget {
  const kept: number[] = [];
  for (const [i, vertex] of target.points.entries()) {
    const point = pointOf[vertex]!;
    if (point >= 0 && firsts[point] === vertex) kept.push(i);
  }
  const vertices = Uint32Array.from(kept);
  return {
    name: target.name,
    points: vertices.map((i) => pointOf[target.points[i]!]!),
    offsets: pick(target.offsets, vertices, 3),
    normals: target.normals && pick(target.normals, vertices, 3),
  };
}

function turn(values: Float32Array, matrix: mat4, w: 0 | 1): void {
  for (let i = 0; i < values.length; i += 3)
    values.set(moved(matrix, values[i]!, values[i + 1]!, values[i + 2]!, w), i);
}
