/** Overlays of the frame that any page, key or menu opens: the palette and the dialog that unlocks the keys. */
import { createSpotlight } from '@mantine/spotlight';
import { createStore } from './store.ts';

const [store, palette] = createSpotlight();

export const paletteStore = store;
export const openPalette = (): void => palette.open();

/**
 * Whether the passphrase dialog is open: the frame owns it, and anything that meets locked keys can open it.
 */
export const unlockOpen = createStore(false);
