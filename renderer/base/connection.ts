/** Whether the studio behind the page is there: in a browser tab it may stop, or be restarted, without the page. */
import { createStore } from './store.ts';

/** Milliseconds in which a broken connection comes back by itself, as after a laptop's sleep. */
const patience = 1500;

/** True while the studio doesn't answer: nothing that the page shows of it is known to hold. */
export const studioIsLost = createStore(false);

const returned = new Set<() => void>();

/** Told when the studio is there again: what happened meanwhile was not told to the page. Returns its end. */
export function onStudioBack(listener: () => void): () => void {
  returned.add(listener);
  return () => {
    returned.delete(listener);
  };
}

/** Returns its end. */
export function followConnection(): () => void {
  let due: ReturnType<typeof setTimeout> | undefined;
  let wasOpen = true;
  const end = window.studioPage?.onConnection?.((isOpen) => {
    clearTimeout(due);
    if (!isOpen) due = setTimeout(() => studioIsLost.set(true), patience);
    else {
      studioIsLost.set(false);
      if (!wasOpen) for (const listener of returned) listener();
    }
    wasOpen = isOpen;
  });
  return () => {
    clearTimeout(due);
    end?.();
  };
}
