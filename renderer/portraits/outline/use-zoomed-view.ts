import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isTyping } from '../../base/keyboard.ts';
import { fitted, fitting, limited, type StageBounds, showing, type View, zoomed } from './zoomed-view.ts';

/** Factor of a step by key or button; a wheel's notch is about as much. */
const step = 1.25;
/** Pixels of a wheel, by its own count, that make the photo e times larger. */
const wheelPixels = 420;
/** Pixels of the screen that one of the photo has at most. */
const largestPixel = 8;

export interface ZoomedView {
  view: View;
  /** Pixels of the screen to one of the photo; 0 until the stage is measured. */
  scale: number;
  /** The photo is being panned by the space bar, the middle button or two fingers: nothing is painted. */
  isPanning: boolean;
  canEnlarge: boolean;
  enlarge(): void;
  reduce(): void;
  fit(): void;
  /** One pixel of the photo on one of the screen. */
  onePixel(): void;
  /** The same, with a place of the photo in the middle; 0..1 of its sides. */
  onePixelAt(point: { x: number; y: number }): void;
  /** Brings a place of the photo onto the stage. */
  show(point: { x: number; y: number }): void;
  /** Whether the space bar, while it was down, was used to move the photo; asked when it goes up. */
  wasSpaceUsed(): boolean;
}

/**
 * Zoom by wheel and pinch to the pointer, by steps to the middle; moved by space bar
 * and drag, the middle button or two fingers.
 *
 * @param stage what wheel and pointers are listened to on
 * @param onGrab panning starts: discard the stroke begun with this pointer; undefined: nothing is painted, and any
 *   drag moves the photo
 */
export function useZoomedView(
  stage: RefObject<HTMLElement | null>,
  photo: { width: number; shape: number | undefined },
  onGrab?: () => void,
): ZoomedView {
  const [view, setView] = useState(fitted);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [isPanning, setIsPanning] = useState(false);
  const space = useRef({ isDown: false, wasUsed: false });
  const fit = fitting(size, photo.shape ?? 1);
  const scale = photo.width > 0 ? (fit.width * view.zoom * window.devicePixelRatio) / photo.width : 0;
  const bounds: StageBounds = {
    stage: size,
    photo: fit,
    most: Math.max(4, scale > 0 ? (largestPixel * view.zoom) / scale : 0),
  };
  const change = useEffectEvent((next: (view: View, bounds: StageBounds) => View) =>
    setView((before) => next(before, bounds)),
  );
  const paints = onGrab !== undefined;
  const grab = useEffectEvent(() => onGrab?.());

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const measure = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    measure.observe(element);
    const at = ({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1);
      // A pinch on a touch pad comes as a wheel with Ctrl, in small steps.
      const by = Math.exp((-pixels / wheelPixels) * (event.ctrlKey ? 4 : 1));
      change((before, now) => zoomed(before, by, at(event), now));
    };

    /** Fingers that are down, and the pointer that holds the photo; where each is. */
    const pointers = new Map<number, { x: number; y: number }>();
    let holder: number | undefined;
    const middle = (): { x: number; y: number; apart: number } => {
      const [a = { x: 0, y: 0 }, b = a] = [...pointers.values()];
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
    };
    const onDown = (event: PointerEvent): void => {
      const startsPan = event.button === 1 || (event.button === 0 && (!paints || space.current.isDown));
      if (event.pointerType !== 'touch' && !startsPan) return;
      pointers.set(event.pointerId, at(event));
      if (!startsPan && pointers.size < 2) return;
      if (space.current.isDown) space.current.wasUsed = true;
      holder = event.pointerId;
      element.setPointerCapture(event.pointerId);
      setIsPanning(true);
      grab();
      event.preventDefault();
      event.stopPropagation();
    };
    const onMove = (event: PointerEvent): void => {
      if (!pointers.has(event.pointerId)) return;
      const before = middle();
      pointers.set(event.pointerId, at(event));
      if (holder === undefined) return;
      event.stopPropagation();
      const after = middle();
      change((view, now) => {
        const moved = { ...view, x: view.x + after.x - before.x, y: view.y + after.y - before.y };
        return pointers.size > 1
          ? zoomed(moved, after.apart / before.apart, after, now)
          : limited(moved, now);
      });
    };
    const onUp = (event: PointerEvent): void => {
      if (!pointers.delete(event.pointerId) || holder === undefined) return;
      event.stopPropagation();
      if (pointers.size > 0) return;
      holder = undefined;
      setIsPanning(space.current.isDown);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== ' ' || isTyping(event.target)) return;
      const isDown = event.type === 'keydown';
      // A focused button would take it as a press.
      if (isDown && event.target instanceof HTMLButtonElement) return;
      if (isDown && event.target === document.body) event.preventDefault();
      if (isDown && !event.repeat) space.current.wasUsed = false;
      space.current.isDown = isDown;
      if (holder === undefined) setIsPanning(isDown);
    };
    const onBlur = (): void => {
      space.current.isDown = false;
      if (holder === undefined) setIsPanning(false);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    // In the capture phase: while panning, nothing in the stage is painted on.
    element.addEventListener('pointerdown', onDown, true);
    element.addEventListener('pointermove', onMove, true);
    element.addEventListener('pointerup', onUp, true);
    element.addEventListener('pointercancel', onUp, true);
    window.addEventListener('keydown', onKey, true);
    window.addEventListener('keyup', onKey, true);
    window.addEventListener('blur', onBlur);
    return () => {
      measure.disconnect();
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointerdown', onDown, true);
      element.removeEventListener('pointermove', onMove, true);
      element.removeEventListener('pointerup', onUp, true);
      element.removeEventListener('pointercancel', onUp, true);
      window.removeEventListener('keydown', onKey, true);
      window.removeEventListener('keyup', onKey, true);
      window.removeEventListener('blur', onBlur);
    };
  }, [stage, paints]);

  const by = (factor: number) => () => setView((before) => zoomed(before, factor, { x: 0, y: 0 }, bounds));
  return {
    // What a smaller stage no longer allows is not shown.
    view: limited(view, bounds),
    scale,
    isPanning,
    canEnlarge: view.zoom < bounds.most,
    enlarge: by(step),
    reduce: by(1 / step),
    fit: () => setView(fitted),
    onePixel: by(scale > 0 ? 1 / scale : 1),
    onePixelAt: ({ x, y }) =>
      setView((before) => {
        const zoom = scale > 0 ? before.zoom / scale : 1;
        return limited({ zoom, x: (0.5 - x) * fit.width * zoom, y: (0.5 - y) * fit.height * zoom }, bounds);
      }),
    show: (point) => setView((before) => showing(before, point, bounds)),
    wasSpaceUsed: () => space.current.wasUsed,
  };
}
