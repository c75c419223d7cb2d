import { leavesFace } from '@likeness/proto/takes/edits/apply_operation.ts';
import type { EditContext } from '@likeness/proto/takes/edits/edited_face.ts';
import type { TakeEdits } from '@likeness/proto/takes/edits/take_edits.ts';
import { useEffect, useMemo } from 'react';
import type { LoadedTake } from '../../face/take-file.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import type { EditSession } from './edit-session.ts';
import { type EditedPreview, firstParts, sameFace, shapedTake } from './edited-preview.ts';

/**
 * Returns the edited take; null until it is read. While only its beginning is loaded, it is as recorded. The
 * visible part around the playhead is computed first.
 */
export function useEditedPreview(
  loaded: LoadedTake | undefined,
  session: EditSession,
  context: EditContext,
  now: () => number,
  timeline: TimelineState,
): EditedPreview | null {
  const recorded = loaded?.face;
  const measured = loaded?.measured;
  const isWhole = loaded?.isWhole ?? false;
  const shaped = useMemo(() => (recorded ? shapedTake(recorded, measured) : null), [recorded, measured]);
  useEffect(() => {
    if (!shaped || !isWhole) return;
    let stop = (): void => undefined;
    let made: TakeEdits | null = null;
    const follow = (): void => {
      const edits = session.shown.get();
      // What was read is unedited already.
      if (made ? sameFace(made, edits) : leavesFace(edits)) return;
      made = edits;
      stop();
      const at = now();
      const [from, to] = [timeline.timeAt(0), timeline.timeAt(1)];
      stop = shaped.shape(edits, context, [
        { from: Math.max(0, at - firstParts.around), to: at + firstParts.around },
        { from, to: Math.min(to, from + firstParts.seen) },
      ]);
    };
    follow();
    const end = session.shown.subscribe(follow);
    return () => {
      end();
      stop();
    };
  }, [shaped, isWhole, session, context, now, timeline]);
  return shaped;
}
