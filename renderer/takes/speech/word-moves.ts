/** Moving the words of a take: what is seen at once, and what main makes of it. */

import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { moveWord } from '@likeness/proto/speech/word_times.ts';
import i18next from 'i18next';
import { useEffect, useRef } from 'react';
import type { MovedWords, Take } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { type LoadedTake, withStretch } from '../face/take-file.ts';
import { useKeyedState } from '../keyed-state.ts';
import { inTake, takesHistory } from '../takes-history.ts';
import { takeKey, wordsKey } from './take-analysis.ts';

/** Seconds. */
export interface WordTimes {
  readonly start: number;
  readonly end: number;
}

export interface WordMoves {
  /** The words as they are now, or as a move would make them; null: there are none. */
  readonly shown: SpeechAlignment | null;
  /** Shows a move without making it; null: shows none. */
  preview(move: { index: number; times: WordTimes } | null): void;
  move(index: number, times: WordTimes): void;
}

/** Moves are made one after the other; until the last is answered, they are seen as they will be. */
export function useWordMoves(take: Take, alignment: SpeechAlignment | null): WordMoves {
  const [seen, setSeen] = useKeyedState<SpeechAlignment | null>(take.id, null);
  const sending = useRef({ last: Promise.resolve(), count: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: new words, from wherever, end what was seen early
  useEffect(() => {
    if (sending.current.count === 0) setSeen(null);
  }, [alignment]);
  const shown = seen ?? alignment;
  const send = (work: () => Promise<MovedWords | null>): Promise<unknown> => {
    const queue = sending.current;
    queue.count += 1;
    const made = queue.last.then(async () => {
      const moved = await work();
      if (moved) showMoved(take, moved);
      return moved;
    });
    queue.last = made
      .catch(() => null) // told below
      .then((moved) => {
        queue.count -= 1;
        // The words themselves come a moment later: what was there before must not flash up meanwhile.
        if (queue.count === 0) setSeen(moved?.alignment ?? null);
      });
    return made;
  };
  const { id } = take;
  return {
    shown,
    preview(move) {
      setSeen(move && alignment && moveWord(alignment, move.index, move.times, take.seconds).alignment);
    },
    move(index, times) {
      if (!shown) return;
      setSeen(moveWord(shown, index, times, take.seconds).alignment);
      const make = (): Promise<unknown> => send(() => studio.takes.moveWord({ id, index, ...times }));
      const made = make();
      const forget = takesHistory.record(
        inTake(id, {
          label: i18next.t('takes:done.word'),
          undo: () => send(() => studio.takes.undoMove({ id })),
          redo: make,
        }),
      );
      attempt(() =>
        made.catch((thrown: unknown) => {
          forget();
          throw thrown;
        }),
      );
    },
  };
}

function showMoved({ id, shownFace, addedSeconds }: Take, { alignment, face }: MovedWords): void {
  queryClient.setQueryData(wordsKey(id), alignment);
  if (shownFace !== 'second') return;
  queryClient.setQueryData<LoadedTake>(takeKey(id, shownFace, addedSeconds), (loaded) =>
    loaded ? withStretch(loaded, face) : loaded,
  );
}
