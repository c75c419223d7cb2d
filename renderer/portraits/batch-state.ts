/** State of the batch room, kept current by its events. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { CallInput, CallOutput, EventPayload, PhotoImport } from '#contract';
import { createStore } from '../base/store.ts';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';
import { notifyImport, notifyPeople } from './tray/manifest.ts';

export type Forecast = CallOutput<'batch', 'forecast'>;
export type Finished = EventPayload<'batch', 'finished'>;

/** The page's own state: the last intake and the last finished batch, until dismissed. */
interface Remembered {
  intake: PhotoImport | undefined;
  finished: Finished | undefined;
}
const remembered = createStore<Remembered>({ intake: undefined, finished: undefined });
export const remember = (changes: Partial<Remembered>): void =>
  remembered.set({ ...remembered.get(), ...changes });
/** An intake as main returned it when it began; its events since then are newer. */
export function rememberBegun(intake: PhotoImport): void {
  if (remembered.get().intake?.id !== intake.id) remember({ intake });
}
export const useRemembered = remembered.use;

/**
 * The result that Make would have now. Undefined while unknown or if there are no photos; `isOld`: of an earlier
 * selection.
 */
export function useForecast(
  order: CallInput<'batch', 'forecast'> | null,
): (Forecast & { isOld: boolean }) | undefined {
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['batch', 'forecast', order],
    queryFn: () => (order ? studio.batch.forecast(order) : null),
    // Keep the last answer until the next one, or the notes would flicker with every checked photo.
    placeholderData: (before) => before,
  });
  return data ? { ...data, isOld: isPlaceholderData } : undefined;
}

/** Whether a connection takes several photos of a person; null while nobody knows, or nobody asks. */
export function useTakesSeveral(profileId: string | undefined): boolean | null {
  const { data } = useQuery({
    queryKey: ['connections', 'takesSeveral', profileId],
    queryFn: () => studio.batch.takesSeveral({ profileId: profileId ?? '' }),
    enabled: profileId !== undefined,
    staleTime: 60_000,
  });
  return data?.takes ?? null;
}

/**
 * Milliseconds until it is fetched again: main goes through all photos for it, so less often for many.
 */
const forecastPause = (photos: number): number => Math.max(300, photos / 5);

/** Keeps all of these current while the page is open. */
export function useFollowedBatch(): void {
  useEffect(() => {
    queryClient.invalidateQueries({ queryKey: ['batch'] }).catch(() => undefined);
    let due: ReturnType<typeof setTimeout> | undefined;
    const ends = [
      () => clearTimeout(due),
      studio.batch.onChanged(({ overview }) => {
        due ??= setTimeout(() => {
          due = undefined;
          queryClient.invalidateQueries({ queryKey: ['batch', 'forecast'] }).catch(() => undefined);
        }, forecastPause(overview.photos));
        if (overview.open > 0 && remembered.get().finished) remember({ finished: undefined });
      }),
      studio.batch.onIntakeChanged((intake) => {
        remember({ intake });
        notifyImport(intake);
        notifyPeople(intake);
      }),
      studio.batch.onFinished((finished) => remember({ finished })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
