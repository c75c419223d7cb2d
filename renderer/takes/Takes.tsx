import { Button, FileButton, Progress } from '@mantine/core';
import { Dropzone, type FileRejection } from '@mantine/dropzone';
import { IconFileMusic, IconMicrophone } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Take, TakeQuery } from '#contract';
import { useActions } from '../base/actions.ts';
import { useLatest } from '../base/latest.ts';
import { attempt, notify } from '../base/notices.tsx';
import { go, useRoute } from '../base/route.ts';
import { useTake } from '../base/studio-queries.ts';
import { SendButton } from '../send/SendButton.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { type Listed, useLongList } from '../ui/lists/long-list.ts';
import { howMany, useSelection } from '../ui/lists/selection.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { useListKeys } from '../ui/page-keys.ts';
import { CompareTakes } from './compare/CompareTakes.tsx';
import { comparedIn } from './compare/compare-route.ts';
import { DamagedTake } from './DamagedTake.tsx';
import { SeveralTakes, TakesDialogs } from './list/SeveralTakes.tsx';
import { TakeList } from './list/TakeList.tsx';
import { asTakeSelection, takeList, takeSelection, takesThereAre } from './list/take-list.ts';
import { type TakesAt, type TakesDialog, takeListActions } from './list/take-list-actions.ts';
import { makeTakes, making, stopMaking } from './making.ts';
import { Strip } from './Strip.tsx';
import { scriptFileEndings, scriptFiles, setScriptOf } from './speech/read-script.ts';
import { pairedFiles } from './speech/script-pairs.ts';
import { TakePlayer } from './TakePlayer.tsx';
import classes from './Takes.module.css';
import { TakesTrash, useTrashedTakes } from './TakesTrash.tsx';
import { useHistoryActions } from './takes-history.ts';
import { FilmingBar } from './video/FilmingBar.tsx';

const soundFiles = 'audio/*,.wav,.mp3,.flac,.ogg,.m4a';

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

  const take = useLatest((files: readonly File[]): void => {
    const { sounds, alone } = pairedFiles(files);
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
  return (
    <>
      <PageHeader title={t('app:pages.takes')}>
        <FromFile onFiles={take} />
        <SendButton take={chosen && !chosen.damaged ? chosen : undefined} />
        <TakesTrash />
        <GoLive />
      </PageHeader>
      <MakingBar />
      <FilmingBar />
      {all === 0 && !isMaking ? (
        <NoTakes />
      ) : (
        <div className={classes.columns}>
          <TakeList listed={listed} shown={chosen?.id} />
          <ChosenTakes listed={listed} shown={chosen} />
        </div>
      )}
      <DropTarget onFiles={take} />
    </>
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
      <GoLive />
    </EmptyState>
  );
}

const FromFile = memo(function FromFile({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('takes');
  return (
    <FileButton multiple accept={`${soundFiles},${scriptFiles}`} onChange={onFiles}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconFileMusic size={16} />}>
          {t('fromFile')}
        </Button>
      )}
    </FileButton>
  );
});

const GoLive = memo(function GoLive() {
  const { t } = useTranslation('takes');
  return (
    <Button leftSection={<IconMicrophone size={16} />} onClick={() => go('live')}>
      {t('live')}
    </Button>
  );
});

/** Files may be dropped anywhere on the page. */
const DropTarget = memo(function DropTarget({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('takes');
  const refuse = (files: readonly FileRejection[]): void =>
    notify({
      level: 'warning',
      title: t('refusedTitle', { count: files.length, name: files[0]?.file.name ?? '' }),
      text: t('refusedText'),
    });
  return (
    <Dropzone.FullScreen
      inputProps={{ 'aria-label': t('drop') }}
      onDrop={onFiles}
      onReject={refuse}
      accept={{
        'audio/*': ['.wav', '.mp3', '.flac', '.ogg', '.m4a'],
        'text/plain': scriptFileEndings,
      }}
    >
      <p className={classes.drop}>{t('drop')}</p>
    </Dropzone.FullScreen>
  );
});

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
function ChosenTakes({ listed, shown }: { listed: Listed<Take, TakeQuery>; shown: Take | undefined }) {
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
  useListKeys(
    () => undefined,
    () => takeSelection.everything(),
  );
  return (
    <>
      {isSeveral && at ? (
        <SeveralTakes chosen={chosen} at={at} total={total} />
      ) : (
        shown && (shown.damaged ? <DamagedTake take={shown} /> : <TakePlayer take={shown} />)
      )}
      {at && <TakesDialogs dialog={dialog} at={at} ids={chosen.ids} onClose={() => setDialog(undefined)} />}
    </>
  );
}

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
