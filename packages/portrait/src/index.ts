/**
 * The portrait engine: one frontal photo in, a head that can speak out. No network, no GPU, no other room.
 */

export type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
export type { HeadModel } from './contract/head_model.ts';
export {
  engineVersion,
  type HeadReport,
  type HeadRequest,
  type HeadResult,
} from './contract/head_request.ts';
export type { OutlineReport, OutlineRequest, PhotoReport } from './contract/photo_report.ts';
export {
  PortraitError,
  type PortraitErrorCode,
  portraitFailMessage,
} from './contract/portrait_error.ts';
export { createPortraitEngine, type PortraitEngine, type PortraitEngineOptions } from './engine.ts';
