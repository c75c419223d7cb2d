import { type RefObject, useEffect } from 'react';
import type { TimelineState } from './timeline-state.ts';

/** Zoom for each pixel of a wheel: a notch of 100 is about a half more. */
const perPixel = 0.004;

/** Pixels of an event that counts lines or pages. */
const pixels = (delta: number, mode: number): number => delta * (mode === 1 ? 16 : mode === 2 ? 400 : 1);

/**
 * The wheel zooms about the pointer; sideways, or with Shift, it moves along. Where tracks scroll it scrolls
 * them, and zooms with Ctrl or as a pinch.
 */
export function useWheelZoom(field: RefObject<HTMLElement | null>, state: TimelineState): void {
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    const onWheel = (event: WheelEvent): void => {
      const canvas = area.querySelector('canvas[data-timeline]');
      if (!canvas) return;
      const { left, width } = canvas.getBoundingClientRect();
      const dx = pixels(event.deltaX, event.deltaMode);
      const dy = pixels(event.deltaY, event.deltaMode);
      const isSideways = event.shiftKey || Math.abs(dx) > Math.abs(dy);
      const scrolls = event.target instanceof Element && event.target.closest('[data-scrolls]') !== null;
      if (event.ctrlKey || event.metaKey || !(isSideways || scrolls)) {
        const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
        state.zoom(Math.exp(dy * perPixel), state.timeAt(share));
      } else if (isSideways) {
        state.pan((Math.abs(dx) > Math.abs(dy) ? dx : dy) / width);
      } else return;
      event.preventDefault();
    };
    // Not React's own: its listeners may not keep the page from zooming.
    area.addEventListener('wheel', onWheel, { passive: false });
    return () => area.removeEventListener('wheel', onWheel);
  }, [field, state]);
}
