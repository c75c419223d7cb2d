/** The journal's view of main's entries: page by page, newest first. */
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CallOutput, JournalEntry } from '#contract';
import { notifyFailure } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { type Filters, filterOf } from './filters.ts';
import { headKey, headsOf } from './head-names.ts';

const pageSize = 200;

/** Loads entries on scroll, newest first; counts new ones until the user asks for them. */
export function useJournalEntries(filters: Filters) {
  const query = useInfiniteQuery({
    queryKey: ['journal', filters],
    queryFn: ({ pageParam }) =>
      studio.journal.entries({
        limit: pageSize,
        filter: filterOf(filters, Date.now()),
        ...(pageParam ? { before: pageParam } : {}),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ entries }) => (entries.length < pageSize ? undefined : entries.at(-1)?.sequence),
    gcTime: 0,
  });
  const pages = query.data?.pages ?? noPages;
  const { fresh, countAgain } = useFresh(pages.length);
  return {
    query,
    entries: pages.flatMap((page) => page.entries),
    names: useHeadNames(pages),
    /** Undefined until it is known. */
    total: pages[0]?.total,
    /** Those that came since, and are not shown. */
    fresh,
    refresh: (): void => {
      countAgain();
      queryClient.resetQueries({ queryKey: ['journal'] }).catch(notifyFailure);
    },
  };
}

const noPages: readonly CallOutput<'journal', 'entries'>[] = [];

/** Shows appended entries. If the user has scrolled away from the top, it only counts them. */
function useFresh(pages: number): { fresh: number; countAgain: () => void } {
  const [fresh, setFresh] = useState(0);
  const pagesNow = useRef(pages);
  pagesNow.current = pages;
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = studio.journal.onAppended(() => {
      if (pagesNow.current > 1) setFresh((count) => count + 1);
      else
        due ??= setTimeout(() => {
          due = undefined;
          queryClient.invalidateQueries({ queryKey: ['journal'] }).catch(notifyFailure);
        }, 400);
    });
    return () => {
      clearTimeout(due);
      end();
    };
  }, []);
  return { fresh, countAgain: () => setFresh(0) };
}

/**
 * Names of the heads that these pages are about, by `headKey`; they
 * come after the entries, which wait for nobody.
 */
function useHeadNames(pages: readonly { entries: JournalEntry[] }[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: pages
      .map(({ entries }) => headsOf(entries))
      .filter(({ length }) => length > 0)
      .map((subjects) => ({
        queryKey: ['journal', 'names', subjects],
        queryFn: () => studio.journal.namesOf({ subjects }),
      })),
    combine: namesOf,
  });
}

const namesOf = (
  results: readonly { data: CallOutput<'journal', 'namesOf'> | undefined }[],
): ReadonlyMap<string, string> =>
  new Map(results.flatMap(({ data }) => data ?? []).map((one) => [headKey(one), one.name]));
