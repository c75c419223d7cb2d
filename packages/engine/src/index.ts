/** The engine's public names. The program that the studio forks is `engine_entry.ts`. */
export { type EngineOptions, type RunningEngine, startEngine } from './engine.ts';
export type { FaceMaker } from './faces/face_maker.ts';
export { defaultLimits, type EngineLimits } from './http/limits.ts';
export type { HeadMaker } from './models/head_maker.ts';
export { createMakers, type MakersOptions } from './models/makers.ts';
export type { RecordingMaker } from './recordings/recording_maker.ts';
export { UnusableFolder } from './unusable_folder.ts';
