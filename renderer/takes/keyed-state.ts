import { useCallback, useState } from 'react';

/** State that resets when `key` changes, such as the id of the shown take. */
export function useKeyedState<T>(key: string, initial: T): [T, (next: T) => void] {
  const [kept, setKept] = useState({ key, value: initial });
  // While rendering, so that no frame shows the state of another key.
  if (kept.key !== key) setKept({ key, value: initial });
  const set = useCallback(
    // A late update for a previous key is ignored.
    (value: T) => setKept((now) => (now.key === key ? { key, value } : now)),
    [key],
  );
  return [kept.key === key ? kept.value : initial, set];
}
