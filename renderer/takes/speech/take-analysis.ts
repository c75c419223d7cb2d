/** Analysis of a take: its words, and the progress. */

import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { queryOptions, type UseQueryResult, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AnalysisProgress, Take } from '#contract';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { type LoadedTake, loadTake } from '../face/take-file.ts';
import { useKeyedState } from '../keyed-state.ts';

export const wordsKey = (id: string) => ['take-words', id];
export const takeKey = (id: string, face: Take['shownFace'], addedSeconds: number) => [
  'take',
  id,
  face,
  addedSeconds,
];

/** A take's face, of a long one its beginning first; read anew when its face has become another. */
export const faceQuery = (take: Pick<Take, 'id' | 'shownFace' | 'addedSeconds'>) =>
  queryOptions({
    queryKey: takeKey(take.id, take.shownFace, take.addedSeconds),
    queryFn: ({ signal, queryKey }) =>
      loadTake(take, signal, (begun) => queryClient.setQueryData(queryKey, begun)),
    gcTime: 30_000,
  });

export function useLoadedTake(take: Take): UseQueryResult<LoadedTake> {
  const asked = faceQuery(take);
  // On its way while React still builds what shows it.
  usePrefetchQuery(asked);
  return useQuery(asked);
}

export const useTakeWords = ({ id }: Take): UseQueryResult<SpeechAlignment | null> =>
  useQuery({ queryKey: wordsKey(id), queryFn: () => studio.takes.words({ id }), gcTime: 30_000 });

/** Returns the last progress of this take's analysis; null if none ran since the page opened. */
export function useTakeAnalysis(id: string): AnalysisProgress | null {
  const [progress, setProgress] = useKeyedState<AnalysisProgress | null>(id, null);
  useEffect(() => {
    let isOver = false;
    const end = studio.takes.onAnalysis((update) => {
      if (update.id !== id) return;
      isOver = true;
      setProgress(update);
      if (update.stage !== 'done') return;
      void queryClient.invalidateQueries({ queryKey: ['take', id] });
      void queryClient.invalidateQueries({ queryKey: wordsKey(id) });
    });
    // One that began before the page was open.
    studio.takes.analyses().then(
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
  }, [id, setProgress]);
  return progress;
}
