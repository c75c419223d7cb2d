import { IconDownload, IconPlayerPauseFilled, IconPlayerPlayFilled, IconTrash } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { Take } from '#contract';
import { takeFormats, takeFormatsOfWords } from '#contract/takes/take_constants.ts';
import { type Action, useActions } from '../base/actions.ts';
import { useLatest } from '../base/latest.ts';
import { attempt } from '../base/notices.tsx';
import { shortcut } from '../base/shortcuts/shortcut-table.ts';
import { studio } from '../base/studio.ts';
import { changeSettings, useSettings } from '../base/studio-queries.ts';
import { takesSpace } from '../ui/key-takers.ts';
import { saveExports } from './export/export-files.ts';
import { trashTake } from './list/take-marks.ts';
import type { TakePlayback } from './take-playback.ts';

type TakeFormat = (typeof takeFormats)[number];

export const revealTake = (id: string): void => attempt(() => studio.takes.reveal({ id }));

export function useTrashTake({ id, name }: Take): () => void {
  return useCallback(() => attempt(() => trashTake({ id, name })), [id, name]);
}

/**
 * Exports of a take, saved by the browser.
 *
 * @param modelId - The head that goes into the file; empty: the default head.
 * @param hasWords - Its words are known: some formats are made of nothing else.
 */
export function useTakeExport(id: string, modelId: string, hasWords: boolean): TakeExport {
  const { takeExport, rememberExport } = useSettings();
  const exportAs = useLatest((format: TakeFormat): void =>
    attempt(async () => {
      const { files } = await studio.takeExports.make({
        ids: [id],
        formats: [format],
        rate: 'own',
        fileName: '{name}',
        modelId: modelId || null,
        as: 'files',
      });
      await saveExports(files);
      if (rememberExport && format !== takeExport) await changeSettings({ takeExport: format });
    }),
  );
  return useMemo(() => {
    const ofWords: readonly TakeFormat[] = takeFormatsOfWords;
    return { exportAs, canExport: (format) => hasWords || !ofWords.includes(format) };
  }, [hasWords, exportAs]);
}

interface TakeExport {
  canExport: (format: TakeFormat) => boolean;
  exportAs: (format: TakeFormat) => void;
}

/** Actions of keys and the palette for the current take. */
export function useTakeActions(
  { playing, toggle, setLoop }: TakePlayback,
  { canExport, exportAs }: TakeExport,
  trash: () => void,
): void {
  useActions(
    'pages.takes',
    [
      {
        ...shortcut('takes.play'),
        words: playing ? 'takes:pause' : 'takes:play',
        icon: playing ? IconPlayerPauseFilled : IconPlayerPlayFilled,
        yields: takesSpace,
        run: toggle,
      },
      { ...shortcut('takes.loop'), run: () => setLoop((on) => !on) },
      ...takeFormats.filter(canExport).map(
        (format): Action => ({
          id: `takes.export.${format}`,
          of: 'takes:export',
          words: `takes:formats.${format}`,
          icon: IconDownload,
          run: () => exportAs(format),
        }),
      ),
      {
        ...shortcut('takes.trash'),
        icon: IconTrash,
        // In the list alone: in the editor the key cuts, and once too often it must not take the whole take.
        yields: (target) => !(target instanceof Element && target.closest('[data-take-list]')),
        run: trash,
      },
    ],
    undefined,
  );
}
