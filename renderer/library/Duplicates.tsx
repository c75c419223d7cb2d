import { Button, Loader } from '@mantine/core';
import { IconArrowLeft, IconCopyCheck, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { attempt } from '../base/notices.tsx';
import { address, go } from '../base/route.ts';
import { studio } from '../base/studio.ts';
import { queryClient } from '../base/studio-queries.ts';
import { useFigures } from '../base/text/number-format.ts';
import { Callout } from '../ui/Callout.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { trash } from './edits.ts';
import classes from './Order.module.css';
import { Thumbnail } from './Thumbnail.tsx';

/** Heads of the same photo or with the same bytes, in groups, to keep one of each. */
export function Duplicates() {
  const { t } = useTranslation(['library', 'app']);
  const figures = useFigures();
  const { data, error, isPending, isFetching } = useQuery({
    queryKey: ['library', 'duplicates'],
    queryFn: () => studio.library.duplicates(),
    gcTime: 0,
  });
  const again = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['library', 'duplicates'] });
  const remove = (ids: string[]): void =>
    attempt(async () => {
      await trash({ ids });
      await again();
    });
  return (
    <>
      <PageHeader title={t('duplicates.title')} note={isFetching && <Loader size={12} color="gray" />}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={() => go('library')}>
          {t('backToAll')}
        </Button>
      </PageHeader>
      <div className={classes.page}>
        {isPending && <Loader size="sm" color="gray" role="status" aria-label={t('app:loading')} />}
        {error && <Callout tone="bad" title={error.message} />}
        {data?.length === 0 && (
          <EmptyState
            icon={<IconCopyCheck size={44} stroke={1.1} />}
            title={t('duplicates.noneTitle')}
            text={t('duplicates.noneText')}
          />
        )}
        {data?.map(({ reason, models }) => (
          <section key={models.map(({ id }) => id).join()} className={classes.group}>
            <div className={classes.groupHead}>
              <h2>{t(`duplicates.${reason}`, { count: models.length })}</h2>
              <Button
                variant="default"
                leftSection={<IconTrash size={15} />}
                onClick={() => {
                  // The best rated stays; of equals the oldest, as others may refer to it already.
                  const [, ...others] = models.toSorted(
                    (a, b) => b.rating - a.rating || a.createdAt - b.createdAt,
                  );
                  remove(others.map(({ id }) => id));
                }}
              >
                {t('duplicates.keepOne')}
              </Button>
            </div>
            <ul className={classes.heads}>
              {models.map((model) => (
                <li key={model.id}>
                  <a
                    className={classes.picture}
                    href={address('library', 'model', model.id)}
                    aria-label={model.name}
                  >
                    <Thumbnail model={model} />
                  </a>
                  <span className={classes.name}>{model.name}</span>
                  <span className={classes.quiet}>
                    {figures.date(model.madeAt)} · {figures.bytes(model.bytes)}
                  </span>
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-xs"
                    aria-label={t('duplicates.trashOne', { name: model.name })}
                    onClick={() => remove([model.id])}
                  >
                    {t('bulk.trash')}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}
