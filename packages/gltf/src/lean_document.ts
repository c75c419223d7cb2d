import type { Accessor, Document, Mesh, Primitive } from '@gltf-transform/core';
import { packTarget, restingTarget } from './morph_targets.ts';

/**
 * Removes accessors and meshes without references, which would still be written. Shrinks morph targets:
 * sparse where that is smaller, and one shared accessor for all targets of a primitive that move nothing.
 * Unattached nodes, such as a bone without a mesh, stay.
 */
export function makeLean(document: Document): void {
  const moving = new Map<Accessor, boolean>();
  const meshes = document.getRoot().listMeshes();
  for (const primitive of meshes.flatMap((mesh) => mesh.listPrimitives()))
    thinOut(document, primitive, moving);
  disposeUnused(document);
}

/** @param moving whether an accessor moves anything, for those already examined */
function thinOut(document: Document, primitive: Primitive, moving: Map<Accessor, boolean>): void {
  const resting = new Map<string, Accessor>();
  for (const target of primitive.listTargets()) {
    for (const semantic of target.listSemantics()) {
      const accessor = target.getAttribute(semantic)!;
      const values = accessor.getArray();
      if (!(values instanceof Float32Array)) continue;
      const moves = moving.get(accessor) ?? packTarget(accessor, values);
      moving.set(accessor, moves);
      if (moves) continue;
      const rest =
        resting.get(semantic) ?? restingTarget(document, accessor.getCount()).setBuffer(accessor.getBuffer());
      resting.set(semantic, rest);
      target.setAttribute(semantic, rest);
    }
  }
}

function disposeUnused(document: Document): void {
  const root = document.getRoot();
  // Meshes first: one may be the only user of an accessor.
  for (const mesh of root.listMeshes()) {
    if (!isUnused(mesh)) continue;
    for (const primitive of mesh.listPrimitives())
      if (primitive.listParents().length === 1) primitive.dispose();
    mesh.dispose();
  }
  for (const accessor of root.listAccessors()) if (isUnused(accessor)) accessor.dispose();
}

/** Referred to by nothing but the document's own list. */
const isUnused = (property: Accessor | Mesh): boolean =>
  property.listParents().every(({ propertyType }) => propertyType === 'Root');
