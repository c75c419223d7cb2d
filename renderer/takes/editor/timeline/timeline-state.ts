import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import { type TimeMap, timeMap } from '@likeness/proto/takes/edits/time_map.ts';
import { createStore, type Store } from '../../../base/store.ts';
import type { TrackKind } from '../tracks/track-edits.ts';
import { firstWindow, keptInside, type TimeRange, type TimeWindow, turnedTo, zoomed } from './time-window.ts';

/** A part of a take that is edited by itself: the chosen word or curve, or a part of a track by its index. */
export interface SelectedPart {
  readonly kind: 'word' | 'curve' | TrackKind;
  readonly index: number;
}

/**
 * The view and selection of a take's timeline. It lives as long as the take is open. Times are seconds of the
 * recording; the window alone is in seconds as they play, since a cut takes no time.
 */
export interface TimelineState {
  /** Length of the take, seconds. */
  readonly seconds: number;
  readonly frameRate: number;
  /** Seconds of the narrowest window. */
  readonly minSpan: number;
  /** How the recording plays: cut and retimed. */
  readonly map: Store<TimeMap>;
  readonly window: Store<TimeWindow>;
  /** Where a moment lies in the window: 0 at its left edge, 1 at its right one. */
  shareOf(at: number): number;
  /** The moment at a share of the window. */
  timeAt(share: number): number;
  /** Takes over how the recording plays now. */
  setMap(map: TimeMap): void;
  /** From the in point to the out point. */
  readonly selection: Store<TimeRange | null>;
  readonly openRegions: Store<ReadonlySet<FaceRegion>>;
  readonly search: Store<string>;
  /** The word that the keyboard is on. */
  readonly word: Store<number>;
  /** The part that was clicked last; the inspector edits it. */
  readonly selected: Store<SelectedPart | null>;
  /** The moment that a drag snaps to; drawn as a line. */
  readonly snapLine: Store<number | null>;
  /** The channel whose curve is edited. */
  readonly channel: Store<string | null>;
  /** The pointer draws in that curve's row; else it selects there and moves keys. */
  readonly pencil: Store<boolean>;
  /** Wider with `by` over 1; `at` stays where it is seen. */
  zoom(by: number, at: number): void;
  showAll(): void;
  /** By a share of what is seen. */
  pan(share: number): void;
  /** Brings a moment into sight. */
  show(at: number): void;
  /** Sets one end of the selection; the other is the take's own while none is set. */
  setEdge(edge: keyof TimeRange, at: number): void;
}

export function timelineState(seconds: number, frameRate: number): TimelineState {
  const map = createStore(timeMap([], seconds));
  const window = createStore(firstWindow(seconds));
  const selection = createStore<TimeRange | null>(null);
  const set = (next: TimeWindow): void => window.set(keptInside(next, map.get().seconds, frameRate));
  return {
    seconds,
    frameRate,
    minSpan: keptInside({ from: 0, span: 0 }, seconds, frameRate).span,
    map,
    window,
    shareOf(at) {
      const { from, span } = window.get();
      return (map.get().toPlayed(at) - from) / span;
    },
    timeAt(share) {
      const { from, span } = window.get();
      return map.get().toRecorded(Math.max(0, Math.min(map.get().seconds, from + share * span)));
    },
    setMap(next) {
      const isAll = window.get().span >= map.get().seconds;
      map.set(next);
      set(isAll ? { from: 0, span: next.seconds } : window.get());
    },
    selection,
    openRegions: createStore<ReadonlySet<FaceRegion>>(new Set()),
    search: createStore(''),
    word: createStore(0),
    selected: createStore<SelectedPart | null>(null),
    snapLine: createStore<number | null>(null),
    channel: createStore<string | null>(null),
    pencil: createStore(false),
    zoom: (by, at) => set(zoomed(window.get(), by, map.get().toPlayed(at))),
    showAll: () => set({ from: 0, span: map.get().seconds }),
    pan(share) {
      const { from, span } = window.get();
      set({ from: from + span * share, span });
    },
    show(at) {
      const turned = turnedTo(window.get(), map.get().toPlayed(at));
      if (turned !== window.get()) set(turned);
    },
    setEdge(edge, at) {
      const now = selection.get() ?? { from: 0, to: seconds };
      const [from, to] = edge === 'from' ? [at, now.to] : [now.from, at];
      // An in point after the out point begins a new selection, and the other way round.
      if (from < to) selection.set({ from, to });
      else selection.set(edge === 'from' ? { from: at, to: seconds } : { from: 0, to: at });
    },
  };
}
