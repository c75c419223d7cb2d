import { useEffect, useRef, useState } from 'react';
import type { HeadCorrections, PhotoOutline } from '#contract';
import { asFailure, type StudioFailure, studio } from '../../base/studio.ts';
import { kept } from './draft.ts';

export interface Traced {
  /** The last one that was found; it stays until the next. */
  outline: PhotoOutline | undefined;
  tracing: boolean;
  failure: StudioFailure | undefined;
}

/**
 * The outline with these corrections. One request at a time: of changes made meanwhile only the latest is
 * requested afterwards.
 */
export function useOutline(photoId: string, corrections: HeadCorrections): Traced {
  const [traced, setTraced] = useState<Traced>({ outline: undefined, tracing: true, failure: undefined });
  const wanted = useRef<HeadCorrections | undefined>(undefined);
  const asking = useRef(false);
  useEffect(() => {
    wanted.current = corrections;
    if (asking.current) return;
    const ask = async (): Promise<void> => {
      asking.current = true;
      setTraced((before) => ({ ...before, tracing: true }));
      let found: Partial<Traced> = {};
      for (let next = wanted.current; next; next = wanted.current) {
        wanted.current = undefined;
        try {
          const outline = await studio.batch.outline({ id: photoId, corrections: kept(next) });
          found = { outline, failure: undefined };
        } catch (thrown) {
          found = { failure: asFailure(thrown) };
        }
      }
      asking.current = false;
      setTraced((before) => ({ ...before, ...found, tracing: false }));
    };
    void ask();
  }, [photoId, corrections]);
  return traced;
}
