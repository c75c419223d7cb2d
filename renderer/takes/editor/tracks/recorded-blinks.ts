import { contactsOf } from '@likeness/proto/takes/closures.ts';
import { useEffect } from 'react';
import type { LoadedTake } from '../../face/take-file.ts';
import { useKeyedState } from '../../keyed-state.ts';

/** Seconds between the two lids of one blink, at most. */
const together = 0.12;
const none: readonly number[] = [];

/** When the recording blinks, seconds; found once the face is read, while the page is idle. */
export function useRecordedBlinks(id: string, loaded: LoadedTake | undefined): readonly number[] {
  const [blinks, setBlinks] = useKeyedState<readonly number[]>(id, none);
  const face = loaded?.isWhole ? loaded.face : undefined;
  useEffect(() => {
    if (!face) return;
    const idle = requestIdleCallback(() => {
      const times = contactsOf(face)
        .filter((contact) => contact.of === 'lid')
        .map(({ deepest }) => face.frames[deepest]!.timeCode)
        .toSorted((a, b) => a - b);
      setBlinks(times.filter((time, at) => at === 0 || time - times[at - 1]! > together));
    });
    return () => cancelIdleCallback(idle);
  }, [face, setBlinks]);
  return blinks;
}
