/** The engine's entry: `out/main/engine.js` when built, this file itself under plain Node. */
import { runEngineProcess } from './engine_process.ts';
import { loadFaceMaker, loadHeadMaker } from './makers.ts';

runEngineProcess({ loadHeadMaker, loadFaceMaker });
