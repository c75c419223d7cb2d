/** The engine's entry: `out/main/engine.js` when built, this file itself under plain Node. */
import { runEngineProcess } from './engine_process.ts';
import { createMakers } from './makers.ts';

/** The bundler's name for the worker's entry, in the folder of this one. */
const builtWorker = 'portrait-worker.js';
const isBuilt = !import.meta.url.endsWith('.ts');

runEngineProcess(
  createMakers({ portraitWorker: isBuilt ? new URL(builtWorker, import.meta.url) : undefined }),
);
