import { setConsoleFunction } from 'three';

/** A deprecation warning of react-three-fiber's use of three.js' Clock, which this project can't fix. */
const known = 'THREE.Clock: This module has been deprecated';

/** three.js writes to the console as it always does, but for what is known and can't be helped. */
export function quietThree(): void {
  setConsoleFunction((type, message, ...rest) => {
    // biome-ignore lint/suspicious/noConsole: three.js's own words
    if (!message.startsWith(known)) console[type](message, ...rest);
  });
}
