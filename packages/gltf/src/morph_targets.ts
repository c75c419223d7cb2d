import type { Accessor, Document, Mesh, Primitive } from '@gltf-transform/core';
import { namesOfTargets } from '@likeness/proto/heads/head_json.ts';

/**
 * A sparse accessor takes 14 bytes per moving vertex (2 for its index), a dense one 12 per vertex.
 */
const sparseBelow = 12 / 14;

/**
 * The movement of an empty target, metres. Not zero, because assimp 5.2 fails on an accessor without data;
 * far too small to be seen or to add up.
 */
const asGoodAsNothing = 1e-30;

/** Movements fade out from the second to the first of these, metres. */
const faint = { none: 8.5e-5, all: 1.5e-4 } as const;

/** The displacements of a shape. */
export interface Movement {
  /** Those that move, ascending. */
  vertices: Uint32Array;
  /** Metres × 3 for each of them. */
  values: Float32Array;
}

/** A shape without movements too small to see; its edges fade out. undefined: nothing is left. */
export function withoutFaint(move: Float32Array): Movement | undefined {
  const min = faint.none * faint.none;
  const moving = new Uint32Array(move.length / 3);
  let count = 0;
  for (let vertex = 0, i = 0; i < move.length; vertex++, i += 3) {
    const x = move[i]!;
    const y = move[i + 1]!;
    const z = move[i + 2]!;
    if (x * x + y * y + z * z > min) moving[count++] = vertex;
  }
  if (count === 0) return undefined;
  const vertices = moving.slice(0, count);
  const values = new Float32Array(3 * count);
  for (let n = 0; n < count; n++) {
    const i = 3 * vertices[n]!;
    const share = shareLeft(move[i]!, move[i + 1]!, move[i + 2]!);
    values[3 * n] = move[i]! * share;
    values[3 * n + 1] = move[i + 1]! * share;
    values[3 * n + 2] = move[i + 2]! * share;
  }
  return { vertices, values };
}

/** How much `withoutFaint` leaves of a movement, 0..1. */
export function shareLeft(x: number, y: number, z: number): number {
  const square = x * x + y * y + z * z;
  if (square >= faint.all * faint.all) return 1;
  if (square <= faint.none * faint.none) return 0;
  const t = (Math.sqrt(square) - faint.none) / (faint.all - faint.none);
  return t * t * (3 - 2 * t);
}

/** A shape's movement of all vertices, metres × 3. */
export function moveOfAll({ vertices, values }: Movement, count: number): Float32Array {
  const all = new Float32Array(3 * count);
  for (let n = 0; n < vertices.length; n++)
    for (let c = 0; c < 3; c++) all[3 * vertices[n]! + c] = values[3 * n + c]!;
  return all;
}

/**
 * Gives a primitive its morph targets; empty ones share one accessor.
 *
 * @param moves metres, × 3 per vertex, one for each target of the mesh; undefined moves nothing
 * @param turns normal deltas, in the same order. If one target has any, all get them: for a target without,
 *   three.js would use the normals at rest as deltas
 */
export function addTargets(
  document: Document,
  primitive: Primitive,
  moves: readonly (Float32Array | undefined)[],
  turns: readonly (Float32Array | undefined)[] = [],
): void {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const count = primitive.getAttribute('POSITION')!.getCount();
  const resting = new Map<string, Accessor>();
  const accessorOf = (semantic: string, values: Float32Array | undefined): Accessor => {
    if (values) {
      const array = values as Float32Array<ArrayBuffer>;
      const accessor = document.createAccessor().setType('VEC3').setArray(array).setBuffer(buffer);
      packTarget(accessor, values);
      return accessor;
    }
    const rest = resting.get(semantic) ?? restingTarget(document, count).setBuffer(buffer);
    resting.set(semantic, rest);
    return rest;
  };
  const turn = turns.some(Boolean);
  for (const [number, move] of moves.entries()) {
    const target = document.createPrimitiveTarget().setAttribute('POSITION', accessorOf('POSITION', move));
    if (turn) target.setAttribute('NORMAL', accessorOf('NORMAL', turns[number]));
    primitive.addTarget(target);
  }
}

/** One accessor for all empty targets of a primitive. */
export function restingTarget(document: Document, count: number): Accessor {
  const values = new Float32Array(3 * count);
  values[0] = asGoodAsNothing;
  return document.createAccessor().setType('VEC3').setArray(values).setSparse(true);
}

/** How many of the elements are not zero, 0..1. */
function shareMoving(values: Float32Array): number {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  let moving = 0;
  // A zero has no bits, but for its sign.
  for (let i = 0; i < bits.length; i += 3)
    if ((bits[i]! | bits[i + 1]! | bits[i + 2]!) << 1 !== 0) moving += 1;
  return (3 * moving) / Math.max(1, values.length);
}

/**
 * Names of a mesh's morph targets by their position, as `extras.targetNames` has them, on the mesh or (Blender's
 * habit of old) its primitives; `target 3` where there is none.
 */
export function targetNames(mesh: Mesh): string[] {
  const primitives = mesh.listPrimitives();
  const count = Math.max(0, ...primitives.map((primitive) => primitive.listTargets().length));
  const names = [mesh, ...primitives]
    .map((named) => named.getExtras().targetNames)
    .find((names) => Array.isArray(names)) as readonly unknown[] | undefined;
  return namesOfTargets(names, count);
}

/** Names a mesh's morph targets in its `extras.targetNames`, and nowhere else. */
export function setTargetNames(mesh: Mesh, names: readonly string[]): Mesh {
  for (const primitive of mesh.listPrimitives()) {
    const { targetNames: _, ...others } = primitive.getExtras();
    primitive.setExtras(others);
    for (const [position, target] of primitive.listTargets().entries()) target.setName(names[position] ?? '');
  }
  return mesh.setExtras({ ...mesh.getExtras(), targetNames: [...names] });
}

/**
 * Makes an accessor of a morph target sparse where that is smaller. @returns whether it moves anything
 */
export function packTarget(accessor: Accessor, values: Float32Array): boolean {
  const share = shareMoving(values);
  accessor.setSparse(share < sparseBelow);
  return share > 0;
}
