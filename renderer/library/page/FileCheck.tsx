import { inEnglish, joinMessages } from '@likeness/messages';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconFileCheck, IconFolderOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useLibraries } from '../library-queries.ts';
import classes from '../Order.module.css';

/** Looks at every file of the library and says what is missing, broken or was changed outside. */
export function FileCheck() {
  const { t } = useTranslation(['library', 'app']);
  const figures = useFigures();
  const libraries = useLibraries().data ?? [];
  const [report, setReport] = useState<CallOutput<'library', 'verify'>>();
  const [busy, setBusy] = useState(false);
  const verify = (): void => {
    setBusy(true);
    setReport(undefined);
    attempt(async () => {
      try {
        setReport(await studio.library.verify({}));
      } finally {
        setBusy(false);
      }
    });
  };
  const absent = libraries.filter(({ available }) => !available).map(({ name }) => name);
  const nameOf = (id: string): string => libraries.find((library) => library.id === id)?.name ?? '';
  return (
    <>
      <PageHeader title={t('check.title')}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
          {t('backToAll')}
        </Button>
        {report && (
          <Button loading={busy} onClick={verify}>
            {t('check.again')}
          </Button>
        )}
      </PageHeader>
      <div className={classes.page}>
        {!report && (
          <EmptyState
            icon={<IconFileCheck size={44} stroke={1.1} />}
            title={t('check.startTitle')}
            text={t('check.startText')}
          >
            <Button loading={busy} onClick={verify}>
              {t('check.start')}
            </Button>
          </EmptyState>
        )}
        {report && (
          <Callout
            tone={report.problems.length === 0 ? 'good' : 'warn'}
            title={
              report.problems.length === 0
                ? t('check.sound', { count: report.models, shown: figures.number(report.models) })
                : t('check.problems', { count: report.problems.length })
            }
          />
        )}
        {report && absent.length > 0 && (
          <Callout tone="warn" title={t('check.notConnected', { names: absent.join(', ') })} />
        )}
        {report && report.problems.length > 0 && (
          <ul className={classes.problems}>
            {report.problems.map(({ modelId, libraryId, folder, problem, hint }) => (
              <li key={`${libraryId}/${folder}/${inEnglish(problem)}`}>
                <div>
                  <p className={classes.name}>
                    {libraries.length > 1 && `${nameOf(libraryId)} / `}
                    {folder}
                  </p>
                  <p className={classes.quiet}>{worded(joinMessages(problem, hint))}</p>
                </div>
                {modelId && (
                  <>
                    <Button
                      variant="subtle"
                      color="gray"
                      leftSection={<IconFolderOpen size={15} />}
                      onClick={() => attempt(() => studio.library.reveal({ id: modelId }))}
                    >
                      {t('reveal')}
                    </Button>
                    <Button variant="default" onClick={() => go('library', 'model', modelId)}>
                      {t('check.open')}
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}
