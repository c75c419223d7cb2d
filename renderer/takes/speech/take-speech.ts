/** The words of the open take: one of them is chosen, heard, moved. Lanes and inspector share it. */
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { useMemo } from 'react';
import type { Take } from '#contract';
import { useLatest } from '../../base/latest.ts';
import { showSelected } from '../editor/inspector-tab.ts';
import type { TimelineState } from '../editor/timeline/timeline-state.ts';
import type { TakePlayback } from '../take-playback.ts';
import { useStretchPlayer } from './stretch-player.ts';
import { useWordMoves, type WordTimes } from './word-moves.ts';

export interface TakeSpeech {
  readonly words: readonly AlignedWord[];
  /** Chooses a word and goes there, or plays it. */
  goTo(index: number): void;
  play(index: number): void;
  /** Shows a move without making it; null: shows none. */
  preview(move: { index: number; times: WordTimes } | null): void;
  move(index: number, times: WordTimes): void;
}

/** Null: the take has no words. */
export function useTakeSpeech(
  take: Take,
  alignment: SpeechAlignment | null | undefined,
  playback: TakePlayback,
  timeline: TimelineState,
): TakeSpeech | null {
  const player = useStretchPlayer(take.id, playback);
  const { shown, preview, move } = useWordMoves(take, alignment ?? null);
  const words = shown?.words;
  const choose = useLatest((index: number, isPlayed: boolean): void => {
    const word = words?.[index];
    if (!word) return;
    timeline.word.set(index);
    timeline.selected.set({ kind: 'word', index });
    if (isPlayed) {
      showSelected();
      player.play(word);
    } else player.goTo(word);
  });
  const shift = useLatest(move);
  const show = useLatest(preview);
  return useMemo(
    () =>
      words && words.length > 0
        ? {
            words,
            goTo: (index) => choose(index, false),
            play: (index) => choose(index, true),
            preview: show,
            move: shift,
          }
        : null,
    [words, choose, show, shift],
  );
}
