/** Dragging a part of a track: the preview follows the pointer, and its release commits. */
import type { EditOperation, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { type PointerEvent, useEffect, useRef } from 'react';
import type { EditSession } from '../edits/edit-session.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { blockKeys, blockRamps, blockWeight, changedBlock, expressionBlocks } from './expression-blocks.ts';
import { type PartEdit, type TrackKind, trackEdits } from './track-edits.ts';

/** The place of a part that the pointer has: it moves, an edge goes along, a ramp, or the strength. */
export type PartGrip = 'move' | keyof TimeRange | 'rise' | 'fall' | 'strength';

/** Pixels that a pointer moves before a click is a drag. */
const still = 3;
/** Pixels from no strength to all of it. */
const fullHeight = 40;

export interface PartDrag {
  begin(event: PointerEvent<HTMLElement>, kind: TrackKind, index: number, grip: PartGrip): void;
  move(event: PointerEvent<HTMLElement>): void;
  end(): void;
  cancel(): void;
}

/** @param snap the moment that a pointer near it goes to */
export function usePartDrag(
  session: EditSession,
  timeline: TimelineState,
  snap: (at: number) => number,
  onSelect: (kind: TrackKind, index: number) => void,
): PartDrag {
  const drag = useRef<{
    kind: TrackKind;
    index: number;
    grip: PartGrip;
    isCopy: boolean;
    /** The take as the drag found it, without a preview. */
    edits: TakeEdits;
    map: TimeMap;
    x: number;
    y: number;
    width: number;
    made: PartEdit | null;
  } | null>(null);
  const stop = (): void => {
    drag.current = null;
    timeline.snapLine.set(null);
    session.preview(null);
  };
  const latestStop = useRef(stop);
  latestStop.current = stop;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !drag.current) return;
      event.preventDefault();
      event.stopPropagation();
      latestStop.current();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);

  /** The edit of the drag so far. */
  const made = (event: PointerEvent<HTMLElement>): PartEdit | null => {
    const now = drag.current!;
    const { seconds } = timeline;
    const { edits } = now;
    const track = trackEdits[now.kind];
    const part = track.parts(edits, seconds)[now.index];
    if (!part) return null;
    const { toPlayed, toRecorded } = now.map;
    const passed = ((event.clientX - now.x) / now.width) * timeline.window.get().span;
    const later = (at: number): number => toRecorded(toPlayed(at) + passed);
    const snapped = (at: number): number => {
      const to = snap(at);
      timeline.snapLine.set(to);
      return to;
    };
    switch (now.grip) {
      case 'move': {
        const at = snapped(later(part.from));
        const like = now.isCopy ? track.copied(edits, now.index, seconds) : null;
        return like
          ? track.added(edits, at, seconds, like)
          : track.moved(edits, now.index, at - part.from, seconds);
      }
      case 'from':
      case 'to':
        return track.trimmed?.(edits, now.index, now.grip, snapped(later(part[now.grip])), seconds) ?? null;
      case 'rise':
      case 'fall':
      case 'strength': {
        const blocks = expressionBlocks(edits.expressions, seconds);
        const block = blocks[now.index]!;
        const { rise, fall } = blockRamps(block);
        const weight = blockWeight(block) - (event.clientY - now.y) / fullHeight;
        const changes = {
          rise: { rise: Math.max(0, rise + passed) },
          fall: { fall: Math.max(0, fall - passed) },
          strength: { weight: Math.round(Math.max(0.05, Math.min(1, weight)) * 100) / 100 },
        }[now.grip];
        const operation: EditOperation = {
          kind: 'expressions',
          keys: blockKeys(changedBlock(blocks, now.index, changes)),
        };
        return { operation, index: now.index };
      }
    }
  };
  return {
    begin(event, kind, index, grip) {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      onSelect(kind, index);
      const lane = event.currentTarget.closest<HTMLElement>('[role="listbox"]');
      drag.current = {
        ...{ kind, index, grip, isCopy: event.altKey, made: null },
        edits: session.shown.get(),
        map: timeline.map.get(),
        x: event.clientX,
        y: event.clientY,
        width: lane?.getBoundingClientRect().width || 1,
      };
    },
    move(event) {
      const { current } = drag;
      if (!current) return;
      const distance = Math.abs(event.clientX - current.x) + Math.abs(event.clientY - current.y);
      if (!current.made && distance < still) return;
      current.made = made(event);
      if (current.made) session.preview(current.made.operation);
    },
    end() {
      const { current } = drag;
      stop();
      if (!current?.made) return;
      const { operation, index } = current.made;
      session.apply(operation);
      if (index !== null) onSelect(current.kind, index);
    },
    cancel: stop,
  };
}
