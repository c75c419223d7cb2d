import { ActionIcon, Button, FileButton, Progress, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type Icon, IconChevronDown, IconFileMusic, IconMicrophone, IconVolume } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import i18next from 'i18next';
import { type CSSProperties, memo, type Ref, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take, TakeQuery } from '#contract';
import { type Action, useActions } from '../base/actions.ts';
import { useLatest } from '../base/latest.ts';
import { attempt, notify } from '../base/notices.tsx';
import { go, useRoute } from '../base/route.ts';
import { sampleVoice } from '../base/samples/samples.ts';
import { createStore } from '../base/store.ts';
import { useTake } from '../base/studio-queries.ts';
import { SendButton } from '../send/SendButton.tsx';
import { DropArea } from '../ui/DropArea.tsx';
import { chooseFiles } from '../ui/dropped-files.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Listed, useLongList } from '../ui/lists/long-list.ts';
import { howMany, useSelection } from '../ui/lists/selection.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { useSelectAllKey } from '../ui/page-keys.ts';
import { CompareTakes } from './compare/CompareTakes.tsx';
import { comparedIn } from './compare/compare-route.ts';
import { DamagedTake } from './DamagedTake.tsx';
import { SeveralTakes, TakesDialogs } from './list/SeveralTakes.tsx';
import { TakeList } from './list/TakeList.tsx';
import { asTakeSelection, takeList, takeSelection, takesThereAre } from './list/take-list.ts';
import { type TakesAt, type TakesDialog, takeListActions } from './list/take-list-actions.ts';
import { makeTakes, making, stopMaking } from './making.ts';
import { listWidths, paneSizes, resizePane } from './panes/panes.ts';
import { Splitter } from './panes/Splitter.tsx';
import { Strip } from './Strip.tsx';
import { scriptFiles, setScriptOf } from './speech/read-script.ts';
import { pairedFiles, soundEndings } from './speech/script-pairs.ts';
import { useFollowedAnalyses } from './speech/take-analysis.ts';
import { TakePlayer } from './TakePlayer.tsx';
import classes from './Takes.module.css';
import { TakesTrash, useTrashedTakes } from './TakesTrash.tsx';
import { useHistoryActions } from './takes-history.ts';
import { FilmingBar } from './video/FilmingBar.tsx';

const soundFiles = `audio/*,${soundEndings.join(',')}`;

/** Recordings of voice and face: the list and one of them, or two side by side. */
export function Takes() {
  const { rest } = useRoute();
  const sides = rest[0] === 'compare' ? comparedIn(rest.slice(1)) : null;
  return sides ? <CompareTakes key={rest.join('/')} sides={sides} /> : <AllTakes />;
}

function AllTakes() {
  const { t } = useTranslation(['takes', 'app']);
  const listed = useLongList(takeList);
  const all = takesThereAre.use();
  const isMaking = useIsMaking();
  const chosen = useShownTake(listed);
  useHistoryActions();
  useFollowedAnalyses();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const layout = layoutOf(width);
  const [headerSlot, setHeaderSlot] = useState<HTMLElement | null>(null);

  const take = useLatest((files: readonly File[]): void => {
    const { sounds, alone, refused } = pairedFiles(files);
    if (refused.length > 0)
      notify({
        level: 'warning',
        title: t('takes:refusedTitle', { count: refused.length, name: refused[0]?.name ?? '' }),
        text: t('takes:refusedText'),
      });
    if (sounds.length > 0) attempt(() => makeTakes(sounds));
    const [script] = alone;
    if (!script) return;
    if (sounds.length === 0 && alone.length === 1 && chosen && !chosen.damaged) {
      attempt(() => setScriptOf(chosen.id, script));
    } else {
      notify({
        level: 'warning',
        title: t('takes:scriptAlone', { count: alone.length, name: script.name }),
        text: t('takes:scriptAloneText'),
      });
    }
  });
  useActions('pages.takes', makingActions, { take });
  const isEmpty = all === 0 && !isMaking;
  const isNarrow = layout !== 'wide';
  return (
    <DropArea label={t('takes:drop')} opensFolders onFiles={take}>
      <PageHeader
        title={t('app:pages.takes')}
        note={isNarrow && !isEmpty && chosen && <ListButton name={chosen.name} />}
      >
        <FromFile onFiles={take} isIcon={isNarrow} />
        <GoLive isIcon={isNarrow} />
        <SendButton take={chosen && !chosen.damaged ? chosen : undefined} />
        <span ref={setHeaderSlot} className={classes.headerSlot} />
      </PageHeader>
      {isEmpty ? (
        <NoTakes />
      ) : (
        <Editor ref={ref} layout={layout} listed={listed} shown={chosen} headerSlot={headerSlot} />
      )}
    </DropArea>
  );
}

const makingActions: readonly Action<{ take: (files: readonly File[]) => void }>[] = [
  {
    id: 'takes.fromFile',
    words: 'palette.takeFromFile',
    icon: IconFileMusic,
    run: ({ take }) => attempt(async () => take(await chooseFiles(`${soundFiles},${scriptFiles}`))),
  },
  { id: 'takes.fromSample', words: 'palette.takeFromSample', icon: IconVolume, run: () => takeSample() },
];

const takeSample = (): void =>
  attempt(async () => makeTakes([{ file: await sampleVoice(i18next.t('takes:sample')), script: null }]));

/** Panes fit side by side, the list is a strip of thumbnails, or list and inspector are drawers. */
type Layout = 'wide' | 'middle' | 'small';
const layoutOf = (width: number): Layout =>
  width === 0 || width >= 1120 ? 'wide' : width >= 820 ? 'middle' : 'small';

/** The list or the inspector, laid over the stage of a narrow window. */
const drawer = createStore<'list' | 'inspector' | null>(null);

const ids = { list: 'takes-list', inspector: 'takes-inspector', timeline: 'takes-timeline' };

/** Panes around the stage. They change their size only by their splitters, or with the window. */
function Editor(props: {
  ref: Ref<HTMLDivElement>;
  layout: Layout;
  listed: Listed<Take, TakeQuery>;
  shown: Take | undefined;
  headerSlot: HTMLElement | null;
}) {
  const { layout, listed, shown, headerSlot } = props;
  const sizes = paneSizes.use();
  const open = drawer.use();
  const isListOpen = open === 'list' && layout !== 'wide';
  const isStrip =
    !isListOpen && (layout === 'middle' || (layout === 'wide' && sizes.list === listWidths.strip));
  // A take that was opened, or a window that grew, closes what lay over the stage.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed when these change
  useEffect(() => drawer.set(null), [shown?.id, layout]);
  const px = (size: number | undefined) => (size === undefined ? undefined : `${size}px`);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes a drawer wherever the focus is in it
    <div
      ref={props.ref}
      className={classes.editor}
      data-layout={layout}
      data-drawer={(layout !== 'wide' && open) || undefined}
      style={
        {
          '--list-set': px(sizes.list),
          '--inspector-set': px(sizes.inspector),
          '--timeline-set': px(sizes.timeline),
        } as CSSProperties
      }
      onKeyDown={(event) => {
        // A dialog's Escape comes here as well, by way of React.
        const isInside = event.currentTarget.contains(event.target as Node);
        if (event.key !== 'Escape' || event.defaultPrevented || !isInside || !drawer.get()) return;
        event.preventDefault();
        drawer.set(null);
      }}
    >
      <div className={classes.listPane}>
        <TakeList
          id={ids.list}
          listed={listed}
          shown={shown?.id}
          isStrip={isStrip}
          onOpen={() => (layout === 'wide' ? resizePane('list', undefined) : drawer.set('list'))}
        />
      </div>
      <ChosenTakes listed={listed} shown={shown} headerSlot={headerSlot} isSmall={layout === 'small'} />
      {layout === 'wide' && <Splitter pane="list" controls={ids.list} />}
      <div className={classes.progress}>
        <MakingBar />
        <FilmingBar />
      </div>
    </div>
  );
}

function ListButton({ name }: { name: string }) {
  const { t } = useTranslation('takes');
  const isOpen = drawer.use() === 'list';
  return (
    <Button
      variant="subtle"
      color="gray"
      className={classes.picker ?? ''}
      rightSection={<IconChevronDown size={14} />}
      title={t('list.label')}
      aria-expanded={isOpen}
      onClick={() => drawer.set(isOpen ? null : 'list')}
    >
      {name}
    </Button>
  );
}

/** Instead of the list: there is no take, or they are all in the trash. */
function NoTakes() {
  const { t } = useTranslation('takes');
  const trashed = useTrashedTakes();
  if (!trashed.isFetched) return null;
  const areInTrash = (trashed.data?.length ?? 0) > 0;
  return (
    <EmptyState
      icon={<Strip />}
      title={areInTrash ? t('inTrash.onlyTitle') : t('emptyTitle')}
      text={areInTrash ? t('inTrash.onlyText') : t('emptyText')}
    >
      <HeaderButton label={t('sample')} icon={IconFileMusic} isIcon={false} onClick={takeSample} />
      <GoLive isIcon={false} />
      <TakesTrash />
    </EmptyState>
  );
}

const FromFile = memo(function FromFile(props: { onFiles: (files: File[]) => void; isIcon: boolean }) {
  const { t } = useTranslation('takes');
  return (
    <FileButton multiple accept={`${soundFiles},${scriptFiles}`} onChange={props.onFiles}>
      {(button) => (
        <HeaderButton {...button} label={t('fromFile')} icon={IconFileMusic} isIcon={props.isIcon} />
      )}
    </FileButton>
  );
});

const GoLive = memo(function GoLive({ isIcon }: { isIcon: boolean }) {
  const { t } = useTranslation('takes');
  return <HeaderButton label={t('live')} icon={IconMicrophone} isIcon={isIcon} onClick={() => go('live')} />;
});

/** A button of the header: in a narrow window its picture alone. */
function HeaderButton(props: { label: string; icon: Icon; isIcon: boolean; onClick: () => void }) {
  const { label, icon: Picture, isIcon, onClick } = props;
  return isIcon ? (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} onClick={onClick}>
        <Picture size={16} />
      </ActionIcon>
    </Tooltip>
  ) : (
    <Button variant="default" leftSection={<Picture size={16} />} onClick={onClick}>
      {label}
    </Button>
  );
}

/** The take that the address names; where it names none, the first of the list. */
function useShownTake(listed: Listed<Take, TakeQuery>): Take | undefined {
  const { rest } = useRoute();
  const [id] = rest;
  // What the list knows is seen at once; of another the one before until it is there: its head goes on.
  const { data: named, isPending } = useTake(id, keepPreviousData, () =>
    id === undefined ? undefined : listed.at(takeList.indexOf(id)),
  );
  if (named) return named;
  return id !== undefined && isPending ? undefined : listed.at(0);
}

/** Right of the list: the current take, or actions for several. */
function ChosenTakes(props: {
  listed: Listed<Take, TakeQuery>;
  shown: Take | undefined;
  headerSlot: HTMLElement | null;
  isSmall: boolean;
}) {
  const { listed, shown, headerSlot, isSmall } = props;
  const chosen = useSelection(takeSelection);
  const total = listed.total ?? 0;
  const [dialog, setDialog] = useState<TakesDialog>();
  const count = howMany(chosen, total);
  const isSeveral = count > 1;
  const at: TakesAt | null = isSeveral
    ? { selection: asTakeSelection(chosen), count, ask: setDialog }
    : shown && !shown.damaged
      ? { selection: { ids: [shown.id] }, count: 1, ask: setDialog }
      : null;
  useActions('pages.takes', takeListActions, at);
  useSelectAllKey(() => takeSelection.everything());
  return (
    <>
      {isSeveral && at ? (
        <SeveralTakes chosen={chosen} at={at} total={total} />
      ) : shown?.damaged ? (
        <DamagedTake take={shown} />
      ) : (
        shown && (
          <>
            <TakePlayer
              take={shown}
              ids={ids}
              headerSlot={headerSlot}
              onInspector={isSmall ? toggleInspector : null}
            />
            {!isSmall && <Splitter pane="inspector" controls={ids.inspector} />}
            <Splitter pane="timeline" controls={ids.timeline} />
          </>
        )
      )}
      {at && <TakesDialogs dialog={dialog} at={at} ids={chosen.ids} onClose={() => setDialog(undefined)} />}
    </>
  );
}

const toggleInspector = (): void => drawer.set(drawer.get() === 'inspector' ? null : 'inspector');

/** Only whether: the page is not drawn anew with each step of the bar. */
const useIsMaking = (): boolean => making.use((now) => now !== null);

/** The audio file that currently becomes a take, and its progress. */
function MakingBar() {
  const { t } = useTranslation(['takes', 'app']);
  const now = making.use();
  if (!now) return null;
  const what = t('takes:making', { name: now.name });
  return (
    <div className={classes.making} role="status">
      <span>
        {what}
        {now.left > 0 && ` · ${t('takes:left', { count: now.left })}`}
      </span>
      <Progress aria-label={what} value={now.percent} />
      <Button variant="default" onClick={stopMaking}>
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}
