import {
  IconAlertTriangle,
  IconArrowRight,
  IconBan,
  IconBooks,
  IconBrush,
  IconCheck,
  IconClock,
  IconCrop,
  IconEye,
  IconKey,
  IconMicrophone,
  IconPhotoEdit,
  IconPhotoOff,
  IconPlayerPauseFilled,
  IconQuestionMark,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoardTile } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { isChosen, useSelection } from '../../ui/lists/selection.ts';
import { useMissingThumbnail } from '../../viewer/missing-thumbnail.ts';
import { useTurningHead } from '../../viewer/turning-head.ts';
import { PhotoPicture } from '../PhotoPicture.tsx';
import { tag } from '../tray/tagging.ts';
import { boardIndexOf, boardList, boardSelection } from './board-list.ts';
import { StateMark } from './StateMark.tsx';
import classes from './Tile.module.css';
import { BoardTime, type Remedy, type TileAppearance, useTileAppearance } from './tile-appearance.ts';
import { cancelJobs, makeAgain, mend, openHead, speakWith } from './tile-orders.ts';

/** Height to width of a portrait, and the two lines below it. */
const shape = 1.2;
const captionHeight = 42;
/** Narrower, a badge is its icon. */
const narrow = 132;
export const tileHeight = (width: number): number => Math.round(width * shape) + captionHeight;

const remedyIcons = {
  crop: IconCrop,
  outline: IconBrush,
  another: IconPhotoEdit,
  retry: IconRefresh,
  key: IconKey,
  settle: IconQuestionMark,
} as const;

/** A button of a tile: pressing it selects nothing. Keys of the grid do the same. */
function Press(props: {
  label?: string;
  className: string | undefined;
  pressed?: boolean;
  onPress: () => void;
  children: ReactNode;
}) {
  const stop = (event: MouseEvent): void => event.stopPropagation();
  return (
    <button
      type="button"
      tabIndex={-1}
      className={props.className}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      onDoubleClick={stop}
      onClick={(event) => {
        stop(event);
        props.onPress();
      }}
    >
      {props.children}
    </button>
  );
}

/** A photo on its way to a head: what it needs, how far it is, and at last the head. */
export function Tile({ item: tile, width }: { item: BoardTile; width: number }) {
  const appearance = useTileAppearance()(tile, use(BoardTime));
  const { id, state, photo, task } = tile;
  const [isOver, setOver] = useState(false);
  const isNarrow = width < narrow;
  const pictureId = task ? task.photoId : id;
  return (
    <div
      className={classes.tile}
      data-state={state}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
    >
      <div
        className={classes.picture}
        style={{ height: Math.round(width * shape) }}
        title={appearance.all}
        data-head={appearance.head !== null || undefined}
      >
        {appearance.head ? (
          <Head id={appearance.head} photoId={id} isOver={isOver} />
        ) : pictureId ? (
          <PhotoPicture id={pictureId} size={28} />
        ) : (
          <IconPhotoOff size={28} stroke={1.3} aria-hidden />
        )}
        {appearance.badge && <Badge badge={appearance.badge} isNarrow={isNarrow} />}
        {appearance.ring !== null && <Ring ring={appearance.ring} paused={appearance.mark === 'paused'} />}
        {photo && photo.others.length > 0 && !appearance.head && (
          <span className={classes.others} aria-hidden>
            +{photo.others.length}
          </span>
        )}
        <Foot tile={tile} appearance={appearance} isNarrow={isNarrow} />
        <Select id={id} />
        {state === 'making' && <Cancel tile={tile} />}
      </div>
      <div className={classes.caption}>
        <span className={classes.line}>
          <span className={classes.name}>{appearance.name}</span>
          <StateMark mark={appearance.mark} />
        </span>
        <span className={classes.quiet}>
          {isNarrow && appearance.badge ? appearance.badge.text : appearance.caption}
        </span>
      </div>
    </div>
  );
}

function Badge({
  badge: { text, tone },
  isNarrow,
}: {
  badge: NonNullable<TileAppearance['badge']>;
  isNarrow: boolean;
}) {
  const Icon = tone === 'bad' ? IconBan : tone === 'known' ? IconBooks : IconAlertTriangle;
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {!isNarrow && <span>{text}</span>}
    </span>
  );
}

const ringSigns = { wait: IconClock, paused: IconPlayerPauseFilled, eye: IconEye } as const;

function Ring({ ring, paused }: { ring: NonNullable<TileAppearance['ring']>; paused: boolean }) {
  const Sign = typeof ring === 'number' ? null : ringSigns[ring];
  const share = typeof ring === 'number' ? Math.round(100 * ring) : 0;
  return (
    <span className={classes.ring} data-paused={paused || undefined} aria-hidden>
      <svg viewBox="0 0 56 56" width="56" height="56" aria-hidden="true">
        <circle cx="28" cy="28" r="25" pathLength="100" />
        {share > 0 && <circle cx="28" cy="28" r="25" pathLength="100" strokeDasharray={`${share} 100`} />}
      </svg>
      {Sign ? <Sign size={17} /> : paused ? <IconPlayerPauseFilled size={17} /> : share}
    </span>
  );
}

/** The buttons at the foot of the picture: F or M, the remedy, or the actions on a head. */
function Foot({
  tile,
  appearance,
  isNarrow,
}: {
  tile: BoardTile;
  appearance: TileAppearance;
  isNarrow: boolean;
}) {
  const { t } = useTranslation('portraits');
  const { id, state, photo, job } = tile;
  const { head, remedy } = appearance;
  if (head)
    return (
      <span className={`${classes.foot} ${classes.onHover}`}>
        <Press className={classes.speak} onPress={() => speakWith(head)}>
          <IconMicrophone size={15} aria-hidden />
          <span>{t('board.speak')}</span>
        </Press>
        <Press className={classes.small} label={t('queue.open')} onPress={() => openHead(head)}>
          <IconArrowRight size={16} aria-hidden />
        </Press>
        <Press className={classes.small} label={t('board.again')} onPress={() => makeAgain(head)}>
          <IconRefresh size={15} aria-hidden />
        </Press>
      </span>
    );
  const editable = photo && !job && state !== 'unusable' && state !== 'checking';
  const needsSex = editable && photo.sex === null && photo.check !== 'blocked';
  return (
    <>
      {editable && photo.check !== 'blocked' && (
        <span className={classes.sexes} data-ask={needsSex || undefined} data-set={photo.sex ?? undefined}>
          {(['female', 'male'] as const).map((sex) => (
            <Press
              key={sex}
              className={classes.sex}
              label={t(sex)}
              pressed={photo.sex === sex}
              onPress={() => tag({ ids: [id] }, { sex })}
            >
              {t(`short.${sex}`)}
            </Press>
          ))}
        </span>
      )}
      {remedy && (state === 'needs' || state === 'ready') && !needsSex && (
        <RemedyButton tile={tile} remedy={remedy} isSmall={state === 'ready' || isNarrow} />
      )}
    </>
  );
}

function RemedyButton({ tile, remedy, isSmall }: { tile: BoardTile; remedy: Remedy; isSmall: boolean }) {
  const { t } = useTranslation('portraits');
  const Icon = remedyIcons[remedy];
  const words = t(`board.remedies.${remedy}`);
  return (
    <Press
      className={isSmall ? classes.mend : classes.remedy}
      {...(isSmall ? { label: words } : {})}
      onPress={() => mend(tile, remedy)}
    >
      <Icon size={15} aria-hidden />
      {!isSmall && <span>{words}</span>}
    </Press>
  );
}

function Select({ id }: { id: string }) {
  const { t } = useTranslation('portraits');
  const chosen = useSelection(boardSelection);
  const selected = isChosen(chosen, id);
  return (
    <Press
      className={classes.select}
      label={t('board.select')}
      pressed={selected}
      onPress={() => boardSelection.toggle(boardIndexOf(id), boardList.listed.total ?? 0)}
    >
      <i>{selected && <IconCheck size={12} stroke={3} aria-hidden />}</i>
    </Press>
  );
}

function Cancel({ tile: { job } }: { tile: BoardTile }) {
  const { t } = useTranslation('portraits');
  if (!job) return null;
  return (
    <Press className={classes.cancel} label={t('board.cancel')} onPress={() => cancelJobs([job.id])}>
      <IconX size={16} aria-hidden />
    </Press>
  );
}

/** The head's picture, with the photo in its corner; it turns under the pointer and at the cursor. */
function Head({ id, photoId, isOver }: { id: string; photoId: string; isOver: boolean }) {
  const { cursor } = useSelection(boardSelection);
  const strip = useTurningHead(id, isOver || boardList.at(cursor)?.id === photoId);
  const [missing, setMissing] = useState('');
  const [made, setMade] = useState('');
  useMissingThumbnail(missing === id && made !== id ? id : null, () => setMade(id));
  const url = assetUrl(id, 'thumbnail');
  return (
    <>
      {missing === id && made !== id ? (
        <PhotoPicture id={photoId} size={28} />
      ) : (
        <img
          key={`${id} ${made}`}
          className={classes.head}
          data-turns={strip ? true : undefined}
          src={made === id ? `${url}?made` : url}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setMissing(id)}
        />
      )}
      {strip && (
        <span className={classes.turning} aria-hidden>
          <i style={{ backgroundImage: `url(${strip})` }} />
        </span>
      )}
      <span className={classes.inset} aria-hidden>
        <PhotoPicture id={photoId} />
      </span>
    </>
  );
}
