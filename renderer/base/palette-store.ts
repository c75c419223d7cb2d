/** Opens the one palette, for keys, the rail and the shell's menu. */
import { createSpotlight } from '@mantine/spotlight';

const [store, palette] = createSpotlight();

export const paletteStore = store;
export const openPalette = (): void => palette.open();
