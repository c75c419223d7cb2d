import { Button, CopyButton, Progress, Table } from '@mantine/core';
import { IconPhotoScan, IconSend } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { builtInProfileId } from '#contract/constants.ts';
import { attempt } from '../../base/notices.tsx';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { Callout } from '../../ui/Callout.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PortraitsTabs } from '../PortraitsTabs.tsx';
import classes from './ImageTasks.module.css';

const pageSize = 100;

/**
 * Image tasks (A2), as far as the interface lets anyone know of them: that they were submitted, and their id.
 */
export function ImageTasks() {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const query = useInfiniteQuery({
    queryKey: ['batch', 'tasks'],
    queryFn: ({ pageParam }) => studio.batch.imageTasks({ offset: pageParam, limit: pageSize }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const have = pages.reduce((sum, { tasks }) => sum + tasks.length, 0);
      return have < total ? have : undefined;
    },
    staleTime: 0,
    gcTime: 0,
  });
  const submission = query.data?.pages[0]?.submission;
  const { refetch } = query;
  useEffect(() => studio.batch.onImagesChanged(() => attempt(() => refetch())), [refetch]);
  const tasks = query.data?.pages.flatMap((page) => page.tasks) ?? [];
  return (
    <>
      <PageHeader title={t('app:pages.portraits')} note={<PortraitsTabs current="tasks" />} />
      {query.isError && (
        <div className={classes.note}>
          <Callout tone="bad" title={query.error.message} />
        </div>
      )}
      {submission && (
        <div className={classes.underWay} role="status">
          <Progress
            className={classes.bar ?? ''}
            value={(100 * (submission.submitted + submission.failed)) / submission.total}
            aria-label={t('tasks.progress')}
          />
          <span className="figures">
            {t('tasks.submitting', {
              done: figures.number(submission.submitted + submission.failed),
              total: figures.number(submission.total),
            })}
          </span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => attempt(() => studio.batch.cancelImages())}
          >
            {t('app:actions.cancel')}
          </Button>
        </div>
      )}
      {query.isSuccess && tasks.length === 0 && !submission ? (
        <EmptyState
          icon={<IconSend size={44} stroke={1.1} />}
          title={t('tasks.emptyTitle')}
          text={t('tasks.emptyText')}
        >
          <Button leftSection={<IconPhotoScan size={16} />} onClick={() => go('portraits')}>
            {t('queue.toPhotos')}
          </Button>
        </EmptyState>
      ) : (
        <>
          {tasks.length > 0 && (
            <div className={classes.note}>
              <Callout tone="info">{t('tasks.noLookup')}</Callout>
            </div>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable */}
          <section className={classes.table} tabIndex={0} aria-label={t('tabs.tasks')}>
            <Table stickyHeader highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('tasks.at')}</Table.Th>
                  <Table.Th>{t('tasks.file')}</Table.Th>
                  <Table.Th>{t('tasks.connection')}</Table.Th>
                  <Table.Th>{t('tasks.id')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {tasks.map(({ id, at, fileName, profileId, profileName, taskId, message }) => (
                  <Table.Tr key={id}>
                    <Table.Td className="figures">{figures.dateTime(at)}</Table.Td>
                    <Table.Td>{fileName}</Table.Td>
                    <Table.Td>{profileId === builtInProfileId ? t('app:builtIn') : profileName}</Table.Td>
                    <Table.Td>
                      {taskId ? (
                        <CopyButton value={taskId}>
                          {({ copied, copy }) => (
                            <>
                              <code>{taskId}</code>{' '}
                              <Button variant="subtle" size="compact-xs" onClick={copy}>
                                {copied ? t('app:actions.copied') : t('app:actions.copy')}
                              </Button>
                            </>
                          )}
                        </CopyButton>
                      ) : (
                        <span className={classes.failed}>{worded(message)}</span>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {query.hasNextPage && (
              <Button
                variant="default"
                m="md"
                loading={query.isFetchingNextPage}
                onClick={() => attempt(() => query.fetchNextPage())}
              >
                {t('tasks.more')}
              </Button>
            )}
          </section>
        </>
      )}
    </>
  );
}
