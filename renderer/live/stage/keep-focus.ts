import type { MouseEvent } from 'react';

/** A click leaves the focus where it is: Space stays the talk key, and is not the clicked button’s. */
export const keepFocus = (event: MouseEvent): void => event.preventDefault();
