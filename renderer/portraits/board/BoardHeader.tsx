import { ActionIcon, Button, Menu, Progress, Switch } from '@mantine/core';
import {
  IconArchive,
  IconChevronDown,
  IconDots,
  IconDownload,
  IconFileExport,
  IconFileImport,
  IconFolder,
  IconFolders,
  IconPhotoPlus,
  IconRefresh,
  IconSend,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchOverview, ImageSubmission, Profile } from '#contract';
import { attempt, notify } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useBatchOverview, useImageSubmission, useProfiles } from '../../base/studio-queries.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { download } from '../../ui/download.ts';
import { useSelection } from '../../ui/lists/selection.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useDuration } from '../queue/duration.ts';
import { attemptAt } from '../queue/enter-key.ts';
import { headsOfBatch } from '../queue/heads-of-batch.ts';
import { useWaitsForLive } from '../queue/live-hold.ts';
import { type Manifest, readManifest } from '../tray/manifest.ts';
import { tagByFolder } from '../tray/tagging.ts';
import classes from './Board.module.css';
import { asSelection, boardSelection, countTiles } from './board-list.ts';
import { MakeButton } from './MakeButton.tsx';
import { chooseMake, useTarget } from './make.ts';
import { archive, ask, cancelAll, removeTiles, removeUnusable } from './tile-orders.ts';

export interface Pickers {
  onPickFiles: () => void;
  onPickFolder: () => void;
}

/** The board's name, its run, and what is done with all of it. */
export function BoardHeader(
  props: Pickers & {
    isEmpty: boolean;
    /** Only icons where there is no room for words. */
    isNarrow: boolean;
    isSelecting: boolean;
    manifest: RefObject<HTMLInputElement | null>;
  },
) {
  const { t } = useTranslation(['portraits', 'app']);
  const overview = useBatchOverview().data;
  const { isEmpty, isNarrow } = props;
  return (
    <PageHeader title={t('app:pages.portraits')}>
      {!isEmpty && overview && (
        <>
          <Run overview={overview} />
          <PauseSwitch paused={overview.paused} />
        </>
      )}
      <AddMenu {...props} />
      <MoreMenu overview={overview} isEmpty={isEmpty} onImport={() => props.manifest.current?.click()} />
      {!(isEmpty && isNarrow) && <MakeButton plain={props.isSelecting || isEmpty} />}
    </PageHeader>
  );
}

/** How far the batch is, or the check of photos; the place is kept for it. */
function Run({ overview }: { overview: BatchOverview }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const duration = useDuration();
  const waitsForLive = useWaitsForLive(overview);
  const { batch, open, paused, holdReason, secondsLeft } = overview;
  const images = useImageSubmission();
  const total = countTiles(overview);
  const heads = headsOfBatch(overview);
  if (images) return <Submitting images={images} />;
  if (open > 0)
    return (
      <div className={classes.run}>
        <span className="figures">
          {t('queue.of', { finished: figures.number(heads.over), total: figures.number(heads.count) })}
        </span>
        <Progress
          className={classes.bar ?? ''}
          value={100 * batch.share}
          color={paused || holdReason || waitsForLive ? 'ochre' : 'patina'}
          aria-label={t('queue.progress')}
        />
        {secondsLeft !== null && !paused && (
          <span className={classes.left}>{t('queue.left', { time: duration(secondsLeft) })}</span>
        )}
        <Announced share={batch.share} />
      </div>
    );
  if (overview.board.checking === 0) return null;
  const checked = total - overview.board.checking;
  return (
    <div className={classes.run} role="status">
      <span className="figures">
        {t('board.checked', { done: figures.number(checked), total: figures.number(total) })}
      </span>
      <Progress
        className={classes.bar ?? ''}
        value={(100 * checked) / Math.max(1, total)}
        aria-label={t('board.checked', { done: figures.number(checked), total: figures.number(total) })}
      />
    </div>
  );
}

/** Images that are sent one after the other: how far, and the end of it. */
function Submitting({ images: { submitted, failed, total } }: { images: ImageSubmission }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const done = submitted + failed;
  return (
    <div className={classes.run} role="status">
      <span className="figures">
        {t('tasks.submitting', { done: figures.number(done), total: figures.number(total) })}
      </span>
      <Progress className={classes.bar ?? ''} value={(100 * done) / total} aria-label={t('tasks.progress')} />
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        onClick={() => attempt(() => studio.batch.cancelImages())}
      >
        {t('app:actions.cancel')}
      </Button>
    </div>
  );
}

/** Tells those who hear it how far the batch is: at its begin, its middle and its end, not with every tile. */
function Announced({ share }: { share: number }) {
  const { t } = useTranslation('portraits');
  const step = share >= 1 ? 100 : share >= 0.5 ? 50 : 0;
  return (
    <span className={classes.hidden} role="status">
      {t('board.progress', { percent: step })}
    </span>
  );
}

function PauseSwitch({ paused }: { paused: boolean }) {
  const { t } = useTranslation('portraits');
  return (
    <Switch
      className={classes.pause ?? ''}
      data-paused={paused || undefined}
      size="xs"
      color="ochre"
      label={paused ? t('queue.paused') : t('queue.pause')}
      checked={paused}
      onChange={() => attempt(() => (paused ? studio.batch.resume() : studio.batch.pause()))}
    />
  );
}

function AddMenu({ onPickFiles, onPickFolder, isNarrow }: Pickers & { isNarrow: boolean }) {
  const { t } = useTranslation('portraits');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        {isNarrow ? (
          <ActionIcon variant="default" size={32} aria-label={t('addMore')}>
            <IconPhotoPlus size={17} />
          </ActionIcon>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPhotoPlus size={16} />}
            rightSection={<IconChevronDown size={13} />}
          >
            {t('addMore')}
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPhotoPlus size={15} />} onClick={onPickFiles}>
          {t('addPhotos')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolder size={15} />} onClick={onPickFolder}>
          {t('addFolder')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The menu of actions on many photos, import of a table and image tasks. */
function MoreMenu(props: { overview: BatchOverview | undefined; isEmpty: boolean; onImport: () => void }) {
  const { t } = useTranslation('portraits');
  const { overview, isEmpty } = props;
  const chosen = useSelection(boardSelection);
  const target = useTarget();
  const [opened, setOpened] = useState(false);
  const { jobs, board, open = 0 } = overview ?? {};
  const failed = jobs?.failed ?? 0;
  return (
    <Menu position="bottom-end" width={300} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label={t('more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={isEmpty} leftSection={<IconFileImport size={15} />} onClick={props.onImport}>
          {t('manifest.import')}
        </Menu.Item>
        <Menu.Item
          disabled={isEmpty}
          leftSection={<IconFileExport size={15} />}
          onClick={() =>
            attempt(async () =>
              download(await studio.batch.exportManifest({ selection: asSelection(chosen) })),
            )
          }
        >
          {t('manifest.export')}
        </Menu.Item>
        <Menu.Item
          disabled={isEmpty}
          leftSection={<IconFolders size={15} />}
          onClick={() => tagByFolder(asSelection(chosen))}
        >
          {t('byFolder')}
        </Menu.Item>
        <Menu.Item
          disabled={isEmpty}
          onClick={() => attempt(() => studio.batch.recheck({ selection: asSelection(chosen) }))}
          leftSection={<IconRefresh size={15} />}
        >
          {t('recheck')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={target.again ? <IconX size={15} /> : <IconRefresh size={15} />}
          closeMenuOnClick={false}
          role="menuitemcheckbox"
          aria-checked={target.again}
          onClick={() => chooseMake({ again: !target.again })}
        >
          {target.again ? t('board.notAgain') : t('start.again')}
        </Menu.Item>
        <SubmitImages />
        <Menu.Divider />
        {failed > 0 && <RetryFailed count={failed} opened={opened} />}
        <Menu.Item disabled={open === 0} leftSection={<IconX size={15} />} onClick={cancelAll}>
          {t('queue.cancelAll')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={15} />}
          onClick={() => attempt(async () => download(await studio.batch.report()))}
        >
          {t('queue.report')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          disabled={!board?.done}
          leftSection={<IconArchive size={15} />}
          onClick={() => archive(null)}
        >
          {t('board.archiveDone')}
        </Menu.Item>
        <Menu.Item disabled={!board?.unusable} leftSection={<IconTrash size={15} />} onClick={removeUnusable}>
          {t('board.removeUnusable')}
        </Menu.Item>
        <Menu.Item
          disabled={isEmpty}
          leftSection={<IconTrash size={15} />}
          onClick={() =>
            attempt(async () => removeTiles((await studio.batch.board({ filter: { editable: true } })).ids))
          }
        >
          {t('clear')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The other thing that a connection can do with photos: take them as images, without making heads. */
function SubmitImages() {
  const { t } = useTranslation('portraits');
  const { profile } = useTarget();
  const chosen = useSelection(boardSelection);
  const submit = (): void => {
    if (!profile) return;
    attemptAt(profile.id, async () => {
      const { submitted, failed } = await studio.batch.submitImages({
        selection: asSelection(chosen),
        profileId: profile.id,
      });
      notify({
        level: failed > 0 ? 'warning' : 'success',
        title: t('tasks.submitted', { count: submitted }),
        text: failed > 0 ? t('tasks.failed', { count: failed }) : t('tasks.noLookup'),
      });
    });
  };
  return (
    <Menu.Item
      disabled={!profile}
      leftSection={<IconSend size={15} />}
      onClick={submit}
      title={t('tasks.submitNote')}
    >
      {t('tasks.submit')}
    </Menu.Item>
  );
}

/** Tries all again that failed: where they failed, or with another connection. */
function RetryFailed({ count, opened }: { count: number; opened: boolean }) {
  const { t } = useTranslation('portraits');
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const failed = useQuery({
    queryKey: ['batch', 'failed', count],
    queryFn: () => studio.batch.jobs({ states: ['failed'], offset: 0, limit: 500 }),
    enabled: opened,
  }).data?.jobs;
  /** The only connection that all of them failed at: it is the same one, and no other. */
  const same = failed && new Set(failed.map(({ profileId }) => profileId)).size === 1 ? failed[0] : undefined;
  const profiles = (useProfiles().data ?? []).filter(
    ({ id, builtIn, groupBUrl }) => (builtIn || groupBUrl !== '') && id !== same?.profileId,
  );
  const priceOf = ({ builtIn, prices: { perModel, currency } }: Profile): string =>
    builtIn
      ? t('queue.free')
      : perModel > 0
        ? t('queue.each', { price: figures.money(perModel, currency) })
        : t('queue.billed');
  const retry = (profileId?: string): void =>
    attemptAt(profileId ?? '', async () => {
      const { retried } = await studio.batch.retry({ ids: null, ...(profileId ? { profileId } : {}) });
      notify({ level: 'info', title: t('queue.retried', { count: retried }), text: '' });
    });
  return (
    <>
      <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => retry()}>
        {t('queue.retryFailed', { count })}
      </Menu.Item>
      {profiles.length > 0 && <Menu.Label>{t('queue.retryWith')}</Menu.Label>}
      {profiles.map((profile) => (
        <Menu.Item key={profile.id} onClick={() => retry(profile.id)}>
          {t('queue.holdBy', { connection: profileName(frame, profile), reason: priceOf(profile) })}
        </Menu.Item>
      ))}
      <Menu.Item
        leftSection={<IconTrash size={15} />}
        onClick={() =>
          attempt(async () => {
            const { kept } = await studio.batch.clearFinished({ owed: false });
            if (kept > 0) ask({ kind: 'forget', count: kept });
          })
        }
      >
        {t('queue.clear')}
      </Menu.Item>
    </>
  );
}

/** Where the browser asks for a manifest; the menu presses it. */
export function ManifestInput(props: {
  input: RefObject<HTMLInputElement | null>;
  onRead: (manifest: Manifest) => void;
}) {
  const { t } = useTranslation('portraits');
  return (
    <input
      ref={props.input}
      type="file"
      hidden
      accept=".csv,.tsv,text/csv"
      aria-label={t('manifest.import')}
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        currentTarget.value = '';
        if (file) attempt(async () => props.onRead(await readManifest(file)));
      }}
    />
  );
}
