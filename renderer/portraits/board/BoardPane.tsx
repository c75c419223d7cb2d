import { Button, Select } from '@mantine/core';
import { IconBrush, IconCrop, IconEye, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview, BoardReason, CallOutput } from '#contract';
import { attempt } from '../../base/notices.tsx';
import { address } from '../../base/route.ts';
import { useKeyNames } from '../../base/shortcuts/shortcuts.ts';
import { studio } from '../../base/studio.ts';
import { queryClient } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { Callout } from '../../ui/Callout.tsx';
import { useTakesSeveral } from '../batch-state.ts';
import { PersonSuggestions } from '../people/PersonSuggestions.tsx';
import { useFindingWords } from '../tray/finding-words.ts';
import { ManifestProblems } from '../tray/ManifestProblems.tsx';
import { type Manifest, troubled } from '../tray/manifest.ts';
import classes from './BoardPane.module.css';
import { resolveAll } from './BoardQuestions.tsx';
import { filterBoard } from './board-list.ts';
import { chooseMake, useHeads, useTarget } from './make.ts';
import { PanePart } from './PanePart.tsx';
import { StateMark } from './StateMark.tsx';
import { ThisBatch } from './ThisBatch.tsx';
import { crop, editOutline, removeUnusable, reviewFrom, tilesOf } from './tile-orders.ts';

type ReasonCount = CallOutput<'batch', 'boardReasons'>['reasons'][number];

/** The side pane: questions to the person, photos to look at, the batch's progress, unusable photos. */
export function NextPane(props: {
  overview: BatchOverview;
  manifest: Manifest | undefined;
  onManifestRead: () => void;
}) {
  const { t } = useTranslation('portraits');
  const { overview, manifest } = props;
  const keyOf = useKeyNames();
  const reasons = useReasons(overview);
  const needs = reasons.filter(({ state }) => state === 'needs');
  const worth = reasons.filter(({ state }) => state === 'ready');
  const { board } = overview;
  return (
    <>
      <KeyMissing />
      <PersonSuggestions />
      {troubled(manifest ? [manifest] : []).map((one) => (
        <ManifestProblems key={one.fileName} manifest={one} onClose={props.onManifestRead} />
      ))}
      {needs.length > 0 && (
        <PanePart title={t('board.states.needs')}>
          {needs.map((one) => (
            <Todo key={one.reason} one={one} />
          ))}
        </PanePart>
      )}
      {(worth.length > 0 || board.ready > 0) && <Worth reasons={worth} />}
      <ThisBatch overview={overview} />
      <MakeWith />
      {board.unusable > 0 && (
        <PanePart title={t('board.states.unusable')}>
          <p className={classes.quiet}>{t('board.unusableText', { count: board.unusable })}</p>
          <div className={classes.row}>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconTrash size={15} />}
              onClick={removeUnusable}
            >
              {t('board.removeThese', { count: board.unusable })}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => filterBoard({ state: 'unusable', reason: undefined })}
            >
              {t('board.showThem')}
            </Button>
          </div>
        </PanePart>
      )}
      <p className={classes.hint}>
        {t('board.hint', {
          female: keyOf('photos.female'),
          male: keyOf('photos.male'),
          undo: keyOf('photos.undo'),
          keys: keyOf('studio.shortcuts'),
        })}
      </p>
    </>
  );
}

/** How many tiles are in a state for which reason; asked again when the counts change. */
export function useReasons({ board, undo }: BatchOverview): readonly ReasonCount[] {
  const counts = `${Object.values(board).join(' ')} ${undo}`;
  const { data, refetch } = useQuery({
    queryKey: ['batch', 'reasons'],
    queryFn: () => studio.batch.boardReasons(),
    placeholderData: (before) => before,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when these change
  useEffect(() => {
    const due = setTimeout(() => attempt(() => refetch()), 300);
    return () => clearTimeout(due);
  }, [counts]);
  return data?.reasons ?? [];
}

/** @returns What to say of a reason, with its count. */
function useReasonWords(): (one: ReasonCount) => string {
  const { t } = useTranslation('portraits');
  const finding = useFindingWords();
  return ({ reason, state, count }) => {
    switch (reason) {
      case 'no_sex':
      case 'failed':
      case 'cancelled':
      case 'uncertain':
      case 'key_missing':
      case 'refused_task':
        return t(`board.todo.${reason}`, { count });
      case 'several_faces':
        if (state === 'needs') return t('board.todo.several_faces', { count });
    }
    const name = finding.name({ code: reason, severity: state === 'ready' ? 'warning' : 'blocking' });
    return t('board.todo.finding', { count, finding: name.charAt(0).toLowerCase() + name.slice(1) });
  };
}

const withFirst = (id: string, then: typeof crop): void =>
  attempt(async () => {
    const [tile] = await tilesOf([id]);
    if (tile) then(tile);
  });
const show = ({ state, reason }: Pick<ReasonCount, 'state' | 'reason'>): void =>
  filterBoard({ state, reason });

/** One line of what to do, and the button that begins it. */
function Todo({ one }: { one: ReasonCount }) {
  const { t } = useTranslation('portraits');
  const words = useReasonWords();
  const { reason, state, count, first } = one;
  const act: Partial<Record<BoardReason, { label: string; icon?: ReactNode; run: () => void }>> = {
    no_sex: {
      label: t('review.open'),
      icon: <IconEye size={14} />,
      run: () => {
        show(one);
        reviewFrom('0');
      },
    },
    several_faces: {
      label: t('board.crop'),
      icon: <IconCrop size={14} />,
      run: () => {
        if (count > 1) show(one);
        withFirst(first, crop);
      },
    },
    uncertain: { label: t('settle.short'), run: resolveAll },
    uncertain_outline: {
      label: t('board.check'),
      icon: <IconBrush size={14} />,
      run: () => (count > 1 ? show(one) : withFirst(first, editOutline)),
    },
  };
  const { label, icon, run } = (state === 'ready' && reason !== 'uncertain_outline'
    ? undefined
    : act[reason]) ?? {
    label: t('board.showThem'),
    run: () => show(one),
  };
  return (
    <div className={classes.todo}>
      <StateMark mark={state} />
      <span>{words(one)}</span>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={icon}
        onClick={run}
        aria-label={`${words(one)}: ${label}`}
      >
        {label}
      </Button>
    </div>
  );
}

/** Ready photos that have a note, are in the library already, or are made otherwise than one may expect. */
function Worth({ reasons }: { reasons: readonly ReasonCount[] }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const target = useTarget();
  const all = useHeads(target, { filter: {} });
  const { profile } = target;
  const overview = queryClient.getQueryData<BatchOverview>(['batch', 'overview']);
  const inLibrary = all?.left.find(({ reason }) => reason === 'in_library')?.count ?? 0;
  const uncertain = all?.left.find(({ reason }) => reason === 'uncertain')?.count ?? 0;
  const several = all?.several ?? 0;
  const takes = useTakesSeveral(several > 0 ? profile?.id : undefined);
  const { perModel: price = 0, currency = 'USD' } = profile?.prices ?? {};
  const notes = [
    uncertain > 0 && t('start.left.uncertain', { count: uncertain }),
    overview &&
      overview.corrected > 0 &&
      profile &&
      !profile.builtIn &&
      t('start.corrected', { count: overview.corrected }),
    several > 0 && takes === false && t('start.onlyFront', { count: several }),
    price > 0 &&
      all &&
      all.heads > 0 &&
      t('start.price', {
        cost: figures.money(price * all.heads, currency),
        each: figures.money(price, currency),
      }),
  ].filter((note) => typeof note === 'string');
  if (reasons.length === 0 && inLibrary === 0 && notes.length === 0) return null;
  return (
    <PanePart title={t('board.worth')}>
      {reasons.map((one) => (
        <Todo key={one.reason} one={one} />
      ))}
      {inLibrary > 0 && (
        <div className={classes.todo}>
          <StateMark mark="ready" />
          <span>{t('start.left.in_library', { count: inLibrary })}</span>
          <Button variant="default" size="compact-xs" onClick={() => chooseMake({ again: true })}>
            {t('board.remake')}
          </Button>
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className={classes.quiet}>
          {note}
        </p>
      ))}
    </PanePart>
  );
}

/** With which connection and into which library, where there is a choice. */
function MakeWith() {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const { profiles, profile, libraries, library } = useTarget();
  if (profiles.length < 2 && libraries.length < 2) return null;
  return (
    <PanePart title={t('board.makeWith')}>
      {profiles.length > 1 && (
        <Select
          aria-label={t('start.connection')}
          value={profile?.id ?? null}
          allowDeselect={false}
          data={profiles.map((one) => ({ value: one.id, label: profileName(frame, one) }))}
          onChange={(id) => chooseMake({ profileId: id ?? undefined })}
        />
      )}
      {libraries.length > 1 && (
        <Select
          aria-label={t('start.library')}
          value={library?.id ?? null}
          allowDeselect={false}
          data={libraries.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => chooseMake({ libraryId: id ?? undefined })}
        />
      )}
    </PanePart>
  );
}

/** Make was pressed for a connection without a key. */
function KeyMissing() {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const { profile, isRefused } = useTarget();
  if (!profile || !isRefused) return null;
  return (
    <div className={classes.callout}>
      <Callout tone="bad" title={t('start.noKeyTitle', { connection: profileName(frame, profile) })}>
        <p>{t('start.noKeyText')}</p>
        <div className={classes.row}>
          <Button component="a" size="compact-sm" href={address('settings', 'connections', profile.id)}>
            {t('start.enterKey')}
          </Button>
        </div>
      </Callout>
    </div>
  );
}
