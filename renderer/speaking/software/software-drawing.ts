/** Rendering changes for machines that draw on the CPU. */
import { type Material, Mesh, type Object3D } from 'three';
import { mergeSiblings, reduceTriangles } from './fewer-triangles.ts';
import { drawsOnProcessor } from './software-renderer.ts';
import { lightAtVertices } from './vertex-lighting.ts';

export const drawsInSoftware = ((): boolean => {
  const gl = document.createElement('canvas').getContext('webgl2');
  const isSoftware = gl !== null && drawsOnProcessor(gl);
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftware;
})();

/**
 * Drawn in order of how much they hide, so that hidden pixels are not shaded; by the names in the studio's
 * own heads.
 */
const order: Record<string, number> = { Hair: -2, Skin: -1 };

/** Makes a head cheap to draw on the CPU. Call it before it is driven. */
export async function simplifyForSoftware(head: Object3D): Promise<void> {
  await reduceTriangles(head);
  mergeSiblings(head);
  lightAtVertices(head);
  head.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    const materials: Material[] = [node.material].flat();
    node.renderOrder = order[materials[0]?.name ?? ''] ?? 0;
    for (const material of materials) {
      // Both sides of a lash at once.
      material.forceSinglePass = true;
    }
  });
}
