import { Progress } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Action, useActions } from '../base/actions.ts';
import { attempt, notify } from '../base/notices.tsx';
import { useRoute } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import { useFigures } from '../base/text/number-format.ts';
import { worded } from '../base/text/sentence-text.ts';
import { DropArea } from '../ui/DropArea.tsx';
import { chooseFiles, register } from '../ui/dropped-files.ts';
import { Browse } from './browse/Browse.tsx';
import { headFiles } from './browse/BrowseHeader.tsx';
import { Duplicates } from './Duplicates.tsx';
import { EraseReceipt } from './dialogs/EraseReceipt.tsx';
import { Folders } from './Folders.tsx';
import classes from './Library.module.css';
import { useFollowedLibrary, type Working } from './library-queries.ts';
import { modelList } from './model-list.ts';
import { Compare } from './page/Compare.tsx';
import { FileCheck } from './page/FileCheck.tsx';
import { ModelPage } from './page/ModelPage.tsx';

/** The heads: all of them to look through, one of them to look at, and what keeps them in order. */
export function Library() {
  const { t } = useTranslation('library');
  const { rest } = useRoute();
  const [working, setWorking] = useState<Working>();
  const onWorking = useCallback((now: Working) => setWorking(now.done < now.total ? now : undefined), []);
  useFollowedLibrary(onWorking);

  const bringIn = async (files: File[]): Promise<void> => {
    const { libraryId } = modelList.listed.query;
    for (const dropIds of await register(files)) {
      const { added, problems } = await studio.library.importDropped({
        dropIds,
        ...(libraryId ? { libraryId } : {}),
      });
      if (added.length > 0)
        notify({ level: 'success', title: t('imported', { count: added.length }), text: '' });
      if (problems.length > 0)
        notify({
          level: 'warning',
          title: t('notImported', { count: problems.length }),
          text: problems
            .slice(0, 6)
            .map(({ fileName, problem }) => `${fileName}: ${worded(problem)}`)
            .join(' '),
        });
    }
  };
  useActions('pages.library', wholeLibrary, { bringIn });
  const pages = {
    model: <ModelPage key={rest[1]} id={rest[1] ?? ''} again={rest[2] === 'again'} />,
    compare: <Compare ids={rest.slice(1)} />,
    duplicates: <Duplicates />,
    check: <FileCheck />,
    folders: <Folders />,
  };
  const page = pages[rest[0] as keyof typeof pages];
  return (
    <DropArea label={t('dropHere')} onFiles={bringIn}>
      {page ?? <Browse onFiles={(files) => attempt(() => bringIn(files))} />}
      {working && <WorkingLine working={working} />}
      <EraseReceipt />
    </DropArea>
  );
}

const wholeLibrary: readonly Action<{ bringIn: (files: File[]) => Promise<void> }>[] = [
  {
    id: 'library.import',
    words: 'palette.importHeads',
    icon: IconUpload,
    run: ({ bringIn }) => attempt(async () => bringIn(await chooseFiles(headFiles))),
  },
];

/** Long work of the room: what, how far. */
function WorkingLine({ working }: { working: Working }) {
  const { t } = useTranslation('library');
  const figures = useFigures();
  const { what, done, total } = working;
  const label = t(`working.${what}`);
  return (
    <div className={classes.working} role="status">
      <span>{label}</span>
      <Progress
        className={classes.progress ?? ''}
        value={(100 * done) / Math.max(1, total)}
        size="sm"
        aria-label={label}
      />
      <span className="figures">
        {figures.number(done)} / {figures.number(total)}
      </span>
    </div>
  );
}
