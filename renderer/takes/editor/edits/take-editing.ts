/** What is done with a take's selection and at its playhead, by buttons and keys alike. */
import { IconArrowBackUp, IconArrowForwardUp, IconBookmark, IconScissors } from '@tabler/icons-react';
import i18next from 'i18next';
import { useMemo } from 'react';
import type { Piece } from '#proto/takes/edits/take_edits.ts';
import { useActions } from '../../../base/actions.ts';
import { attempt, tell } from '../../../base/notices.tsx';
import { go } from '../../../base/route.ts';
import { studio } from '../../../base/studio.ts';
import type { TimeRange } from '../timeline/time-window.ts';
import type { TimelineState } from '../timeline/timeline-state.ts';
import type { EditSession } from './edit-session.ts';
import { onlyRange, withoutRange, withSpeed } from './take-pieces.ts';

export interface TakeEditing {
  readonly timeline: TimelineState;
  /** Cuts what is selected out, and closes up. */
  cut(): void;
  /** Leaves nothing but what is selected. */
  trim(): void;
  /** Two new takes, before and after the playhead. */
  split(): void;
  setSpeed(speed: number): void;
  wholeAgain(): void;
  addMarker(): void;
}

export function useTakeEditing(
  id: string,
  session: EditSession,
  timeline: TimelineState,
  now: () => number,
): TakeEditing {
  const editing = useMemo((): TakeEditing => {
    const { seconds, selection } = timeline;
    const change = (make: (pieces: readonly Piece[], range: TimeRange) => Piece[] | null): void => {
      const range = selection.get();
      if (!range) return;
      const pieces = make(session.shown.get().pieces, range);
      if (pieces) session.apply({ kind: 'pieces', pieces });
      else tell({ level: 'info', title: i18next.t('takes:editor.nothingLeft'), text: '' });
    };
    return {
      timeline,
      cut() {
        change((pieces, range) => withoutRange(pieces, range, seconds));
        selection.set(null);
      },
      trim: () => change((pieces, range) => onlyRange(pieces, range, seconds)),
      split: () =>
        attempt(async () => {
          const { takes } = await studio.takeEdits.split({ id, at: now() });
          const names = takes.map(({ name }) => name).join(', ');
          tell({ level: 'info', title: i18next.t('takes:editor.splitInto', { names }), text: '' });
          if (takes[0]) go('takes', takes[0].id);
        }),
      setSpeed: (speed) => change((pieces, range) => withSpeed(pieces, range, speed, seconds)),
      wholeAgain: () => session.apply({ kind: 'pieces', pieces: [] }),
      addMarker: () =>
        session.apply({ kind: 'marker', id: crypto.randomUUID(), marker: { time: now(), note: '' } }),
    };
  }, [id, session, timeline, now]);
  useEditActions(session, editing);
  return editing;
}

function useEditActions(session: EditSession, editing: TakeEditing): void {
  const { selection } = editing.timeline;
  useActions(
    'places.takes',
    [
      {
        id: 'takes.undo',
        words: 'takes:editor.undo',
        icon: IconArrowBackUp,
        keys: ['Ctrl+Z'],
        repeats: true,
        applies: () => session.kept.get()?.canUndo ?? false,
        // Among the words it is the last move of a word that is taken back.
        yields: (target) => target instanceof Element && target.closest('[role="listbox"]') !== null,
        run: session.undo,
      },
      {
        id: 'takes.redo',
        words: 'takes:editor.redo',
        icon: IconArrowForwardUp,
        keys: ['Ctrl+Shift+Z', 'Ctrl+Y'],
        repeats: true,
        applies: () => session.kept.get()?.canRedo ?? false,
        run: session.redo,
      },
      {
        id: 'takes.marker',
        words: 'takes:editor.addMarker',
        icon: IconBookmark,
        keys: ['M'],
        run: editing.addMarker,
      },
      {
        id: 'takes.cut',
        words: 'takes:editor.cut',
        icon: IconScissors,
        keys: ['Delete'],
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
    ],
    undefined,
  );
}
