import { createStore } from './store.ts';

/**
 * The connection that a live session is open with, by its id (empty: the default one); null where none is.
 * For the frame: it must show that a microphone is, wherever in the studio the person is. Here and not in
 * Live, so that the first screen does not wait for Live's code.
 */
export const liveProfileId = createStore<string | null>(null);
