import { Box3, Matrix4, type Object3D, Vector3 } from 'three';

/**
 * The corners of the head's box as it stands and as its bone has turned
 * it, in the world: the head is between them.
 */
export function cornersOf(scene: Object3D, moved: Object3D | null): () => Vector3[] {
  scene.updateWorldMatrix(true, true);
  const toScene = scene.matrixWorld.clone().invert();
  const { min, max } = new Box3().setFromObject(scene, true);
  const corners = [min, max].flatMap(({ x }) =>
    [min, max].flatMap(({ y }) => [min, max].map(({ z }) => new Vector3(x, y, z).applyMatrix4(toScene))),
  );
  const atRest = moved ? moved.matrixWorld.clone().premultiply(toScene).invert() : new Matrix4();
  const turn = new Matrix4();
  return () => {
    const still = corners.map((corner) => corner.clone().applyMatrix4(scene.matrixWorld));
    if (!moved) return still;
    turn.multiplyMatrices(moved.matrixWorld, atRest);
    return [...still, ...corners.map((corner) => corner.clone().applyMatrix4(turn))];
  };
}
