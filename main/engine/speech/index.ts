export { loadSecondHearing, type SecondHearingModel } from './second_hearing.ts';
export {
  type FaceFrame,
  SpeechFace,
  type SpeechFaceOptions,
  type SpeechFaceStyle,
  speechFaceChannels,
} from './speech_face.ts';
export { loadSpeechModel, type SpeechModel } from './speech_model.ts';
