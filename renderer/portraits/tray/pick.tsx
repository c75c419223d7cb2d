import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useAppInfo } from '../../base/studio-queries.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { chooseFiles, filesOfInput, register } from '../../ui/dropped-files.ts';
import { remember, rememberBegun } from '../batch-state.ts';

const accepted =
  'image/jpeg,image/png,image/webp,image/avif,image/tiff,image/heic,image/heif,.heic,.heif,.tif';

/** Hands files over to the batch room, which takes them in by itself. */
export async function addFiles(files: readonly File[]): Promise<void> {
  for (const dropIds of await register(files)) rememberBegun(await studio.batch.addDropped({ dropIds }));
}

/**
 * Hands files over and waits until they are taken in.
 *
 * @throws Error if they could not be
 */
export async function addAndWait(files: readonly File[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const end = studio.batch.onIntakeChanged((intake) => {
      const { state, message } = intake;
      if (state === 'running') return;
      // The board may not be mounted yet to receive the event.
      remember({ intake });
      end();
      if (state === 'done') resolve();
      else reject(new Error(worded(message) || state));
    });
    addFiles(files).catch((thrown: unknown) => {
      end();
      reject(thrown);
    });
  });
}

/** One photo that the person chooses in the browser's dialog; undefined: none. */
export const chooseFile = async (): Promise<File | undefined> => (await chooseFiles(accepted, false))[0];

/** Choosing photos in the shell's own dialog, or in the browser's where the shell is one. */
export function usePhotoPicker() {
  const { t } = useTranslation('portraits');
  const shell = useAppInfo().data?.shell;
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const pickFiles = useCallback(() => {
    if (shell === 'electron')
      attempt(async () => {
        const intake = await studio.batch.pickFiles();
        if (intake) rememberBegun(intake);
      });
    else files.current?.click();
  }, [shell]);
  const pickFolder = useCallback(() => {
    if (shell === 'electron')
      attempt(async () => {
        const intake = await studio.batch.pickFolder();
        if (intake) rememberBegun(intake);
      });
    else folder.current?.click();
  }, [shell]);
  const picked = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>): void => {
    const chosen = filesOfInput(currentTarget);
    currentTarget.value = '';
    if (chosen.length > 0) attempt(() => addFiles(chosen));
  };
  const inputs = (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label={t('addPhotos')}
        onChange={picked}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        // @ts-expect-error: not in React's types; every browser the studio runs in has it
        webkitdirectory=""
        aria-label={t('addFolder')}
        onChange={picked}
      />
    </>
  );
  return { ready: shell !== undefined, pickFiles, pickFolder, inputs };
}
