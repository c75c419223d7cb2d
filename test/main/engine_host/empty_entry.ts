/** The engine's process in a build that has neither the portrait nor the speech part. */
import { runEngineProcess } from '@likeness/engine/engine_process.ts';

runEngineProcess({ loadHeadMaker: null, loadFaceMaker: null, loadRecordingMaker: null });
