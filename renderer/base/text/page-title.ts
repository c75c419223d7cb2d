import { useEffect } from 'react';
import { createStore } from '../store.ts';

const shownTitle = createStore<string | undefined>(undefined);

/** Names the browser's tab after what the page shows, rather than after the page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    shownTitle.set(title);
    return () => shownTitle.set(undefined);
  }, [title]);
}

/** Undefined where the page's own name says enough. */
export const useShownTitle = shownTitle.use;
