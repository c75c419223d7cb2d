/** The face of a take as its edits make it, kept up to date part by part: first where the person looks. */
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { type EditContext, shapedFace } from '@likeness/proto/takes/edits/edited_face.ts';
import { regionOf } from '@likeness/proto/takes/edits/face_regions.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { createStore, type Store } from '../../../base/store.ts';
import { firstAtOrAfter } from '../timeline/frame-columns.ts';
import {
  type FaceMeasures,
  followColumns,
  type TakeCurves,
  takeCurves,
  takeOver,
} from '../timeline/take-curves.ts';
import type { TimeRange } from '../timeline/time-window.ts';

/** Seconds that are made at once: a few milliseconds of work. */
const part = 4;
/** Seconds around the playhead and of what is seen that are made before anything else. */
export const firstParts = { around: 0.5, seen: 12 };

export interface EditedPreview {
  /** Its frames become others as they are made. */
  readonly face: PackedFace;
  readonly curves: TakeCurves;
  /** Grows when a part of it has changed. */
  readonly version: Store<number>;
  /** Grows when all of it is as its edits make it. */
  readonly settled: Store<number>;
  /** Makes the face anew: what `first` names at once, the rest by and by. Returns how to stop. */
  shape(edits: TakeEdits, context: EditContext, first: readonly TimeRange[]): () => void;
}

/** @param measured of it, where that is known */
export function shapedTake(read: PlayableFace, measured?: FaceMeasures): EditedPreview {
  const recorded = PackedFace.of(read);
  const face = recorded.shared();
  const curves = takeCurves(face, regionOf, measured);
  const version = createStore(0);
  const settled = createStore(0);
  const make = (edits: TakeEdits, context: EditContext, { from, to }: TimeRange): void => {
    const start = firstAtOrAfter(curves.times, from);
    const made = shapedFace(recorded, edits, context, { from, to }).frames;
    if (face.own()) followColumns(curves, face);
    for (const [at, frame] of made.entries()) face.set(start + at, frame);
    takeOver(curves, face, start, start + made.length);
  };
  return {
    face,
    curves,
    version,
    settled,
    shape(edits, context, first) {
      for (const range of first) make(edits, context, range);
      version.set(version.get() + 1);
      const end = curves.times.at(-1) ?? 0;
      let at = 0;
      let timer: ReturnType<typeof setTimeout>;
      const next = (): void => {
        make(edits, context, { from: at, to: at + part });
        at += part;
        version.set(version.get() + 1);
        if (at <= end) timer = setTimeout(next);
        else settled.set(settled.get() + 1);
      };
      timer = setTimeout(next);
      return () => clearTimeout(timer);
    },
  };
}

/** Markers and cuts leave the face as it is. Parts that an operation leaves alone are the same objects. */
export const sameFace = (a: TakeEdits, b: TakeEdits): boolean =>
  (['regions', 'drawn', 'taken', 'presets', 'expressions', 'gaze', 'blinks'] as const).every(
    (key) => a[key] === b[key],
  );
