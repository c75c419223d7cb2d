import { Anchor, Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { StoragePart, StorageUse } from '#contract';
import { attempt, notify } from '../base/notices.tsx';
import { address } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import { queryClient, useAppInfo } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { listedInWords } from '../base/text/sentence-text.ts';
import { Callout } from '../ui/Callout.tsx';
import { Page } from './Page.tsx';
import classes from './Storage.module.css';

/** The pages that manage the files of a part. */
const pageOf: Partial<Record<StoragePart, string>> = {
  library: address('settings', 'libraries'),
  takes: address('takes'),
  photos: address('portraits'),
  journal: address('activity', 'journal'),
};

/** Shows the space that each part takes on the disk, and clears caches. */
export function Storage() {
  const { t } = useTranslation('settings');
  const figures = useFigures();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['storage'],
    queryFn: () => studio.app.storageUse(),
    // Files change all the time: measured whenever the page is opened.
    staleTime: 0,
  });
  const folder = useAppInfo().data?.dataFolder ?? '';
  const clear = async (): Promise<void> => {
    const { bytes } = await studio.app.clearCaches();
    notify({ level: 'success', title: t('storage.cleared', { size: figures.bytes(bytes) }), text: '' });
    await queryClient.invalidateQueries({ queryKey: ['storage'] });
  };
  return (
    <Page
      title={t('sections.storage')}
      intro={t('storage.intro')}
      actions={
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {t('storage.measure')}
        </Button>
      }
    >
      {error && <Callout tone="bad">{error.message}</Callout>}
      {!data && !error && <Loader size="sm" color="gray" role="status" aria-label={t('storage.measuring')} />}
      {data && (
        <>
          {data.unreadable.length > 0 && (
            <Callout tone="warn">
              {t('storage.unreadable', { folders: listedInWords(data.unreadable) })}
            </Callout>
          )}
          <Parts use={data} folder={folder} onClear={() => attempt(clear)} />
          <p className={classes.note}>{t('storage.backUp', { folder })}</p>
        </>
      )}
    </Page>
  );
}

/** The largest first, each with its share. */
function Parts({ use, folder, onClear }: { use: StorageUse; folder: string; onClear: () => void }) {
  const { t } = useTranslation('settings');
  const figures = useFigures();
  const parts = use.parts.toSorted((a, b) => b.bytes - a.bytes);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <table className={classes.parts}>
      <caption>{t('storage.total', { size: figures.bytes(total), folder })}</caption>
      <tbody>
        {parts.map(({ part, bytes, files }) => {
          const name = t(`storage.parts.${part}.name`);
          const href = pageOf[part];
          return (
            <tr key={part}>
              <th scope="row">
                {href ? <Anchor href={href}>{name}</Anchor> : name}
                <span className={classes.text}>{t(`storage.parts.${part}.text`)}</span>
                {part === 'caches' && use.clearable > 0 && (
                  <Button size="compact-sm" variant="default" mt={4} onClick={onClear}>
                    {t('storage.clear', { size: figures.bytes(use.clearable) })}
                  </Button>
                )}
              </th>
              <td className={classes.share}>
                <span className={classes.bar} style={{ width: `${(100 * bytes) / Math.max(1, total)}%` }} />
              </td>
              <td className={`${classes.size} figures`}>
                {figures.bytes(bytes)}
                <span className={classes.text}>{t('storage.files', { count: files })}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
