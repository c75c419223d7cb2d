/** What is heard in a take: its words, how far hearing it is, and moving a word. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { HearingProgress, Take } from '#contract';
import type { SpeechAlignment } from '#proto/speech_alignment.ts';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { type LoadedTake, loadTake, withStretch } from '../take-file.ts';

const wordsKey = (id: string) => ['take-words', id];

/** Face and waveform of a take; read anew when its face has become another. */
export const useLoadedTake = (take: Take): UseQueryResult<LoadedTake> =>
  useQuery({
    queryKey: ['take', take.id, take.shownFace, take.addedSeconds],
    queryFn: ({ signal }) => loadTake(take, signal),
    gcTime: 30_000,
  });

export const useTakeWords = ({ id }: Take): UseQueryResult<SpeechAlignment | null> =>
  useQuery({ queryKey: wordsKey(id), queryFn: () => studio.takes.words({ id }), gcTime: 30_000 });

/** What hearing this take says last; null where nothing was heard since the page opened. */
export function useHearing(id: string): HearingProgress | null {
  const [progress, setProgress] = useState<HearingProgress | null>(null);
  useEffect(() => {
    let isOver = false;
    const end = studio.takes.onHearing((told) => {
      if (told.id !== id) return;
      isOver = true;
      setProgress(told);
      if (told.stage !== 'done') return;
      void queryClient.invalidateQueries({ queryKey: ['take', id] });
      void queryClient.invalidateQueries({ queryKey: wordsKey(id) });
    });
    // One that began before the page was open.
    studio.takes.hearings().then(
      (all) => {
        const now = all.find((each) => each.id === id);
        if (!isOver && now) setProgress(now);
      },
      () => undefined, // the next event says it
    );
    return () => {
      isOver = true;
      end();
    };
  }, [id]);
  return progress;
}

/** Gives a word other times, seconds; the face follows in what is shown. @throws StudioFailure */
export async function moveTakeWord(
  take: Take,
  index: number,
  times: { start: number; end: number },
): Promise<void> {
  const { id, shownFace, addedSeconds } = take;
  const { alignment, face } = await studio.takes.moveWord({ id, index, ...times });
  queryClient.setQueryData(wordsKey(id), alignment);
  if (shownFace !== 'second') return;
  queryClient.setQueryData<LoadedTake>(['take', id, shownFace, addedSeconds], (loaded) =>
    loaded ? withStretch(loaded, face) : loaded,
  );
}
