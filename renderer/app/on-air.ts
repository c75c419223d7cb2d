import { createStore } from './store.ts';

/**
 * Whether a live session is open, for the frame: it must show that a microphone is, wherever in the studio the person
 * is. Here and not in Live, so that the first screen does not wait for Live's code.
 */
export const onAir = createStore(false);
