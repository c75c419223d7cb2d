import { useFrame, useThree } from '@react-three/fiber';
import Controls from 'camera-controls';
import { type Ref, useEffect, useMemo } from 'react';
import {
  Box3,
  MathUtils,
  Matrix4,
  PerspectiveCamera,
  Quaternion,
  Raycaster,
  Sphere,
  Spherical,
  Vector2,
  Vector3,
  Vector4,
} from 'three';

// Only these parts of three.js, so that the bundle leaves out the others.
Controls.install({
  THREE: { Box3, MathUtils, Matrix4, Quaternion, Raycaster, Sphere, Spherical, Vector2, Vector3, Vector4 },
});

export type CameraControls = Controls;

type Options = Partial<
  Pick<Controls, 'minDistance' | 'maxDistance' | 'dollyToCursor' | 'smoothTime' | 'draggingSmoothTime'>
>;

/** Moves the canvas's camera: dragging turns it, the wheel and two fingers zoom. Each change draws a frame. */
export function CameraControls({ ref, ...options }: Options & { ref: Ref<Controls> }) {
  const { camera, gl, events, invalidate } = useThree();
  const controls = useMemo(
    () => new Controls(camera instanceof PerspectiveCamera ? camera : new PerspectiveCamera()),
    [camera],
  );
  // Before the frame is drawn.
  useFrame((_, seconds) => void controls.update(seconds), -1);
  useEffect(() => {
    controls.connect(events.connected ?? gl.domElement);
    return () => controls.disconnect();
  }, [controls, events.connected, gl]);
  useEffect(() => {
    const draw = (): void => invalidate();
    const changes = ['controlstart', 'control', 'transitionstart', 'update', 'wake'] as const;
    for (const change of changes) controls.addEventListener(change, draw);
    return () => {
      for (const change of changes) controls.removeEventListener(change, draw);
    };
  }, [controls, invalidate]);
  return <primitive ref={ref} object={controls} {...options} />;
}
