/**
 * The public names of the package: live from sound (`SpeechFace`), or from a whole recording (`VoiceAnalyser`, then
 * `TakeFaceMaker`). Words and their times are `words/index.ts` and `align/index.ts`.
 */
export { type FaceFrame, speechFaceChannels } from './face_frame.ts';
export {
  type FullPassModel,
  loadFullPassModel,
} from './full_pass_model.ts';
export { SpeechFace, type SpeechFaceOptions, type SpeechFaceStyle } from './speech_face.ts';
export { loadSpeechModel, type SpeechModel } from './speech_model.ts';
export { TakeFaceMaker, type TakeFaceOptions } from './take/take_face.ts';
export type { TakeVoice } from './take/take_voice.ts';
export { VoiceAnalyser } from './take/voice_analyser.ts';
