import { setConsoleFunction } from 'three';

/**
 * What react-three-fiber does by itself until it follows three.js to its
 * Timer: nothing that anybody here can mend.
 */
const known = 'THREE.Clock: This module has been deprecated';

/** three.js writes to the console as it always does, but for what is known and can't be helped. */
export function quietThree(): void {
  setConsoleFunction((type, message, ...rest) => {
    // biome-ignore lint/suspicious/noConsole: three.js's own words
    if (!message.startsWith(known)) console[type](message, ...rest);
  });
}
