/**
 * Computes the part of a stage that a head covers, so that only that is drawn. Lengths in the page's pixels.
 */
import type { PerspectiveCamera, Vector3 } from 'three';
import { MathUtils } from 'three';

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface StageSize {
  width: number;
  height: number;
}

/**
 * Margin around the head, so that a moving head is not cut off before the area follows. Share of its size.
 */
const margin = 0.04;
/** An area is kept until it is so many times larger than needed, because changing it costs a frame. */
const maxWaste = 1.4;
/** Areas begin and end at multiples of this. */
const step = 16;

const whole = ({ width, height }: StageSize): Area => ({ left: 0, top: 0, width, height });

/**
 * The area that points cover when the whole stage shows what the camera sees. The whole stage where a point
 * is behind the camera; never empty.
 *
 * @param points in the world, metres; they are moved
 * @param camera whose `matrixWorldInverse` is up to date
 */
export function coveredArea(points: readonly Vector3[], camera: PerspectiveCamera, stage: StageSize): Area {
  const slope = Math.tan(MathUtils.degToRad(camera.fov) / 2);
  /** Pixels at a depth of one metre. */
  const scale = stage.height / 2 / slope;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const point of points) {
    const { x, y, z } = point.applyMatrix4(camera.matrixWorldInverse);
    if (z > -camera.near) return whole(stage);
    left = Math.min(left, (x / -z) * scale);
    right = Math.max(right, (x / -z) * scale);
    top = Math.min(top, (-y / -z) * scale);
    bottom = Math.max(bottom, (-y / -z) * scale);
  }
  const room = margin * Math.max(right - left, bottom - top);
  const [x, width] = within(stage.width / 2 + left - room, stage.width / 2 + right + room, stage.width);
  const [y, height] = within(stage.height / 2 + top - room, stage.height / 2 + bottom + room, stage.height);
  return { left: x, top: y, width, height };
}

/** Where a stretch begins, at a multiple of `step` within 0 … most, and how long it is. */
function within(from: number, to: number, max: number): [number, number] {
  const start = MathUtils.clamp(Math.floor(from / step) * step, 0, Math.max(0, max - step));
  const end = MathUtils.clamp(Math.ceil(to / step) * step, Math.min(max, start + step), max);
  return [start, end - start];
}

/** Returns the area to draw: the previous one while it contains the wanted area and is not much too large. */
export function areaToDraw(before: Area | null, wanted: Area): Area {
  if (!before) return wanted;
  const contains =
    before.left <= wanted.left &&
    before.top <= wanted.top &&
    before.left + before.width >= wanted.left + wanted.width &&
    before.top + before.height >= wanted.top + wanted.height;
  const waste = (before.width * before.height) / (wanted.width * wanted.height);
  return contains && waste <= maxWaste ? before : wanted;
}
