import { builtInProfileId } from '#contract/constants.ts';
import { notify } from '../base/notices.tsx';
import { go } from '../base/route.ts';
import { sampleFace, sampleFaceName } from '../base/samples/samples.ts';
import { studio } from '../base/studio.ts';
import { worded } from '../base/text/sentence-text.ts';
import { remember } from './batch-state.ts';
import { addFiles } from './tray/pick.tsx';

/**
 * Makes a head from the sample face and shows its progress, or shows the head if it was made before.
 */
export async function makeSampleHead(words: { name: string; queued: string }): Promise<void> {
  const face = await sampleFace();
  await new Promise<void>((resolve, reject) => {
    const end = studio.batch.onIntakeChanged((intake) => {
      const { state, message } = intake;
      if (state === 'running') return;
      // The tray may not be mounted yet to receive the event.
      remember({ intake });
      end();
      if (state === 'done') resolve();
      else reject(new Error(worded(message) || state));
    });
    addFiles([face]).catch((thrown: unknown) => {
      end();
      reject(thrown);
    });
  });
  const filter = { text: sampleFaceName, sort: 'newest' } as const;
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
    notify({ level: 'success', title: words.queued, text: '' });
    go('portraits', 'queue');
    return;
  }
  const { inLibrary } = await studio.batch.photo({ id: photo.id });
  await studio.batch.removePhotos({ selection });
  if (inLibrary) go('library', 'model', inLibrary);
  else go('portraits', 'queue');
}
