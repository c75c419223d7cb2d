/** Edits at a take's selection and playhead, for buttons and keys alike. */

import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import { IconBookmark, IconScissors } from '@tabler/icons-react';
import i18next from 'i18next';
import { useEffect, useMemo, useRef } from 'react';
import { useActions } from '../../../base/actions.ts';
import { attempt, notify } from '../../../base/notices.tsx';
import { go } from '../../../base/route.ts';
import { shortcut } from '../../../base/shortcuts/shortcut-table.ts';
import { studio } from '../../../base/studio.ts';
import { recordMade } from '../../list/take-marks.ts';
import type { TakePlayback } from '../../take-playback.ts';
import { openEdits } from '../../takes-history.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import { copiedCurve, copyCurve, pasteCurve } from './curve-clipboard.ts';
import type { EditSession } from './edit-session.ts';
import type { EditedPreview } from './edited-preview.ts';
import { onlyRange, withoutRange, withSpeed } from './take-pieces.ts';

export interface TakeEditing {
  readonly session: EditSession;
  readonly timeline: TimelineState;
  /** Cuts out the selection and closes the gap. */
  cut(): void;
  /** Keeps only the selection. */
  trim(): void;
  /** Two new takes, before and after the playhead. */
  split(): void;
  setSpeed(speed: number): void;
  wholeAgain(): void;
  addMarker(): void;
  /** Goes to the marker before the playhead, or after it. */
  goToMarker(direction: 1 | -1): void;
  /** Copies the selected part of the chosen curve. */
  copyCurve(): void;
  /** Pastes the copied curve into the chosen channel at the playhead. */
  pasteCurve(): void;
}

export function useTakeEditing(
  id: string,
  session: EditSession,
  timeline: TimelineState,
  { now, seek }: Pick<TakePlayback, 'now' | 'seek'>,
  shaped: EditedPreview | null,
): TakeEditing {
  const latest = useRef(shaped);
  latest.current = shaped;
  const editing = useMemo((): TakeEditing => {
    const { seconds, selection } = timeline;
    const change = (make: (pieces: readonly Piece[], range: TimeRange) => Piece[] | null): void => {
      const range = selection.get();
      if (!range) return;
      const pieces = make(session.shown.get().pieces, range);
      if (pieces) session.apply({ kind: 'pieces', pieces });
      else notify({ level: 'info', title: i18next.t('takes:editor.nothingLeft'), text: '' });
    };
    return {
      session,
      timeline,
      cut() {
        change((pieces, range) => withoutRange(pieces, range, seconds));
        selection.set(null);
      },
      trim: () => change((pieces, range) => onlyRange(pieces, range, seconds)),
      split: () =>
        attempt(async () => {
          const { takes } = await studio.takeEdits.split({ id, at: now() });
          recordMade(
            i18next.t('takes:done.split'),
            takes.map((take) => take.id),
            id,
          );
          const names = takes.map(({ name }) => name).join(', ');
          notify({ level: 'info', title: i18next.t('takes:editor.splitInto', { names }), text: '' });
          if (takes[0]) go('takes', takes[0].id);
        }),
      setSpeed: (speed) => change((pieces, range) => withSpeed(pieces, range, speed, seconds)),
      wholeAgain: () => session.apply({ kind: 'pieces', pieces: [] }),
      addMarker: () =>
        session.apply({ kind: 'marker', id: crypto.randomUUID(), marker: { time: now(), note: '' } }),
      goToMarker(direction) {
        const times = session.shown.get().markers.map(({ time }) => time);
        const at = now();
        // Who stands on one goes to the next: frames are no nearer to it than this.
        const found =
          direction > 0 ? times.find((time) => time > at + 1e-3) : times.findLast((time) => time < at - 1e-3);
        if (found !== undefined) seek(found);
      },
      copyCurve: () => void copyCurve(latest.current, timeline),
      pasteCurve: () => void pasteCurve(session, timeline, now()),
    };
  }, [id, session, timeline, now, seek]);
  useOpenEdits(session);
  useEditActions(editing);
  return editing;
}

/** Lets the page's history undo edits that the open take had before the page was loaded. */
function useOpenEdits({ kept, undo, redo }: EditSession): void {
  const canUndo = kept.use((state) => state?.canUndo ?? false);
  const canRedo = kept.use((state) => state?.canRedo ?? false);
  useEffect(() => {
    openEdits.set({ label: i18next.t('takes:done.older'), canUndo, canRedo, undo, redo });
    return () => openEdits.set(null);
  }, [canUndo, canRedo, undo, redo]);
}

function useEditActions(editing: TakeEditing): void {
  const { selection, channel } = editing.timeline;
  useActions(
    'pages.takes',
    [
      {
        ...shortcut('takes.marker'),
        icon: IconBookmark,
        run: editing.addMarker,
      },
      {
        ...shortcut('takes.cut'),
        icon: IconScissors,
        applies: () => selection.get() !== null,
        run: editing.cut,
      },
      {
        id: 'takes.trim',
        words: 'takes:editor.trim',
        applies: () => selection.get() !== null,
        run: editing.trim,
      },
      { id: 'takes.split', words: 'takes:editor.split', run: editing.split },
      {
        ...shortcut('takes.markerBefore'),
        run: () => editing.goToMarker(-1),
      },
      {
        ...shortcut('takes.markerAfter'),
        run: () => editing.goToMarker(1),
      },
      {
        ...shortcut('takes.copyCurve'),
        applies: () => selection.get() !== null && channel.get() !== null,
        // Words of the page that are marked are copied as everywhere.
        yields: () => !(getSelection()?.isCollapsed ?? true),
        run: editing.copyCurve,
      },
      {
        ...shortcut('takes.pasteCurve'),
        applies: () => copiedCurve.get() !== null && channel.get() !== null,
        run: editing.pasteCurve,
      },
    ],
    undefined,
  );
}
