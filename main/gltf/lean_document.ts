import type { Document } from '@gltf-transform/core';

/**
 * Removes accessors and meshes that nothing refers to, which would be written all the same, and has morph targets
 * written sparsely where that is shorter. What stands for itself, a bone without a mesh, stays.
 */
export function makeLean(document: Document): void {
  const root = document.getRoot();
  for (const unused of [...root.listMeshes(), ...root.listAccessors()]) {
    if (unused.listParents().every(({ propertyType }) => propertyType === 'Root')) unused.dispose();
  }
  for (const mesh of root.listMeshes()) {
    for (const target of mesh.listPrimitives().flatMap((primitive) => primitive.listTargets())) {
      for (const accessor of target.listAttributes()) {
        const array = accessor.getArray();
        if (!array) continue;
        let moved = 0;
        for (const value of array) if (value !== 0) moved += 1;
        // A vertex costs twelve bytes, and two more for its number.
        accessor.setSparse(moved < array.length * 0.8);
      }
    }
  }
}
