/**
 * Node loads the tests in its processes itself, without Vite. Two things that Vite did:
 *
 * - `electron` is the stub of the tests, for electron-store too: in plain Node the package would download Electron.
 * - `import('x.ts?fresh=1')` loads the module and the project's modules that it imports once more.
 */
import { registerHooks } from 'node:module';

const stub = new URL('../fixtures/electron/index.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = specifier === 'electron' ? { url: stub, shortCircuit: true } : next(specifier, context);
    const fresh = /\?fresh=\d+$/.exec(context.parentURL ?? '')?.[0];
    const isOurs = resolved.url.startsWith('file:') && !resolved.url.includes('/node_modules/');
    return fresh && isOurs && !resolved.url.includes('?')
      ? { ...resolved, url: resolved.url + fresh }
      : resolved;
  },
});
