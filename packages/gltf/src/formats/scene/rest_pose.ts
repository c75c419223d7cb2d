import type { mat4, Node, Scene, vec3 } from '@gltf-transform/core';
import { determinant, identity, moved, multiplied } from './matrix.ts';

/**
 * A node's matrix at rest: for a skinned mesh, its first joint's at bind time, because the transform of the
 * mesh's node doesn't count (glTF 2.0, 3.7.3.3).
 */
export function restMatrix(node: Node): mat4 {
  const skin = node.getSkin();
  if (!skin) return node.getWorldMatrix();
  const [joint] = skin.listJoints();
  if (!joint) return identity;
  const bind = skin.getInverseBindMatrices()?.getElement<number[]>(0, []) as mat4 | undefined;
  const matrix = multiplied(joint.getWorldMatrix(), bind ?? identity);
  return Math.abs(determinant(matrix)) < 1e-30 ? identity : matrix;
}

/** The bounding box of a scene at rest; inverted infinities if the scene is empty. */
export function restBounds(scene: Scene): { min: vec3; max: vec3 } {
  const min: vec3 = [Infinity, Infinity, Infinity];
  const max: vec3 = [-Infinity, -Infinity, -Infinity];
  scene.traverse((node) => {
    const mesh = node.getMesh();
    if (!mesh) return;
    const matrix = restMatrix(node);
    for (const primitive of mesh.listPrimitives()) {
      const position = primitive.getAttribute('POSITION');
      if (!position || position.getCount() === 0) continue;
      const [low, high] = [position.getMinNormalized([]), position.getMaxNormalized([])];
      for (let corner = 0; corner < 8; corner++) {
        const [x, y, z] = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? high : low)[axis]!);
        for (const [axis, value] of moved(matrix, x!, y!, z!, 1).entries()) {
          min[axis] = Math.min(min[axis]!, value);
          max[axis] = Math.max(max[axis]!, value);
        }
      }
    }
  });
  return { min, max };
}
