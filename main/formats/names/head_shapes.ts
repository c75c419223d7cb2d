import type { Document, Mesh, Node } from '@gltf-transform/core';

/** What `extras` may hold. */
interface NamesOfTargets {
  targetNames?: unknown;
}

/**
 * Names of a mesh's morph targets by their position, as `extras.targetNames` has them, on the mesh or
 * (Blender's habit of old) its primitives; `target 3` where there is none.
 */
export function targetNames(mesh: Mesh): string[] {
  const count = Math.max(0, ...mesh.listPrimitives().map((primitive) => primitive.listTargets().length));
  const said = [mesh, ...mesh.listPrimitives()]
    .map((named) => (named.getExtras() as NamesOfTargets).targetNames)
    .find(Array.isArray) as unknown[] | undefined;
  return Array.from({ length: count }, (_, position) => {
    const name = said?.[position];
    return typeof name === 'string' && name !== '' ? name : `target ${position}`;
  });
}

/** Names of all shapes of a head, each once, in the order in which its meshes have them. */
export const shapesOf = (document: Document): string[] => [
  ...new Set(document.getRoot().listMeshes().flatMap(targetNames)),
];

/** Whether a shape of a mesh moves anything. */
export function movesAnything(mesh: Mesh, position: number): boolean {
  return mesh.listPrimitives().some((primitive) => {
    const target = primitive.listTargets()[position];
    return (
      target
        ?.getAttribute('POSITION')
        ?.getArray()
        ?.some((value) => value !== 0) ?? false
    );
  });
}

/** The nodes that show a mesh. */
export const nodesOf = (mesh: Mesh): Node[] =>
  mesh.listParents().filter((parent): parent is Node => parent.propertyType === 'Node');
