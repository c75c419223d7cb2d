import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useMemo, useRef } from 'react';
import { Box3, Matrix4, type Object3D, type PerspectiveCamera, Vector3 } from 'three';
import { type Area, areaToDraw, coveredArea } from './drawn-area.ts';

/**
 * Makes the canvas as small as the head is on its stage, and keeps it there. What is beside the head is the page's own
 * background, which nobody has to draw, read back and lay over the page sixty times a second: without a graphics card
 * that costs more than the head does.
 *
 * @param scene the head, whose bone `moved` turns it
 * @param resolution pixels of the canvas to a pixel of the page, a side
 */
export function HeadOnlyCanvas({
  scene,
  moved,
  resolution,
}: {
  scene: Object3D;
  moved: Object3D | null;
  resolution: number;
}) {
  const { gl, camera } = useThree();
  const drawn = useRef<{ area: Area; resolution: number; stage: { width: number; height: number } }>(null);
  const box = useMemo(() => cornersAtRest(scene, moved), [scene, moved]);
  useEffect(
    () => () => {
      (camera as PerspectiveCamera).clearViewOffset();
      gl.domElement.style.inset = '';
    },
    [camera, gl],
  );
  useFrame(({ size }) => {
    const eye = camera as PerspectiveCamera;
    eye.updateMatrixWorld();
    scene.updateWorldMatrix(true, true);
    const stage = { width: Math.round(size.width), height: Math.round(size.height) };
    const was = drawn.current;
    const isSame = was?.stage.width === stage.width && was.stage.height === stage.height;
    const area = areaToDraw(isSame ? was.area : null, coveredArea(box(), eye, stage));
    if (isSame && area === was.area && was.resolution === resolution) return;
    drawn.current = { area, resolution, stage };
    const { domElement } = gl;
    gl.setPixelRatio(resolution);
    gl.setSize(area.width, area.height);
    domElement.style.position = 'absolute';
    domElement.style.left = `${area.left}px`;
    domElement.style.top = `${area.top}px`;
    eye.setViewOffset(stage.width, stage.height, area.left, area.top, area.width, area.height);
  });
  return null;
}

/** The corners of the head's box as it stands and as its bone has turned it, in the world: the head is between them. */
function cornersAtRest(scene: Object3D, moved: Object3D | null): () => Vector3[] {
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
