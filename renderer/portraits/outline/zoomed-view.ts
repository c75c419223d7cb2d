/** A photo in its stage, larger than it fits and moved. Lengths in pixels of the page. */

export interface View {
  /** 1: the photo fits its stage. */
  zoom: number;
  /** From the middle of the stage to that of the photo. */
  x: number;
  y: number;
}

export interface StageBounds {
  stage: { width: number; height: number };
  /** Size of the photo when it fits. */
  photo: { width: number; height: number };
  /** The largest zoom. */
  most: number;
}

export const fitted: View = { zoom: 1, x: 0, y: 0 };

/** The photo as large as it fits a stage. @param shape width to height */
export function fitting({ width, height }: StageBounds['stage'], shape: number): StageBounds['photo'] {
  const wide = Math.min(width, height * shape);
  return { width: wide, height: wide / shape };
}

/** The nearest view in which the photo fills the stage as far as it can. */
export function limited({ zoom, x, y }: View, { stage, photo, most }: StageBounds): View {
  const within = Math.min(most, Math.max(1, zoom));
  const [across, down] = [photo.width * within - stage.width, photo.height * within - stage.height];
  const clamped = (value: number, over: number): number =>
    Math.min(Math.max(0, over / 2), Math.max(-Math.max(0, over / 2), value));
  return { zoom: within, x: clamped(x, across), y: clamped(y, down) };
}

/**
 * So many times larger, what is at a place of the stage staying there.
 * @param at from the middle of the stage
 */
export function zoomed(view: View, by: number, at: { x: number; y: number }, bounds: StageBounds): View {
  const zoom = Math.min(bounds.most, Math.max(1, view.zoom * by));
  const ratio = zoom / view.zoom;
  return limited({ zoom, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, bounds);
}

/**
 * As far moved as it takes to have a place of the photo on the stage.
 * @param point 0..1 of the photo's sides
 */
export function showing(view: View, point: { x: number; y: number }, bounds: StageBounds): View {
  const { stage, photo } = bounds;
  /** Room that stays between the place and the edge, share of the stage. */
  const room = 0.1;
  const brought = (offset: number, at: number, size: number, room: number): number => {
    const half = size / 2 - room;
    return offset + Math.min(half, Math.max(-half, at + offset)) - (at + offset);
  };
  return limited(
    {
      zoom: view.zoom,
      x: brought(view.x, (point.x - 0.5) * photo.width * view.zoom, stage.width, stage.width * room),
      y: brought(view.y, (point.y - 0.5) * photo.height * view.zoom, stage.height, stage.height * room),
    },
    bounds,
  );
}
