import { ActionIcon, Button, Checkbox, Menu, Select } from '@mantine/core';
import { IconDots, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput } from '#contract';
import { useFigures } from '../app/figures.ts';
import { attempt, tell } from '../app/notices.tsx';
import { profileName } from '../app/profile-name.ts';
import { useProfiles } from '../app/rooms.ts';
import { go } from '../app/route.ts';
import { studio } from '../app/studio.ts';
import { useLongList } from '../ui/long-list.ts';
import type { Chosen } from '../ui/selection.ts';
import { useOverview } from './batch-state.ts';
import { asSelection, type PhotoSelection, photoList } from './photo-list.ts';
import classes from './StartBar.module.css';

/** The last step before anything is sent: with which connection, into which library, and what will stay behind. */
export function StartBar({ chosen, count }: { chosen: Chosen; count: number }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const overview = useOverview().data;
  const profiles = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => builtIn || groupBUrl !== '');
  const libraries =
    useQuery({ queryKey: ['library', 'libraries'], queryFn: () => studio.library.libraries() }).data ?? [];
  const [profileId, setProfileId] = useState<string>();
  const [libraryId, setLibraryId] = useState<string>();
  const [again, setAgain] = useState(false);
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useState<CallOutput<'batch', 'start'>['left']>([]);

  const profile =
    profiles.find(({ id }) => id === profileId) ?? profiles.find(({ isDefault }) => isDefault) ?? profiles[0];
  const library =
    libraries.find(({ id }) => id === libraryId) ?? libraries.find(({ isDefault }) => isDefault);
  const { total: found, query: filter } = useLongList(photoList);
  const total = found ?? 0;
  const price = profile?.prices.perModel ?? 0;
  const noneUsable =
    filter.check === 'blocked' ||
    (overview !== undefined && overview.photos > 0 && overview.checks.blocked === overview.photos);

  /** All that are shown, or only those that are chosen. */
  const start = (selection: PhotoSelection): void => {
    if (!profile) return;
    setBusy(true);
    attempt(async () => {
      try {
        const answer = await studio.batch.start({
          selection,
          profileId: profile.id,
          ...(library ? { libraryId: library.id } : {}),
          again,
        });
        setLeft(answer.left);
        if (answer.queued > 0) {
          tell({ level: 'success', title: t('start.queued', { count: answer.queued }), text: '' });
          go('portraits', 'queue');
        }
      } finally {
        setBusy(false);
      }
    });
  };
  const submitImages = (): void => {
    if (!profile) return;
    attempt(async () => {
      // How far they are is told where they are listed.
      go('portraits', 'tasks');
      const { submitted, failed } = await studio.batch.submitImages({
        selection: asSelection(chosen),
        profileId: profile.id,
      });
      tell({
        level: failed > 0 ? 'warning' : 'success',
        title: t('tasks.submitted', { count: submitted }),
        text: failed > 0 ? t('tasks.failed', { count: failed }) : '',
      });
    });
  };
  const notes = [
    overview && overview.untagged > 0 ? t('start.untagged', { count: overview.untagged }) : '',
    overview && overview.checks.blocked > 0 ? t('start.blocked', { count: overview.checks.blocked }) : '',
    overview && overview.checks.pending > 0 ? t('start.pending', { count: overview.checks.pending }) : '',
    overview && overview.corrected > 0 && profile && !profile.builtIn
      ? t('start.corrected', { count: overview.corrected })
      : '',
    price > 0
      ? t('start.price', {
          cost: figures.money(price * total, profile?.prices.currency ?? 'USD'),
          each: figures.money(price, profile?.prices.currency ?? 'USD'),
        })
      : '',
  ].filter(Boolean);

  return (
    <div className={classes.bar}>
      <Select
        className={classes.field ?? ''}
        aria-label={t('start.connection')}
        value={profile?.id ?? null}
        allowDeselect={false}
        data={profiles.map((one) => ({ value: one.id, label: profileName(frame, one) }))}
        onChange={(id) => setProfileId(id ?? undefined)}
      />
      {libraries.length > 1 && (
        <Select
          className={classes.field ?? ''}
          aria-label={t('start.library')}
          value={library?.id ?? null}
          allowDeselect={false}
          data={libraries
            .filter(({ available }) => available)
            .map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => setLibraryId(id ?? undefined)}
        />
      )}
      <Checkbox
        label={t('start.again')}
        checked={again}
        onChange={({ currentTarget }) => setAgain(currentTarget.checked)}
      />
      <p className={classes.notes} role="status">
        {left.length > 0
          ? left.map(({ reason, count: some }) => t(`start.left.${reason}`, { count: some })).join(' · ')
          : notes.join(' · ')}
      </p>
      {count > 0 && count < total && (
        <Button
          variant="default"
          size="sm"
          disabled={!profile || busy || noneUsable}
          onClick={() => start(asSelection(chosen))}
        >
          {t('start.chosen', { count, shown: figures.number(count) })}
        </Button>
      )}
      <Button
        size="sm"
        leftSection={<IconPlayerPlayFilled size={14} />}
        loading={busy}
        disabled={!profile || total === 0 || noneUsable}
        onClick={() => start({ filter: photoList.listed.query })}
      >
        {t('start.action', { count: total, shown: figures.number(total) })}
      </Button>
      <Menu position="top-end" width={320}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} disabled={!profile} aria-label={t('start.otherwise')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={submitImages}>{t('tasks.submit')}</Menu.Item>
          <Menu.Label>{t('tasks.submitNote')}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
