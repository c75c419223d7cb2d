/** What the batch room says of itself, kept current by its events. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type {
  BatchOverview as BatchOverviewSchema,
  CallOutput,
  EventPayload,
  Intake as IntakeSchema,
} from '#contract';
import { queryClient } from '../app/rooms.ts';
import { studio } from '../app/studio.ts';

export type BatchOverview = ReturnType<(typeof BatchOverviewSchema)['parse']>;
export type Intake = ReturnType<(typeof IntakeSchema)['parse']>;
export type Finished = EventPayload<'batch', 'finished'>;

export const useOverview = (): UseQueryResult<BatchOverview> =>
  useQuery({ queryKey: ['batch', 'overview'], queryFn: () => studio.batch.overview() });
export const useFolders = (): UseQueryResult<CallOutput<'batch', 'folders'>> =>
  useQuery({ queryKey: ['batch', 'folders'], queryFn: () => studio.batch.folders() });

const askFolders = (): void => {
  queryClient.invalidateQueries({ queryKey: ['batch', 'folders'] }).catch(() => undefined);
};

/** What the page remembers by itself: the last intake and the last end, until they are put aside. */
interface Remembered {
  intake: Intake | undefined;
  finished: Finished | undefined;
}
let remembered: Remembered = { intake: undefined, finished: undefined };
const listeners = new Set<() => void>();
export function remember(changes: Partial<Remembered>): void {
  remembered = { ...remembered, ...changes };
  for (const listener of listeners) listener();
}
export const useRemembered = (): Remembered =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => remembered,
  );

/** Keeps all of that current while the place is looked at. */
export function useFollowedBatch(): void {
  useEffect(() => {
    queryClient.invalidateQueries({ queryKey: ['batch'] }).catch(() => undefined);
    let photos = -1;
    const ends = [
      studio.batch.onChanged(({ overview }) => {
        queryClient.setQueryData(['batch', 'overview'], overview);
        if (overview.photos !== photos) askFolders();
        photos = overview.photos;
        if (overview.open > 0 && remembered.finished) remember({ finished: undefined });
      }),
      studio.batch.onIntakeChanged((intake) => remember({ intake })),
      studio.batch.onFinished((finished) => remember({ finished })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
