import { type RefObject, useEffect, useRef } from 'react';
import type { Listed, LongList } from './long-list.ts';

/**
 * Loads the visible part of a long list: the items from `first` to `last` are fetched, and a new search
 * starts at the top. `last` < 0: nothing is on the screen yet.
 */
export function useListWindow<T extends { id: string }, Q>(
  list: LongList<T, Q>,
  { shown }: Listed<T, Q>,
  [first, last]: readonly [first: number, last: number],
  scroller: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (last >= 0) list.setWindow(first, last);
  }, [list, first, last]);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) scroller.current?.scrollTo({ top: 0 });
    before.current = shown;
  }, [shown, scroller]);
}
