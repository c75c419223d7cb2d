import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import { createStore, type Store } from '../../../base/store.ts';
import { firstWindow, keptInside, type TimeRange, type TimeWindow, turnedTo, zoomed } from './time-window.ts';

/** A part of a take that is edited by itself. */
export type SelectedPart = 'word' | 'curve';

/** The view and selection of a take's timeline. It lives as long as the take is open. */
export interface TimelineState {
  /** Length of the take, seconds. */
  readonly seconds: number;
  readonly frameRate: number;
  /** Seconds of the narrowest window. */
  readonly minSpan: number;
  readonly window: Store<TimeWindow>;
  /** From the in point to the out point. */
  readonly selection: Store<TimeRange | null>;
  readonly openRegions: Store<ReadonlySet<FaceRegion>>;
  readonly search: Store<string>;
  /** The word that the keyboard is on. */
  readonly word: Store<number>;
  /** The part that was clicked last; the inspector edits it. */
  readonly selected: Store<SelectedPart | null>;
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
  const window = createStore(firstWindow(seconds));
  const selection = createStore<TimeRange | null>(null);
  const set = (next: TimeWindow): void => window.set(keptInside(next, seconds, frameRate));
  return {
    seconds,
    frameRate,
    minSpan: keptInside({ from: 0, span: 0 }, seconds, frameRate).span,
    window,
    selection,
    openRegions: createStore<ReadonlySet<FaceRegion>>(new Set()),
    search: createStore(''),
    word: createStore(0),
    selected: createStore<SelectedPart | null>(null),
    channel: createStore<string | null>(null),
    pencil: createStore(false),
    zoom: (by, at) => set(zoomed(window.get(), by, at)),
    showAll: () => set({ from: 0, span: seconds }),
    pan(share) {
      const { from, span } = window.get();
      set({ from: from + span * share, span });
    },
    show(at) {
      const turned = turnedTo(window.get(), at);
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
