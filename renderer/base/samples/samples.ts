/** The sample face and the sample voice that the studio brings: the README beside them tells where they are from. */
import { builtInProfileId } from '#contract/constants.ts';
import { addFiles } from '../../portraits/tray/pick.tsx';
import { tell } from '../notices.tsx';
import { go } from '../route.ts';
import { worded } from '../sentence-text.ts';
import { studio } from '../studio.ts';
import faceUrl from './face.jpg';
import voiceUrl from './voice.wav';

const faceName = 'sample-face.jpg';

async function fetched(url: string, name: string, type: string): Promise<File> {
  return new File([await (await fetch(url)).blob()], name, { type });
}

export const sampleVoice = (name: string): Promise<File> => fetched(voiceUrl, name, 'audio/wav');

/** Makes a head of the sample face, and goes where it can be watched; where it was made before, to the head. */
export async function makeSampleHead(words: { name: string; queued: string }): Promise<void> {
  const face = await fetched(faceUrl, faceName, 'image/jpeg');
  await new Promise<void>((resolve, reject) => {
    const end = studio.batch.onIntakeChanged(({ state, message }) => {
      if (state === 'running') return;
      end();
      if (state === 'done') resolve();
      else reject(new Error(worded(message) || state));
    });
    addFiles([face]).catch((thrown: unknown) => {
      end();
      reject(thrown);
    });
  });
  const filter = { text: faceName, sort: 'newest' } as const;
  const { photos } = await studio.batch.photos({ filter, offset: 0, limit: 1 });
  const [photo] = photos;
  if (!photo) {
    // It is in the queue already.
    go('portraits', 'queue');
    return;
  }
  const selection = { ids: [photo.id] };
  await studio.batch.tag({ selection, set: { sex: 'female', name: words.name } });
  const { queued } = await studio.batch.start({ selection, profileId: builtInProfileId, again: false });
  if (queued > 0) {
    tell({ level: 'success', title: words.queued, text: '' });
    go('portraits', 'queue');
    return;
  }
  const { inLibrary } = await studio.batch.photo({ id: photo.id });
  await studio.batch.removePhotos({ selection });
  if (inLibrary) go('library', 'model', inLibrary);
  else go('portraits', 'queue');
}
