/** The palette's own door, so that keys, the rail and the shell's menu open the same one. */
import { createSpotlight } from '@mantine/spotlight';

const [store, palette] = createSpotlight();

export const paletteStore = store;
export const openPalette = (): void => palette.open();
