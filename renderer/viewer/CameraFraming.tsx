import { useThree } from '@react-three/fiber';
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { PerspectiveCamera, Spherical, Vector3 } from 'three';
import { CameraControls } from './CameraControls.tsx';
import { smoothly } from './view-camera.ts';
import type { ViewLink } from './view-link.ts';

/** Share of the height that the head fills. */
const fill = 0.78;

/**
 * Keeps the head as large as it was through another lens or in a view
 * of another shape; `frame` shows all of it.
 */
export function CameraFraming(props: {
  /** Size of the head, metres. */
  size: Vector3;
  /** Degrees, vertical. */
  fieldOfView: number;
  /** Initial view direction; a unit vector. */
  towards: Vector3;
  controls: RefObject<CameraControls | null>;
  frame: RefObject<(() => void) | undefined>;
  link: ViewLink | undefined;
}) {
  const { size, fieldOfView, towards, controls, frame, link } = props;
  const { camera, size: view, invalidate } = useThree();
  const across = Math.hypot(size.x, size.z) * 0.8; // three quarters of a head, between its width and its depth
  const height = Math.max(size.y, (across * view.height) / Math.max(1, view.width));
  const distance = height / fill / 2 / Math.tan((fieldOfView * Math.PI) / 360);

  const show = useEffectEvent((smooth: boolean) => {
    const { x, y, z } = towards;
    controls.current
      ?.setLookAt(x * distance, y * distance, z * distance, 0, 0, 0, smooth)
      .catch(() => undefined);
    invalidate();
  });
  useEffect(() => {
    frame.current = () => show(smoothly());
  }, [frame]);
  const before = useRef(distance);
  useEffect(() => {
    if (camera instanceof PerspectiveCamera) {
      camera.fov = fieldOfView;
      camera.near = distance / 50;
      camera.far = distance * 20;
      camera.updateProjectionMatrix();
    }
    // A view of another shape keeps the direction that a person turned the head to.
    const now = controls.current;
    now?.dollyTo((now.distance * distance) / before.current, false).catch(() => undefined);
    before.current = distance;
    invalidate();
  }, [camera, controls, fieldOfView, distance, invalidate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another direction begins anew
  useEffect(() => {
    show(false);
  }, [towards]);
  // Linked views share direction and closeness; each keeps its own distance, as heads are not equally large.
  const apart = useRef(distance);
  apart.current = distance;
  useEffect(() => {
    const now = controls.current;
    if (!link || !now) return;
    const lead = (): void => link.lead(now);
    const publish = (): void => {
      const { theta, phi, radius } = now.getSpherical(new Spherical());
      const { x, y, z } = now.getTarget(new Vector3());
      const by = apart.current;
      link.publish(now, { azimuth: theta, polar: phi, closeness: radius / by, at: [x / by, y / by, z / by] });
    };
    const end = link.listen(now, ({ azimuth, polar, closeness, at: [x, y, z] }) => {
      const by = apart.current;
      Promise.all([
        now.rotateTo(azimuth, polar, false),
        now.dollyTo(closeness * by, false),
        now.moveTo(x * by, y * by, z * by, false),
      ]).catch(() => undefined);
      invalidate();
    });
    now.addEventListener('controlstart', lead);
    now.addEventListener('control', lead);
    now.addEventListener('update', publish);
    return () => {
      end();
      now.removeEventListener('controlstart', lead);
      now.removeEventListener('control', lead);
      now.removeEventListener('update', publish);
    };
  }, [link, controls, invalidate]);

  return (
    <CameraControls
      ref={controls}
      minDistance={distance * 0.25}
      maxDistance={distance * 3}
      dollyToCursor
      smoothTime={0.18}
      draggingSmoothTime={0.06}
    />
  );
}
