import type { Accessor, Document, Mesh, Primitive } from '@gltf-transform/core';

/** A sparse accessor spends 14 bytes on a vertex that moves (2 of them its number), a dense one 12 on each. */
const sparseBelow = 12 / 14;

/**
 * The movement of what rests. Not nothing at all, since assimp 5.2 stops at an accessor without any data behind it, and
 * far below what can be seen or summed up: metres.
 */
const asGoodAsNothing = 1e-30;

/** Shapes fade out from the second to the first of these, metres. */
const faint = { none: 8.5e-5, all: 1.5e-4 } as const;

/** A shape without what moves less than is seen, metres × 3 a vertex; its ends fade out. undefined: nothing is left. */
export function withoutFaint(move: Float32Array): Float32Array | undefined {
  let out: Float32Array | undefined;
  for (let i = 0; i < move.length; i += 3) {
    const x = move[i]!;
    const y = move[i + 1]!;
    const z = move[i + 2]!;
    const square = x * x + y * y + z * z;
    if (square <= faint.none * faint.none) continue;
    out ??= new Float32Array(move.length);
    const t = Math.min(1, (Math.sqrt(square) - faint.none) / (faint.all - faint.none));
    const share = t * t * (3 - 2 * t);
    out[i] = x * share;
    out[i + 1] = y * share;
    out[i + 2] = z * share;
  }
  return out;
}

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

/**
 * Lets all morph targets of a document cost what they move: sparse where that is smaller, and one accessor for all that
 * rests in a primitive.
 */
export function thinOutTargets(document: Document): void {
  const seen = new Map<Accessor, number>();
  for (const mesh of document.getRoot().listMeshes()) {
    for (const primitive of mesh.listPrimitives()) {
      let resting: Accessor | undefined;
      for (const target of primitive.listTargets()) {
        const accessor = target.getAttribute('POSITION');
        const values = accessor?.getArray();
        if (!accessor || !(values instanceof Float32Array)) continue;
        const share = seen.get(accessor) ?? shareMoving(values);
        seen.set(accessor, share);
        accessor.setSparse(share < sparseBelow);
        if (share > 0) continue;
        resting ??= restingTarget(document, accessor.getCount()).setBuffer(accessor.getBuffer());
        target.setAttribute('POSITION', resting);
        // One that nothing but the document's own list knows.
        if (accessor.listParents().length === 1) accessor.dispose();
      }
    }
  }
}
