/** Queries of the library besides the models themselves, kept current by its events. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, useEffect } from 'react';
import type {
  Collection,
  EventPayload,
  Library,
  Model,
  ModelFacets,
  ModelQuery,
  Readiness,
  SavedSearch,
} from '#contract';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';

const ask = (...queryKey: unknown[]): void => {
  queryClient.invalidateQueries({ queryKey: ['library', ...queryKey] }).catch(() => undefined);
};

export const useLibraries = (): UseQueryResult<Library[]> =>
  useQuery({ queryKey: ['library', 'libraries'], queryFn: () => studio.library.libraries() });
/** Ids of the libraries whose disk is missing: their heads are listed but can't be opened. */
export const AbsentLibraries = createContext<ReadonlySet<string>>(new Set());
export const useCollections = (): UseQueryResult<Collection[]> =>
  useQuery({ queryKey: ['library', 'collections'], queryFn: () => studio.library.collections() });
export const useSavedSearches = (): UseQueryResult<SavedSearch[]> =>
  useQuery({ queryKey: ['library', 'searches'], queryFn: () => studio.library.savedSearches() });
export const useFacets = (query: ModelQuery): UseQueryResult<ModelFacets> =>
  useQuery({
    queryKey: ['library', 'facets', query],
    queryFn: () => studio.library.facets({ query }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
export const useModel = (id: string): UseQueryResult<Model> =>
  useQuery({ queryKey: ['library', 'model', id], queryFn: () => studio.library.model({ id }), gcTime: 0 });
/** How many heads an older engine made, and which it is now. */
export const useOutdated = (): UseQueryResult<{ count: number; engine: string }> =>
  useQuery({ queryKey: ['library', 'outdated'], queryFn: () => studio.library.outdated() });
export const useReadiness = (id: string): UseQueryResult<Readiness> =>
  useQuery({
    queryKey: ['library', 'readiness', id],
    queryFn: () => studio.library.readiness({ id }),
    gcTime: 60_000,
  });

export type Working = EventPayload<'library', 'working'>;

/** Keeps all of these current while the library is open. */
export function useFollowedLibrary(onWorking: (working: Working) => void): void {
  useEffect(() => {
    ask();
    let facetsDue: ReturnType<typeof setTimeout> | undefined;
    const ends = [
      studio.library.onChanged(({ models, libraries, collections, stale }) => {
        queryClient.setQueryData(['library', 'libraries'], libraries);
        if (collections) for (const list of ['collections', 'searches']) ask(list);
        if (stale) ask('model');
        else for (const { id } of models) ask('model', id);
        facetsDue ??= setTimeout(() => {
          facetsDue = undefined;
          ask('facets');
          ask('outdated');
        }, 400);
      }),
      studio.library.onWorking(onWorking),
    ];
    // A person who comes back may have changed files elsewhere. Changes arrive as events; a missing library
    // reports itself.
    const check = (): void => {
      if (!document.hidden) studio.library.checkFolders().catch(() => undefined);
    };
    window.addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      window.removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
      clearTimeout(facetsDue);
      for (const end of ends) end();
    };
  }, [onWorking]);
}
