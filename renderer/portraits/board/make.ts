/** Making heads of photos: with which connection, into which library, how many, and what stays behind. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract';
import { withdrawUndo } from '../../base/notices.tsx';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';
import { useKeyStore, useProfiles } from '../../base/studio-queries.ts';
import { type Forecast, useForecast } from '../batch-state.ts';
import { attemptAt } from '../queue/enter-key.ts';
import type { PhotoSelection } from './board-list.ts';
import { notifyQueued } from './tile-orders.ts';

/** How the next heads are made. */
interface MakeChoice {
  /** Undefined: the default connection. */
  profileId: string | undefined;
  libraryId: string | undefined;
  /** Also photos whose heads are in the library. */
  again: boolean;
  /** The connection that Make was pressed for although it has no key. */
  refused: string | undefined;
}
const choice = createStore<MakeChoice>({
  profileId: undefined,
  libraryId: undefined,
  again: false,
  refused: undefined,
});
export const chooseMake = (changes: Partial<MakeChoice>): void => choice.set({ ...choice.get(), ...changes });

/** With which connection and into which library heads are made: what is chosen, or the default ones. */
export function useTarget() {
  const { profileId, libraryId, again, refused } = choice.use();
  const profiles = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => builtIn || groupBUrl !== '');
  const libraries =
    useQuery({ queryKey: ['library', 'libraries'], queryFn: () => studio.library.libraries() }).data ?? [];
  // While the keys are locked nobody can say which there are.
  const locked = useKeyStore().data?.locked ?? false;
  const profile =
    profiles.find(({ id }) => id === profileId) ?? profiles.find(({ isDefault }) => isDefault) ?? profiles[0];
  const lacks = (secret: 'apiKey' | 'accessToken'): boolean =>
    profile !== undefined && !profile.builtIn && !locked && !profile.secrets[secret].configured;
  return {
    profiles,
    profile,
    libraries: libraries.filter(({ available }) => available),
    library: libraries.find(({ id }) => id === libraryId) ?? libraries.find(({ isDefault }) => isDefault),
    again,
    isRefused: profile !== undefined && refused === profile.id && lacks('apiKey'),
    lacksKey: lacks('apiKey'),
    lacksToken: lacks('accessToken'),
  };
}

export type MakeTarget = ReturnType<typeof useTarget>;

const orderOf = (profile: Profile | undefined, selection: PhotoSelection | null, again: boolean) =>
  profile && selection ? { selection, profileId: profile.id, again } : null;

/** @param selection - Null: nothing is asked. */
export const useHeads = (
  { profile, again }: MakeTarget,
  selection: PhotoSelection | null,
): (Forecast & { isOld: boolean }) | undefined => useForecast(orderOf(profile, selection, again));

/** Sends photos on their way. */
export function useMake({ profile, library, lacksKey, again }: MakeTarget): {
  busy: boolean;
  make: (selection: PhotoSelection) => void;
} {
  const [busy, setBusy] = useState(false);
  const make = (selection: PhotoSelection): void => {
    if (!profile) return;
    chooseMake({ refused: lacksKey ? profile.id : undefined });
    if (lacksKey) return;
    setBusy(true);
    attemptAt(profile.id, async () => {
      try {
        const { queued } = await studio.batch.start({
          selection,
          profileId: profile.id,
          ...(library ? { libraryId: library.id } : {}),
          again,
        });
        if (queued === 0) return;
        // Queued photos are as they were ordered: earlier changes can't be undone.
        withdrawUndo('portraits');
        notifyQueued(queued);
      } finally {
        setBusy(false);
      }
    });
  };
  return { busy, make };
}
