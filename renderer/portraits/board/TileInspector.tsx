import { joinMessages } from '@likeness/messages';
import { Button, Group } from '@mantine/core';
import { IconCopy, IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { BoardTile, Photo } from '#contract';
import { builtInProfileId } from '#contract/constants.ts';
import { type Action, canRun, useActionWords } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { attempt } from '../../base/notices.tsx';
import { address } from '../../base/route.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { PersonPhotos } from '../people/PersonPhotos.tsx';
import { isFree, owedOf } from '../queue/job-state.ts';
import { Findings } from '../tray/Findings.tsx';
import { PhotoView } from '../tray/PhotoView.tsx';
import { NameAndTags, SexAndEyelid } from '../tray/WordFields.tsx';
import classes from './BoardPane.module.css';
import { type TilesAt, tileActions } from './board-actions.ts';
import { MakeChosen } from './MakeButton.tsx';
import { type BoardNow, headOf, useTileAppearance } from './tile-appearance.ts';
import { crop, reviewFrom } from './tile-orders.ts';

/** The selected tile, large, with what there is to say of it and to do with it. */
export function TileInspector({ tile, now }: { tile: BoardTile; now: BoardNow }) {
  const { t } = useTranslation('portraits');
  const { photo, job, task } = tile;
  const appearance = useTileAppearance()(tile, now);
  const head = headOf(tile);
  return (
    <>
      <div className={classes.large}>
        {head ? (
          <img className={classes.head} src={assetUrl(head, 'thumbnail')} alt={appearance.name} />
        ) : photo ? (
          <PhotoView key={photo.id} photo={photo} />
        ) : (
          task?.photoId && <img src={assetUrl(task.photoId, 'photo-small')} alt={appearance.name} />
        )}
      </div>
      <div className={classes.part}>
        <h2>{appearance.name}</h2>
        {photo && <Facts photo={photo} />}
        {photo?.inLibrary && !head && (
          <p className={classes.quiet}>
            <a href={address('library', 'model', photo.inLibrary)}>{t('inLibrary')}</a>
          </p>
        )}
        {task && (
          <p className={classes.quiet}>
            {appearance.caption} · {task.profileName}
            {task.taskId && (
              <>
                <br />
                {t('tasks.noLookup')}
              </>
            )}
          </p>
        )}
      </div>
      {photo && !job && <Editing photo={photo} tile={tile} />}
      {job && <OfJob tile={tile} caption={appearance.caption} />}
      {task?.taskId && (
        <div className={classes.part}>
          <Button
            variant="default"
            leftSection={<IconCopy size={15} />}
            onClick={() => attempt(() => navigator.clipboard.writeText(task.taskId))}
          >
            {t('board.copyReference')}
          </Button>
        </div>
      )}
    </>
  );
}

function Facts({ photo }: { photo: Photo }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  return (
    <p className={classes.quiet}>
      {[
        photo.name && photo.fileName,
        photo.width > 0 && t('size', { width: photo.width, height: photo.height }),
        photo.format.toUpperCase(),
        figures.bytes(photo.bytes),
        photo.folder,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  );
}

/** The fields of a photo that has no job yet. */
function Editing({ photo, tile }: { photo: Photo; tile: BoardTile }) {
  const { t } = useTranslation('portraits');
  const selection = { ids: [photo.id] };
  return (
    <>
      <div className={classes.part}>
        <Findings photo={photo} onCrop={() => crop(tile)} />
        {photo.others.length > 0 && <PersonPhotos photo={photo} />}
      </div>
      <div className={classes.part}>
        {photo.sex === null && photo.check !== 'blocked' && <p className={classes.ask}>{t('askSex')}</p>}
        <SexAndEyelid photos={[photo]} selection={selection} note />
        <NameAndTags key={`${photo.id} ${photo.name}`} photo={photo} />
      </div>
      <div className={classes.part}>
        <Group gap={8}>
          <MakeChosen ids={selection.ids} />
          <Button variant="default" leftSection={<IconEye size={15} />} onClick={() => reviewFrom(photo.id)}>
            {t('review.open')}
          </Button>
          <TileButtons tile={tile} ids={['tiles.another', 'tiles.remove']} />
        </Group>
      </div>
    </>
  );
}

/** How it stands with the job of a photo, and what can be done. */
function OfJob({ tile, caption }: { tile: BoardTile; caption: string }) {
  const { t } = useTranslation('portraits');
  const { t: frame, i18n } = useTranslation();
  const { job, photo } = tile;
  if (!job) return null;
  const owed = owedOf(job);
  const text = worded(joinMessages(job.message, job.hint));
  // A row of an earlier version has its reason in English only: elsewhere the kind of failure stands for it.
  const isForeign = typeof job.message === 'string' && !i18n.language.startsWith('en');
  const lines = [
    caption,
    text && !(job.code && isForeign) && text !== caption && text,
    job.code && (isForeign || text === '') && frame(`failure.${job.code}`),
    owed && (isFree(job) ? t(`orderStatusesHere.${owed}`) : t(`orderStatuses.${owed}`)),
    [
      job.photos > 1 &&
        (job.photoUses
          ? t('people.usedOf', { used: job.photoUses.filter(({ used }) => used).length, count: job.photos })
          : t('people.count', { count: job.photos })),
      t(job.sex),
      job.eyelidType && t(job.eyelidType),
      job.profileId === builtInProfileId ? frame('builtIn') : job.profileName,
    ]
      .filter(Boolean)
      .join(' · '),
    job.profileId !== builtInProfileId && job.remoteModelId && t('queue.remoteId', { id: job.remoteModelId }),
  ];
  return (
    <div className={classes.part}>
      {lines
        .filter((line, at) => line && lines.indexOf(line) === at)
        .map((line) => (
          <p key={String(line)} className={classes.quiet}>
            {line}
          </p>
        ))}
      {photo && photo.others.length > 0 && <PersonPhotos photo={photo} />}
      <Group gap={8}>
        <TileButtons
          tile={tile}
          ids={[
            'tiles.speak',
            'jobs.open',
            'tiles.again',
            'jobs.settle',
            'jobs.retry',
            'jobs.afterAll',
            'jobs.fetch',
            'jobs.anew',
            'jobs.anewHere',
            'tiles.another',
            'jobs.toPhoto',
            'jobs.next',
            'jobs.cancel',
            'tiles.archive',
          ]}
        />
      </Group>
    </div>
  );
}

/** Actions of the table as buttons: those that can be done with the tile now, the first one marked. */
function TileButtons({ tile, ids }: { tile: BoardTile; ids: readonly string[] }) {
  const { labelOf } = useActionWords();
  const at: TilesAt = { tiles: [tile] };
  const shown: Action<TilesAt>[] = ids.flatMap((id) =>
    tileActions.filter((action) => action.id === id && canRun(action, at)),
  );
  return shown.map((action) => {
    const Icon = action.icon;
    return (
      <Button
        key={action.id}
        variant="default"
        leftSection={Icon && <Icon size={15} />}
        onClick={() => action.run(at)}
      >
        {labelOf(action.words)}
      </Button>
    );
  });
}
