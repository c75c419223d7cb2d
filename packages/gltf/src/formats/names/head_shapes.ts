import type { Document, Mesh, Node } from '@gltf-transform/core';
import { describeHead } from '@likeness/proto/heads/head_json.ts';
import { glbJson } from '../../glb_json.ts';
import { targetNames } from '../../morph_targets.ts';
import type { ShapeExpression } from './planned_drives.ts';

/** The shapes that a head's file names. */
interface HeadShapes {
  /** Of all shapes, each once. */
  names: string[];
  /** A VRM's own. */
  expressions: ShapeExpression[];
}

/** Names of all shapes of a head, each once, in the order in which its meshes have them. */
export const shapesOf = (document: Document): string[] => [
  ...new Set(document.getRoot().listMeshes().flatMap(targetNames)),
];

/**
 * Returns the same for a file, from its JSON alone, without unpacking megabytes.
 *
 * @throws Failure `invalid_input` if it isn't a binary glTF 2.0 file
 */
export const shapesOfGlb = (glb: Uint8Array): HeadShapes => {
  const { targetNames: names, expressions } = describeHead(glbJson(glb));
  return {
    names: [...new Set(names.flat())],
    expressions: expressions.map(({ name, binds }) => ({
      name,
      parts: binds.map(({ mesh, target, weight }) => ({ shape: names[mesh]![target]!, weight })),
    })),
  };
};

/** Whether a mesh's shape moves anything. */
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
