/** The engine's entry: `out/main/engine.js` when built, this file itself under plain Node. */
import { runEngineProcess } from './engine_process.ts';
import { createMakers } from './models/makers.ts';

const isBuilt = !import.meta.url.endsWith('.ts');
/** Files that the build puts beside the built entry. */
const beside = (name: string): URL | undefined => (isBuilt ? new URL(name, import.meta.url) : undefined);

runEngineProcess(
  createMakers({
    portraitWorker: beside('portrait-worker.js'),
    speechWeights: beside('speech-weights.bin'),
    recordingWorker: beside('recording-worker.js'),
    fullPassWeights: beside('second-hearing.bin'),
  }),
);
