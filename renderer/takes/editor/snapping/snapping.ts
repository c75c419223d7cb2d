/** Whether the pointer snaps to words' ends, markers and cuts; kept on this machine by the browser. */
import { createStore } from '../../../base/store.ts';

const key = 'likeness.snapping';

function kept(): boolean {
  try {
    return localStorage.getItem(key) !== 'off';
  } catch {
    return true; // storage is switched off
  }
}

export const snapping = createStore(kept());

export function toggleSnapping(): void {
  snapping.set(!snapping.get());
  try {
    localStorage.setItem(key, snapping.get() ? 'on' : 'off');
  } catch {
    // Storage failed; it lasts as long as the page.
  }
}
