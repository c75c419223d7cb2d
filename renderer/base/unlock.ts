/** The door to the passphrase dialog: the frame owns the dialog, and anything that meets locked keys can open it. */
import { useSyncExternalStore } from 'react';

let open = false;
const watchers = new Set<() => void>();

export function setUnlockOpen(next: boolean): void {
  open = next;
  for (const watcher of watchers) watcher();
}

export const useUnlockOpen = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => open,
  );
