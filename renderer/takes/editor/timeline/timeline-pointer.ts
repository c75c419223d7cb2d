/** Going to a moment and selecting a stretch with the pointer. */
import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import type { TakePlayback } from '../../take-playback.ts';
import type { TimelineState } from './timeline-state.ts';

export interface TimelinePointer {
  /** Goes where the pointer is, and follows it. */
  scrub(event: PointerEvent<HTMLElement>): void;
  /** Goes where the pointer is pressed; a drag selects from there. */
  select(event: PointerEvent<HTMLElement>): void;
  move(event: PointerEvent<HTMLElement>): void;
  end(): void;
}

/** Pixels that a pointer moves before a click is a drag. */
const still = 3;

interface Gesture {
  readonly kind: 'scrub' | 'select';
  readonly x: number;
  readonly start: number;
  isDrag: boolean;
}

export function useTimelinePointer(
  state: TimelineState,
  playback: TakePlayback,
  canvas: RefObject<HTMLCanvasElement | null>,
  snap: (at: number) => number,
): TimelinePointer {
  const gesture = useRef<Gesture | null>(null);
  const timeAt = (clientX: number): number | null => {
    const area = canvas.current?.getBoundingClientRect();
    if (!area) return null;
    return state.timeAt((clientX - area.left) / area.width);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && gesture.current?.isDrag) {
        gesture.current = null;
        state.selection.set(null);
        event.preventDefault();
      }
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [state]);
  const begin = (kind: Gesture['kind'], event: PointerEvent<HTMLElement>): void => {
    const area = canvas.current?.getBoundingClientRect();
    // Names of rows lie beside the canvas.
    if (event.button !== 0 || !area || event.clientX < area.left || event.clientX > area.right) return;
    const at = timeAt(event.clientX);
    if (at === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    gesture.current = { kind, x: event.clientX, start: snap(at), isDrag: kind === 'scrub' };
    playback.seek(kind === 'scrub' ? at : snap(at));
  };
  return {
    scrub: (event) => begin('scrub', event),
    select: (event) => begin('select', event),
    move(event) {
      const { current } = gesture;
      const at = current && timeAt(event.clientX);
      if (!current || at === null) return;
      if (current.kind === 'scrub') {
        playback.seek(at);
        return;
      }
      if (!current.isDrag && Math.abs(event.clientX - current.x) < still) return;
      current.isDrag = true;
      const other = snap(at);
      if (other !== current.start)
        state.selection.set({ from: Math.min(other, current.start), to: Math.max(other, current.start) });
    },
    end() {
      const { current } = gesture;
      gesture.current = null;
      // A click lets go of what was selected.
      if (current && !current.isDrag) state.selection.set(null);
    },
  };
}
