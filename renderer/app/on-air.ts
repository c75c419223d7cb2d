/**
 * Whether a live session is open, for the frame: it must show that a microphone is, wherever in the studio the person
 * is. A store of its own, so that the first screen does not wait for Live's code.
 */
import { useSyncExternalStore } from 'react';

let onAir = false;
const watchers = new Set<() => void>();

export function setOnAir(next: boolean): void {
  if (next === onAir) return;
  onAir = next;
  for (const watcher of watchers) watcher();
}

export const useOnAir = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => onAir,
  );
