/** Analysis of a take: its words, and the progress. */

import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { queryOptions, type UseQueryResult, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AnalysisProgress, Take } from '#contract';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { type LoadedTake, loadTake } from '../face/take-file.ts';

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

/** The last progress of each analysis since the page opened, by the take's id. */
const analyses = createStore<Readonly<Record<string, AnalysisProgress>>>({});

/** Returns the last progress of a take's analysis; null if none ran since the page opened. */
export const useTakeAnalysis = (id: string): AnalysisProgress | null =>
  analyses.use((all) => all[id] ?? null);

export const isAnalysing = (analysis: AnalysisProgress | null): boolean =>
  analysis !== null && !['done', 'stopped', 'failed'].includes(analysis.stage);

/** Follows the analyses of all takes while the takes are shown. */
export function useFollowedAnalyses(): void {
  useEffect(() => {
    const heard = new Set<string>();
    const keep = (update: AnalysisProgress): void => analyses.set({ ...analyses.get(), [update.id]: update });
    let isOver = false;
    const end = studio.takes.onAnalysis((update) => {
      heard.add(update.id);
      keep(update);
      if (update.stage !== 'done') return;
      void queryClient.invalidateQueries({ queryKey: ['take', update.id] });
      void queryClient.invalidateQueries({ queryKey: wordsKey(update.id) });
    });
    // Those that began before the page was open.
    studio.takes.analyses().then(
      (all) => {
        if (!isOver) for (const update of all) if (!heard.has(update.id)) keep(update);
      },
      () => undefined, // the next event says it
    );
    return () => {
      isOver = true;
      end();
    };
  }, []);
}
