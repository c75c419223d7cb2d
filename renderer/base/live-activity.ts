import { createStore } from './store.ts';

/**
 * The connection that a live session is open with, by its id (empty: the default one); null where none is.
 * The frame uses it to show everywhere that a microphone is open. It is here rather than in Live so that the
 * first screen doesn't load Live's code.
 */
export const liveProfileId = createStore<string | null>(null);
