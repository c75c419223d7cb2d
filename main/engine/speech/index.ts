export { type FaceFrame, speechFaceChannels } from './face_frame.ts';
export { type Heard, hearWhole, loadSecondHearing, type SecondHearingModel } from './second_hearing.ts';
export { SpeechFace, type SpeechFaceOptions, type SpeechFaceStyle } from './speech_face.ts';
export { loadSpeechModel, type SpeechModel } from './speech_model.ts';
