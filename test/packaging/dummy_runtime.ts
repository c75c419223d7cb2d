import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As @electron/fuses finds the wire in Electron's binary. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Electron 45's fuses as they are delivered, by position: RunAsNode … WasmTrapHandlers. `1` on, `0` off. */
const delivered = '101100011';

/**
 * A folder that passes for Electron's Linux runtime: what electron-builder wants to find, and a program that
 * carries a fuse wire and, when it is run, prints what it was given.
 */
export function makeDummyRuntime(folder: string, version: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const language of ['de', 'en-US', 'fr', 'zh-CN'])
    writeFileSync(join(folder, 'locales', `${language}.pak`), '');
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'chrome_crashpad_handler']) {
    writeFileSync(join(folder, name), name);
  }
  writeFileSync(join(folder, 'version'), version);
  const wire = Buffer.concat([
    Buffer.from(`#!/bin/sh\nprintf '%s\\n' "$@"\nexit 0\n${sentinel}`, 'latin1'),
    Buffer.from([1, delivered.length]),
    Buffer.from(delivered, 'latin1'),
    Buffer.from('\n'),
  ]);
  writeFileSync(join(folder, 'electron'), wire);
  chmodSync(join(folder, 'electron'), 0o755);
}
