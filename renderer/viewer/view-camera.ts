import { Vector3 } from 'three';
import type { ViewSide } from './appearance.ts';

/** So long a lens that nearly nothing is left of perspective: a photo lies over the head without any. */
export const longLens = 3;

/** Initial view direction of a head. */
export const threeQuarters = new Vector3(0.34, 0, 0.94).normalize();

/** Right and left as one sees them who faces the head. */
export const directions: Record<ViewSide, Vector3> = {
  front: new Vector3(0, 0, 1),
  back: new Vector3(0, 0, -1),
  right: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
  top: new Vector3(0, 1, 0),
  below: new Vector3(0, -1, 0),
};

export const smoothly = (): boolean => document.documentElement.dataset.motion !== 'reduced';
