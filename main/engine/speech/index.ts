export { type FaceFrame, speechFaceChannels } from './face_frame.ts';
export { loadSecondHearing, type SecondHearingModel } from './second_hearing_model.ts';
export { SpeechFace, type SpeechFaceOptions, type SpeechFaceStyle } from './speech_face.ts';
export { loadSpeechModel, type SpeechModel } from './speech_model.ts';
