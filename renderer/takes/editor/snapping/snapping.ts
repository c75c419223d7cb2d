/** Whether the pointer snaps to words' ends, markers and cuts; kept on this machine by the browser. */
import { keepValue, keptValue } from '../../../base/kept-value.ts';
import { createStore } from '../../../base/store.ts';

const key = 'likeness.snapping';

export const snapping = createStore(keptValue(key, true, (text) => text !== 'off'));

export function toggleSnapping(): void {
  snapping.set(!snapping.get());
  keepValue(key, snapping.get() ? 'on' : 'off');
}
