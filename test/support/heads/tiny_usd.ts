import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { TinyUsd } from 'tinyusdz/tinyusdz.js';

/**
 * The USD reader of Light Transport (C++ in WebAssembly), which knows the types of UsdSkel. It is built for
 * pages and refuses to start where it sees Node; how it tells them apart is set here while it starts.
 */
export async function tinyUsd(): Promise<TinyUsd> {
  const path = createRequire(import.meta.url).resolve('tinyusdz/tinyusdz.wasm');
  const kept = Object.getOwnPropertyDescriptor(process, 'type');
  const page = { window: globalThis, document: { currentScript: null } };
  const had = Object.keys(page).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  Object.defineProperty(process, 'type', { value: 'renderer', configurable: true });
  for (const [name, value] of Object.entries(page))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  try {
    const { default: start } = await import('tinyusdz/tinyusdz.js');
    const module = await start({
      wasmBinary: readFileSync(path),
      print: () => {},
      printErr: () => {},
    });
    return new module.TinyUSDZLoaderNative();
  } finally {
    if (kept) Object.defineProperty(process, 'type', kept);
    else Reflect.deleteProperty(process, 'type');
    for (const [name, before] of had) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
  }
}
