import { type RefObject, useEffect, useRef } from 'react';

/** Gives a page's list the focus: who comes to the page, or back to it, goes on with the list by its keys. */
export function useFocusedList(isThere: boolean): RefObject<HTMLDivElement | null> {
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const hasNone = document.activeElement === document.body || document.activeElement?.id === 'main';
    if (isThere && hasNone)
      around.current
        ?.querySelector<HTMLElement>('[role=listbox], [role=grid]')
        ?.focus({ preventScroll: true });
  }, [isThere]);
  return around;
}
