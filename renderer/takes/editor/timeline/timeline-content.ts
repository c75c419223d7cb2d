import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { Marker, TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { useMemo } from 'react';
import { createStore, type Store } from '../../../base/store.ts';
import type { EditSession } from '../edits/edit-session.ts';
import type { EditedPreview } from '../edits/edited-preview.ts';
import { cutRanges } from '../edits/take-pieces.ts';
import type { SoundPeaks } from './sound-peaks.ts';
import type { TakeCurves } from './take-curves.ts';
import type { TimeRange } from './time-window.ts';

export interface TimelineContent {
  readonly sound: SoundPeaks | null;
  readonly curves: TakeCurves;
  /** Grows when a part of the curves has changed. */
  readonly version: Store<number>;
  readonly cuts: readonly TimeRange[];
  readonly drawn: TakeEdits['drawn'];
  /** Stretches that come from other tries, by region. */
  readonly taken: TakeEdits['taken'];
  readonly markers: readonly Marker[];
  readonly words: readonly TimeRange[];
  /** Its face is read, or of a long one its beginning. */
  readonly isRead: boolean;
}

/** Content while the face is not read yet. */
const unread = {
  curves: { times: new Float64Array(0), frameRate: 60, curves: [] } satisfies TakeCurves,
  version: createStore(0),
};

/** Returns the timeline content of a take, without curves until its face is read. */
export function useTimelineContent(
  sound: SoundPeaks | null,
  shaped: EditedPreview | null,
  session: EditSession,
  alignment: SpeechAlignment | null | undefined,
  seconds: number,
): TimelineContent {
  const pieces = session.shown.use((edits) => edits.pieces);
  const drawn = session.shown.use((edits) => edits.drawn);
  const taken = session.shown.use((edits) => edits.taken);
  const markers = session.shown.use((edits) => edits.markers);
  const cuts = useMemo(() => cutRanges(pieces, seconds), [pieces, seconds]);
  const words = useMemo(
    () => (alignment?.words ?? []).map(({ start, end }) => ({ from: start, to: end })),
    [alignment],
  );
  const { curves, version } = shaped ?? unread;
  return { sound, curves, version, cuts, drawn, taken, markers, words, isRead: shaped !== null };
}
