import { useCallback, useRef } from 'react';

/**
 * A function that stays the same and calls what was given last: what is drawn with it is not drawn anew because its
 * caller was. To be called by events, not while something is rendered.
 */
export function useLatest<Given extends unknown[], Result>(
  call: (...given: Given) => Result,
): (...given: Given) => Result {
  const latest = useRef(call);
  latest.current = call;
  return useCallback((...given: Given) => latest.current(...given), []);
}
