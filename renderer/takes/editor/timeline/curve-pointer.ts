/** The pointer in the row of the curve that is edited: the pencil draws, keys are dragged, a double click sets one. */

import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { type CurveGesture, type CurvePoint, freehand, keyDrag, keyNear } from '../edits/curve-gesture.ts';
import { keyAdded } from '../edits/drawn-keys.ts';
import type { EditSession } from '../edits/edit-session.ts';
import { curveValue, type TakeCurve } from './take-curves.ts';
import type { TimelineContent } from './timeline-content.ts';
import { rowInset, type TimelineRow } from './timeline-rows.ts';
import type { TimelineState } from './timeline-state.ts';

/** Pixels within which a key is taken hold of. */
const reachPixels = 9;

/** Each tells whether the pointer was its own. */
export interface CurvePointer {
  begin(event: PointerEvent<HTMLElement>): boolean;
  move(event: PointerEvent<HTMLElement>): boolean;
  end(): boolean;
  giveUp(): boolean;
  addKey(event: MouseEvent<HTMLElement>): void;
}

export function useCurvePointer(parts: {
  state: TimelineState;
  session: EditSession;
  content: TimelineContent;
  rows: readonly TimelineRow[];
  canvas: RefObject<HTMLCanvasElement | null>;
  scroller: RefObject<HTMLElement | null>;
}): CurvePointer {
  const { state, session, content, rows, canvas, scroller } = parts;
  const gesture = useRef<{ curve: CurveGesture; made: EditOperation | null } | null>(null);
  const giveUp = (): boolean => {
    const had = gesture.current !== null;
    gesture.current = null;
    if (had) session.preview(null);
    return had;
  };
  const latest = useRef(giveUp);
  latest.current = giveUp;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !latest.current()) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);

  /** The chosen curve and what of it is at a point of the page; null where that is not in its row. */
  const hitAt = (
    { clientX, clientY }: { clientX: number; clientY: number },
    isDragging: boolean,
  ): { curve: TakeCurve; point: CurvePoint; perPixel: { seconds: number; value: number } } | null => {
    const row = rows.find(({ region, curves }) => !region && curves[0]?.name === state.channel.get());
    const curve = row?.curves[0];
    const area = canvas.current?.getBoundingClientRect();
    const list = scroller.current;
    if (!row || !curve || !area || !list) return null;
    const y = clientY - list.getBoundingClientRect().top + list.scrollTop - row.top;
    const isInside = y >= 0 && y <= row.height && clientX >= area.left && clientX <= area.right;
    if (!isInside && !isDragging) return null;
    const inner = row.height - 2 * rowInset;
    const range = curve.most - curve.least;
    const share = Math.max(0, Math.min(1, 1 - (y - rowInset) / inner));
    const time = state.timeAt((clientX - area.left) / area.width);
    return {
      curve,
      point: { time, value: curve.least + share * range },
      perPixel: { seconds: state.window.get().span / area.width, value: range / inner },
    };
  };
  return {
    begin(event) {
      const hit = event.button === 0 ? hitAt(event, false) : null;
      if (!hit) return false;
      const { curve, point, perPixel } = hit;
      const reach = { seconds: perPixel.seconds * reachPixels, value: perPixel.value * reachPixels };
      const key = keyNear(content.drawn[curve.name] ?? [], point, reach);
      if (!key && !state.pencil.get()) return false;
      event.currentTarget.setPointerCapture(event.pointerId);
      gesture.current = {
        curve: key ? keyDrag(curve.name, key) : freehand(curve.name, point, state.frameRate),
        made: null,
      };
      return true;
    },
    move(event) {
      const { current } = gesture;
      const hit = current && hitAt(event, true);
      if (!hit) return current !== null;
      current.made = current.curve.move(hit.point);
      session.preview(current.made);
      return true;
    },
    end() {
      const { current } = gesture;
      gesture.current = null;
      if (current?.made) session.apply(current.made);
      return current !== null;
    },
    giveUp,
    addKey(event) {
      const hit = hitAt(event, false);
      if (!hit || state.pencil.get()) return;
      const { curve, point } = hit;
      const stretches = content.drawn[curve.name] ?? [];
      const { times } = content.curves;
      session.apply(
        keyAdded(curve.name, stretches, point, (time) => curveValue(curve, times, time), state.seconds),
      );
    },
  };
}
