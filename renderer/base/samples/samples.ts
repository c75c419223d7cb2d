/**
 * The sample face and the sample voice that the studio brings: see the README beside them for their origin.
 */
import faceUrl from './face.jpg';
import voiceUrl from './voice.wav';

/** By this name the face is found in the tray. */
export const sampleFaceName = 'sample-face.jpg';

async function fetched(url: string, name: string, type: string): Promise<File> {
  return new File([await (await fetch(url)).blob()], name, { type });
}

export const sampleFace = (): Promise<File> => fetched(faceUrl, sampleFaceName, 'image/jpeg');
export const sampleVoice = (name: string): Promise<File> => fetched(voiceUrl, name, 'audio/wav');
