import { builtInProfileId } from '#contract/constants.ts';
import { notify } from '../base/notices.tsx';
import { go } from '../base/route.ts';
import { sampleFace, sampleFaceName } from '../base/samples/samples.ts';
import { studio } from '../base/studio.ts';
import { addAndWait } from './tray/pick.tsx';

/**
 * Makes a head from the sample face and shows its progress, or shows the head if it was made before.
 */
export async function makeSampleHead(words: { name: string; queued: string }): Promise<void> {
  const face = await sampleFace();
  await addAndWait([face]);
  const filter = { text: sampleFaceName, sort: 'newest' } as const;
  const { photos } = await studio.batch.photos({ filter, offset: 0, limit: 1 });
  const [photo] = photos;
  if (!photo) {
    // It is on its way already.
    go('portraits');
    return;
  }
  const selection = { ids: [photo.id] };
  await studio.batch.tag({ selection, set: { sex: 'female', name: words.name } });
  const { queued } = await studio.batch.start({ selection, profileId: builtInProfileId, again: false });
  if (queued > 0) {
    notify({ level: 'success', title: words.queued, text: '' });
    go('portraits');
    return;
  }
  const { inLibrary } = await studio.batch.photo({ id: photo.id });
  await studio.batch.removePhotos({ selection });
  if (inLibrary) go('library', 'model', inLibrary);
  else go('portraits');
}
