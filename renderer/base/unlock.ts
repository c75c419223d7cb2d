import { createStore } from './store.ts';

/**
 * Whether the passphrase dialog is open: the frame owns it, and anything that meets locked keys can open it.
 */
export const unlockOpen = createStore(false);
