import type { Accessor, Document, Mesh, Primitive } from '@gltf-transform/core';

/** A sparse accessor spends 14 bytes on a vertex that moves (2 of them its number), a dense one 12 on each. */
const sparseBelow = 12 / 14;

/**
 * The movement of what rests. Not nothing at all, since assimp 5.2 stops at an accessor without any data behind it, and
 * far below what can be seen or summed up: metres.
 */
const asGoodAsNothing = 1e-30;

/**
 * Gives a primitive its morph targets; what rests in several shares one accessor.
 *
 * @param moves metres, × 3 a vertex, one for each target of the mesh; undefined rests
 */
export function addTargets(
  document: Document,
  primitive: Primitive,
  moves: readonly (Float32Array | undefined)[],
): void {
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const count = primitive.getAttribute('POSITION')!.getCount();
  let resting: Accessor | undefined;
  for (const move of moves) {
    if (!move) resting ??= restingTarget(document, count).setBuffer(buffer);
    const accessor = move
      ? document
          .createAccessor()
          .setType('VEC3')
          .setArray(move as Float32Array<ArrayBuffer>)
          .setSparse(shareMoving(move) < sparseBelow)
          .setBuffer(buffer)
      : resting!;
    primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', accessor));
  }
}

function restingTarget(document: Document, count: number): Accessor {
  const values = new Float32Array(3 * count);
  values[0] = asGoodAsNothing;
  return document.createAccessor().setType('VEC3').setArray(values).setSparse(true);
}

function shareMoving(move: Float32Array): number {
  let moving = 0;
  for (let i = 0; i < move.length; i += 3)
    if (move[i] !== 0 || move[i + 1] !== 0 || move[i + 2] !== 0) moving += 1;
  return (3 * moving) / Math.max(1, move.length);
}

/** Names a mesh's morph targets, as its `extras.targetNames` will have them, and rests them. */
export function nameTargets(mesh: Mesh, names: readonly string[]): void {
  for (const primitive of mesh.listPrimitives())
    for (const [number, target] of primitive.listTargets().entries()) target.setName(names[number]!);
  mesh.setExtras({ ...mesh.getExtras(), targetNames: [...names] }).setWeights(names.map(() => 0));
}
