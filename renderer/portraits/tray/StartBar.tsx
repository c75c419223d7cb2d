import { ActionIcon, Button, Checkbox, Menu, Select, Text } from '@mantine/core';
import { IconDots, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOutput, Profile } from '#contract';
import { notify, withdrawUndo } from '../../base/notices.tsx';
import { address, go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useBatchOverview, useKeyStore, useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import type { Chosen } from '../../ui/lists/selection.ts';
import { useForecast, useTakesSeveral } from '../batch-state.ts';
import { attemptAt } from '../queue/enter-key.ts';
import { asSelection, type Filter, filterForTask, type PhotoSelection, photoList } from './photo-list.ts';
import classes from './StartBar.module.css';

/** With which connection and into which library heads are made: what is chosen, or the default ones. */
function useTarget() {
  const profiles = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => builtIn || groupBUrl !== '');
  const libraries =
    useQuery({ queryKey: ['library', 'libraries'], queryFn: () => studio.library.libraries() }).data ?? [];
  const [profileId, setProfileId] = useState<string>();
  const [libraryId, setLibraryId] = useState<string>();
  // While the keys are locked nobody can say which there are.
  const locked = useKeyStore().data?.locked ?? false;
  const profile =
    profiles.find(({ id }) => id === profileId) ?? profiles.find(({ isDefault }) => isDefault) ?? profiles[0];
  const lacks = (secret: 'apiKey' | 'accessToken'): boolean =>
    profile !== undefined && !profile.builtIn && !locked && !profile.secrets[secret].configured;
  return {
    profiles,
    profile,
    setProfileId,
    libraries,
    library: libraries.find(({ id }) => id === libraryId) ?? libraries.find(({ isDefault }) => isDefault),
    setLibraryId,
    lacksKey: lacks('apiKey'),
    lacksToken: lacks('accessToken'),
  };
}

type Target = ReturnType<typeof useTarget>;

/**
 * The last step before anything is sent: with which connection,
 * into which library, and what will stay behind.
 */
export function StartBar({ chosen, count }: { chosen: Chosen; count: number }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const target = useTarget();
  const { profile, lacksKey } = target;
  const [again, setAgain] = useState(false);
  /** The connection that Make was pressed for although it has no key. */
  const [refused, setRefused] = useState<string>();
  const { busy, start } = useStart(target, again, setRefused);

  const { total: found, query: filter } = useLongList(photoList);
  const total = found ?? 0;
  const of = (selection: PhotoSelection) => (profile ? { selection, profileId: profile.id, again } : null);
  const all = useForecast(of({ filter }));
  const some = count > 0 && count < total;
  const chosenOnes = useForecast(some ? of(asSelection(chosen)) : null);
  const heads = all?.heads ?? 0;
  // How many are made of another selection says nothing of this one.
  const chosenHeads = chosenOnes?.isOld ? undefined : chosenOnes?.heads;

  return (
    <>
      {profile && lacksKey && refused === profile.id && <KeyMissing profile={profile} />}
      <div className={classes.bar}>
        <TargetFields target={target} />
        <Checkbox
          label={t('start.again')}
          checked={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.checked)}
        />
        <Notes left={all?.left ?? []} heads={heads} several={all?.several ?? 0} profile={profile} />
        {some && (
          <Button
            variant="default"
            size="sm"
            disabled={busy || chosenHeads === 0}
            onClick={() => start(asSelection(chosen))}
          >
            {chosenHeads === undefined
              ? t('start.chosenThose')
              : chosenHeads === 0
                ? t('start.chosenNone')
                : chosenHeads < count
                  ? t('start.chosenSome', { shown: figures.number(chosenHeads), of: figures.number(count) })
                  : t('start.chosen', { count: chosenHeads, shown: figures.number(chosenHeads) })}
          </Button>
        )}
        <Button
          size="sm"
          leftSection={<IconPlayerPlayFilled size={14} />}
          loading={busy}
          disabled={heads === 0}
          onClick={() => start({ filter: photoList.listed.query })}
        >
          {heads === 0 || all?.isOld
            ? t('start.none')
            : t('start.action', { count: heads, shown: figures.number(heads) })}
        </Button>
        <OtherwiseMenu target={target} chosen={chosen} />
      </div>
    </>
  );
}

/** Sends photos on their way: all that are shown, or only those that are chosen. */
function useStart(
  { profile, library, lacksKey }: Target,
  again: boolean,
  onKeyMissing: (profileId: string) => void,
): { busy: boolean; start: (selection: PhotoSelection) => void } {
  const { t } = useTranslation('portraits');
  const [busy, setBusy] = useState(false);
  const start = (selection: PhotoSelection): void => {
    if (!profile) return;
    if (lacksKey) {
      onKeyMissing(profile.id);
      return;
    }
    setBusy(true);
    attemptAt(profile.id, async () => {
      try {
        const answer = await studio.batch.start({
          selection,
          profileId: profile.id,
          ...(library ? { libraryId: library.id } : {}),
          again,
        });
        if (answer.queued > 0) {
          // Queued photos are as they were ordered: earlier changes can't be undone.
          withdrawUndo('portraits');
          notify({ level: 'success', title: t('start.queued', { count: answer.queued }), text: '' });
          go('portraits', 'queue');
        }
      } finally {
        setBusy(false);
      }
    });
  };
  return { busy, start };
}

/** Makes all heads that can be made: where the last photo of a review has been looked at. */
export function MakeReady() {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const target = useTarget();
  const { profile } = target;
  const everything = { filter: {} };
  // The tray says what is missing.
  const { busy, start } = useStart(target, false, () => go('portraits'));
  const heads =
    useForecast(profile ? { selection: everything, profileId: profile.id, again: false } : null)?.heads ?? 0;
  if (heads === 0) return null;
  return (
    <>
      <Text size="xs" role="status">
        {t('review.ready', { count: heads, shown: figures.number(heads) })}
      </Text>
      <Button
        leftSection={<IconPlayerPlayFilled size={14} />}
        loading={busy}
        onClick={() => start(everything)}
      >
        {t('start.action', { count: heads, shown: figures.number(heads) })}
      </Button>
    </>
  );
}

function KeyMissing({ profile }: { profile: Profile }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  return (
    <div className={classes.refused}>
      <Callout
        tone="bad"
        title={t('start.noKeyTitle', { connection: profileName(frame, profile) })}
        action={
          <Button component="a" href={address('settings', 'connections', profile.id)}>
            {t('start.enterKey')}
          </Button>
        }
      >
        {t('start.noKeyText')}
      </Callout>
    </div>
  );
}

function TargetFields({ target }: { target: Target }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const { profiles, profile, libraries, library } = target;
  return (
    <>
      <Select
        className={classes.field ?? ''}
        aria-label={t('start.connection')}
        value={profile?.id ?? null}
        allowDeselect={false}
        data={profiles.map((one) => ({ value: one.id, label: profileName(frame, one) }))}
        onChange={(id) => target.setProfileId(id ?? undefined)}
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
          onChange={(id) => target.setLibraryId(id ?? undefined)}
        />
      )}
    </>
  );
}

/** Skipped photos with reasons, unchecked photos, and the cost. */
function Notes(props: {
  left: Forecast['left'];
  heads: number;
  /** Heads of several photos. */
  several: number;
  profile: Profile | undefined;
}) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const overview = useBatchOverview().data;
  const { left, heads, several, profile } = props;
  const takes = useTakesSeveral(several > 0 ? profile?.id : undefined);
  const { perModel: price = 0, currency = 'USD' } = profile?.prices ?? {};
  const notes = [
    overview && overview.checks.pending > 0 ? t('start.pending', { count: overview.checks.pending }) : '',
    overview && overview.corrected > 0 && profile && !profile.builtIn
      ? t('start.corrected', { count: overview.corrected })
      : '',
    several > 0 && takes === false ? t('start.onlyFront', { count: several }) : '',
    price > 0 && heads > 0
      ? t('start.price', {
          cost: figures.money(price * heads, currency),
          each: figures.money(price, currency),
        })
      : '',
  ].filter(Boolean);
  return (
    <p className={classes.notes} role="status">
      {left.map(({ reason, count }) => (
        <Left key={reason} reason={reason} count={count} />
      ))}
      {notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </p>
  );
}

/** The other thing that a connection can do with photos: take them as images, without making heads. */
function OtherwiseMenu({ target, chosen }: { target: Target; chosen: Chosen }) {
  const { t } = useTranslation('portraits');
  const { profile, lacksToken } = target;
  const submitImages = (): void => {
    if (!profile) return;
    attemptAt(profile.id, async () => {
      // How far they are is told where they are listed.
      if (!lacksToken) go('portraits', 'tasks');
      const { submitted, failed } = await studio.batch.submitImages({
        selection: asSelection(chosen),
        profileId: profile.id,
      });
      notify({
        level: failed > 0 ? 'warning' : 'success',
        title: t('tasks.submitted', { count: submitted }),
        text: failed > 0 ? t('tasks.failed', { count: failed }) : '',
      });
    });
  };
  return (
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
  );
}

type Forecast = CallOutput<'batch', 'forecast'>;
type Reason = Forecast['left'][number]['reason'];

/** Where those that stay are shown: the same photos that were counted. */
const filters: Partial<Record<Reason, Pick<Filter, 'sex' | 'check'>>> = {
  no_sex: { sex: 'unset', check: 'usable' },
  blocked: { check: 'blocked' },
};

/** How many stay behind for one reason, and the way to them. */
function Left({ reason, count }: { reason: Reason; count: number }) {
  const { t } = useTranslation('portraits');
  const filter = filters[reason];
  const words = t(`start.left.${reason}`, { count });
  if (!filter) return <span>{words}</span>;
  return (
    <a
      href={address('portraits')}
      onClick={(event) => {
        event.preventDefault();
        filterForTask(filter);
      }}
    >
      {words}
    </a>
  );
}
