import { useCallback, useState } from 'react';

/**
 * State of a part of the page that stays while what it shows becomes another: then it begins anew.
 *
 * @param of id of what is shown
 */
export function useStateOf<T>(of: string, initial: T): [T, (next: T) => void] {
  const [kept, setKept] = useState({ of, value: initial });
  // Before anything is drawn: no picture of one has the state of another.
  if (kept.of !== of) setKept({ of, value: initial });
  const set = useCallback(
    // What comes late is of one that is not shown any more.
    (value: T) => setKept((now) => (now.of === of ? { of, value } : now)),
    [of],
  );
  return [kept.of === of ? kept.value : initial, set];
}
