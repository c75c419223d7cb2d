import type { Document, Mesh, Node } from '@gltf-transform/core';
import { glbJson } from '../../gltf/glb_json.ts';

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
  return Array.from({ length: count }, (_, position) => nameAt(said, position));
}

/** Names of all shapes of a head, each once, in the order in which its meshes have them. */
export const shapesOf = (document: Document): string[] => [
  ...new Set(document.getRoot().listMeshes().flatMap(targetNames)),
];

/** What of a mesh's JSON is read for its names. */
interface MeshNames {
  extras?: NamesOfTargets;
  primitives?: readonly { targets?: readonly unknown[]; extras?: NamesOfTargets }[];
}

/**
 * The same of a file, by its JSON alone: of ten megabytes none are unpacked.
 *
 * @throws Failure `invalid_input` where it is no binary glTF 2.0
 */
export function shapesOfGlb(glb: Uint8Array): string[] {
  const { meshes } = glbJson<{ meshes?: unknown }>(glb);
  const named = (Array.isArray(meshes) ? meshes : []) as readonly (MeshNames | null)[];
  return [...new Set(named.flatMap((mesh) => namesIn(mesh ?? {})))];
}

function namesIn({ extras, primitives }: MeshNames): string[] {
  const all = Array.isArray(primitives) ? primitives : [];
  const count = Math.max(0, ...all.map((one) => (Array.isArray(one?.targets) ? one.targets.length : 0)));
  const said = [extras, ...all.map((one) => one?.extras)]
    .map((one) => one?.targetNames)
    .find(Array.isArray) as unknown[] | undefined;
  return Array.from({ length: count }, (_, position) => nameAt(said, position));
}

const nameAt = (said: readonly unknown[] | undefined, position: number): string => {
  const name = said?.[position];
  return typeof name === 'string' && name !== '' ? name : `target ${position}`;
};

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
