import { ActionIcon, Button, Checkbox, Group, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconCrop, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { type Action, useActions } from '../../base/actions.ts';
import { assetUrl } from '../../base/asset-url.ts';
import { modifiers } from '../../base/keyboard.ts';
import { address, go } from '../../base/route.ts';
import { shortcut } from '../../base/shortcuts/shortcut-table.ts';
import { useKeyNames } from '../../base/shortcuts/shortcuts.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { usePageKeys } from '../../ui/page-keys.ts';
import { boardIndexOf, boardSelection, review } from '../board/board-list.ts';
import { MakeReady } from '../board/MakeButton.tsx';
import { removeTiles } from '../board/tile-orders.ts';
import { PhotoPicture } from '../PhotoPicture.tsx';
import { CropFrame } from './CropFrame.tsx';
import { type Crop, firstCrop, isWhole } from './crop.ts';
import { Findings } from './Findings.tsx';
import { PhotoFrame } from './PhotoFrame.tsx';
import classes from './ReviewPage.module.css';
import { markActions, type PhotoWords, photoHistory, tag } from './tagging.ts';
import { NameAndTags, SexAndEyelid } from './WordFields.tsx';
import { ZoomedPhoto } from './ZoomedPhoto.tsx';

/** Photos shown on either side of the present one. */
const neighbours = 7;
/** Photos fetched ahead, so that the next is there before the key is up again. */
const ahead = 3;

/** Where in the list the person is; what comes next is fetched, and selected on the board for the way back. */
function usePosition(start: string) {
  const listed = useLongList(review.list);
  const total = listed.total ?? 0;
  const [at, setAt] = useStart(start);
  const index = Math.min(at ?? 0, Math.max(0, total - 1));
  const photoAt = (one: number): Photo | undefined => listed.at(one)?.photo ?? undefined;
  const photo = at === null ? undefined : photoAt(index);
  useEffect(() => {
    if (at === null) return;
    review.list.setWindow(Math.max(0, index - neighbours), index + neighbours + ahead);
    for (let next = index + 1; next <= index + ahead; next += 1) {
      const coming = review.list.at(next);
      if (coming) new Image().src = assetUrl(coming.id, 'photo');
    }
  }, [at, index]);
  // The address names the photo that is seen, so that it is seen again after the page is loaded anew.
  const seen = photo?.id;
  useEffect(() => {
    if (seen === undefined) return;
    window.history.replaceState(null, '', address('portraits', 'review', seen));
    // Going back, the board is where this photo is.
    const onBoard = boardIndexOf(seen);
    if (onBoard >= 0) boardSelection.only(onBoard);
  }, [seen]);
  const nextUntagged = (): void => {
    for (let step = 1; step < total; step += 1) {
      const next = (index + step) % total;
      if (photoAt(next)?.sex === null) {
        setAt(next);
        return;
      }
    }
  };
  return {
    listed,
    photoAt,
    total,
    index,
    photo,
    /** Whether some photo of the list still lacks a sex, as far as is known. */
    lacksSex: () => {
      for (let each = 0; each < total; each += 1) {
        const one = photoAt(each);
        if (!one || (one.sex === null && one.check !== 'blocked')) return true;
      }
      return false;
    },
    goTo: setAt,
    move: (by: number): void => setAt(Math.min(total - 1, Math.max(0, index + by))),
    nextUntagged,
  };
}

/** The index to begin with: given by itself, or by the id of a photo. Null until it is known. */
function useStart(start: string) {
  const [at, setAt] = useState<number | null>(() => {
    if (/^\d+$/.test(start)) return Number(start);
    const known = review.indexOf(start);
    return known < 0 ? null : known;
  });
  const isUnknown = at === null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the photos; it leads only at first
  useEffect(() => {
    if (!isUnknown) return;
    review.known().then(
      (ids) => setAt(Math.max(0, ids.indexOf(start))),
      () => setAt(0), // the list tells why
    );
  }, [isUnknown]);
  return [at, setAt] as const;
}

type Position = ReturnType<typeof usePosition>;

/** The frame under the hand, on the photo that it was begun on. @param atOnce - It is begun with the page. */
function useCropping(photo: Photo | undefined, atOnce: boolean) {
  const [framing, setFraming] = useState<{ id: string; crop: Crop }>();
  const framed = framing && framing.id === photo?.id ? framing.crop : undefined;
  const asked = useRef(atOnce);
  useEffect(() => {
    if (!asked.current || !photo) return;
    asked.current = false;
    setFraming({ id: photo.id, crop: firstCrop(photo) });
  }, [photo]);
  return {
    framed,
    begin: (): void => photo && setFraming({ id: photo.id, crop: firstCrop(photo) }),
    change: (crop: Crop): void => photo && setFraming({ id: photo.id, crop }),
    cancel: (): void => setFraming(undefined),
    keep: (): void => {
      if (photo && framed) tag({ ids: [photo.id] }, { crop: isWhole(framed) ? null : framed });
      setFraming(undefined);
    },
  };
}

type Cropping = ReturnType<typeof useCropping>;

interface ReviewAt {
  photo: Photo | undefined;
  cropping: Cropping;
  nextUntagged: () => void;
}
const reviewActions: readonly Action<ReviewAt>[] = [
  { ...shortcut('review.next'), run: ({ nextUntagged }) => nextUntagged() },
  { ...shortcut('tiles.crop'), icon: IconCrop, run: ({ cropping }) => cropping.begin() },
  {
    ...shortcut('tiles.remove'),
    icon: IconTrash,
    applies: ({ photo }) => photo !== undefined,
    run: ({ photo }) => photo && removeTiles([photo.id]),
  },
];

const leave = (): void => go('portraits');

/**
 * One photo after another, as large as the window allows: F, M, 1 and 2 say what it is, and the next one
 * comes by itself. A thousand photos are a quarter of an hour of two keys.
 */
export function ReviewPage({ start, crop = false }: { start: string; crop?: boolean }) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const [onward, setOnward] = useState(true);
  const position = usePosition(start);
  const { listed, total, index, photo, goTo, move, nextUntagged } = position;
  const cropping = useCropping(photo, crop);
  const key = useKeyNames();

  const applyTags = (set: PhotoWords, goOn: boolean): void => {
    if (!photo) return;
    tag({ ids: [photo.id] }, set);
    if (goOn && onward) move(1);
  };
  useActions('pages.portraits', photoHistory, undefined);
  useActions('pages.portraits', markActions, photo ? (set) => applyTags(set, set.sex !== undefined) : null);
  useActions('pages.portraits', reviewActions, { photo, cropping, nextUntagged });
  usePageKeys((event, command) => {
    if (command) return [];
    // Arrows inside a group of choices move its choice.
    if (event.key.startsWith('Arrow') && event.target instanceof HTMLInputElement) return [];
    return [
      ['arrowright', () => move(1)],
      ['arrowleft', () => move(-1)],
      ['home', () => goTo(0)],
      ['end', () => goTo(Math.max(0, total - 1))],
      ['escape', cropping.framed ? cropping.cancel : leave],
    ];
  });

  if (listed.total === 0)
    return (
      <>
        <PageHeader title={t('review.title')} />
        <EmptyState icon={null} title={t('review.noneTitle')}>
          <Button onClick={leave}>{t('review.back')}</Button>
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader
        title={photo ? photo.name || photo.fileName : t('review.title')}
        note={
          <span className="figures" role="status">
            {t('review.position', { at: figures.number(index + 1), total: figures.number(total) })}
          </span>
        }
      >
        <Checkbox
          label={t('review.onward')}
          checked={onward}
          onChange={({ currentTarget }) => setOnward(currentTarget.checked)}
        />
        {total > 0 &&
          (position.lacksSex() ? (
            <Button variant="default" onClick={nextUntagged}>
              {t('review.nextUntagged')}{' '}
              {key('review.next') && <kbd className={classes.key}>{key('review.next')}</kbd>}
            </Button>
          ) : (
            <MakeReady />
          ))}
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={leave}>
          {t('review.back')}
        </Button>
      </PageHeader>
      <div className={classes.columns}>
        <Stage position={position} cropping={cropping} />
        <aside className={classes.words} aria-label={t('review.words')}>
          {photo &&
            (cropping.framed ? (
              <CropPanel photo={photo} crop={cropping.framed} cropping={cropping} />
            ) : (
              <PhotoPanel photo={photo} onCrop={cropping.begin} />
            ))}
          <p className={classes.hint}>
            {t('review.hint', {
              female: key('photos.female'),
              male: key('photos.male'),
              single: key('photos.single'),
              double: key('photos.double'),
              none: key('photos.noEyelid'),
              crop: key('tiles.crop'),
              pixel: key('review.onePixel'),
              remove: key('tiles.remove'),
              undo: key('photos.undo'),
            })}
          </p>
        </aside>
      </div>
      <Neighbours position={position} />
    </>
  );
}

/** The photo, or the frame over it while it is cropped, and the ways to the next. */
function Stage({ position, cropping }: { position: Position; cropping: Cropping }) {
  const { t } = useTranslation('portraits');
  const { total, index, photo, move } = position;
  const { framed } = cropping;
  return (
    <section className={classes.stage} aria-label={t('review.title')}>
      {photo && framed ? (
        <PhotoFrame key={photo.id} photo={photo}>
          {() => <CropFrame crop={framed} onChange={cropping.change} onKeep={cropping.keep} />}
        </PhotoFrame>
      ) : (
        photo && <ZoomedPhoto key={photo.id} photo={photo} />
      )}
      <Tooltip label={`${t('review.previous')}  ←`}>
        <ActionIcon
          className={classes.previous ?? ''}
          variant="default"
          size={34}
          disabled={index === 0}
          aria-label={t('review.previous')}
          onClick={() => move(-1)}
        >
          <IconChevronLeft size={19} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`${t('review.next')}  →`}>
        <ActionIcon
          className={classes.next ?? ''}
          variant="default"
          size={34}
          disabled={index === total - 1}
          aria-label={t('review.next')}
          onClick={() => move(1)}
        >
          <IconChevronRight size={19} />
        </ActionIcon>
      </Tooltip>
    </section>
  );
}

/** How large the part under the frame is, and whether to keep it. */
function CropPanel({ photo, crop, cropping }: { photo: Photo; crop: Crop; cropping: Cropping }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  return (
    <section className={classes.crop} aria-label={t('crop.title')}>
      <p className={classes.title}>{t('crop.title')}</p>
      <p className={classes.quiet}>{t('crop.hint', modifiers)}</p>
      <p className={classes.quiet} role="status">
        {t('size', {
          width: figures.number(Math.round(crop.width * photo.width)),
          height: figures.number(Math.round(crop.height * photo.height)),
        })}
      </p>
      <Group gap={8}>
        <Button onClick={cropping.keep}>{t('crop.keep')}</Button>
        <Button variant="default" onClick={cropping.cancel}>
          {t('app:actions.cancel')}
        </Button>
      </Group>
    </section>
  );
}

/** Fields of the photo and results of its check. */
function PhotoPanel({ photo, onCrop }: { photo: Photo; onCrop: () => void }) {
  const { t } = useTranslation('portraits');
  return (
    <>
      <SexAndEyelid photos={[photo]} selection={{ ids: [photo.id] }} />
      <Findings photo={photo} onCrop={onCrop} />
      <NameAndTags key={`${photo.id} ${photo.name}`} photo={photo} />
      <div>
        <Button
          variant="default"
          leftSection={<IconTrash size={15} />}
          onClick={() => removeTiles([photo.id])}
        >
          {t('remove')}
        </Button>
      </div>
    </>
  );
}

function Neighbours({ position: { photoAt, index, goTo } }: { position: Position }) {
  const { t } = useTranslation('portraits');
  return (
    <ol className={classes.strip} aria-label={t('grid')}>
      {Array.from({ length: 2 * neighbours + 1 }, (_, step) => index - neighbours + step).map((one) => (
        <Neighbour key={one} index={one} photo={photoAt(one)} current={one === index} onGo={goTo} />
      ))}
    </ol>
  );
}

function Neighbour(props: {
  index: number;
  photo: Photo | undefined;
  current: boolean;
  onGo: (index: number) => void;
}) {
  const { t } = useTranslation('portraits');
  const { photo, current } = props;
  if (!photo) return <li className={classes.neighbour} aria-hidden="true" />;
  return (
    <li className={classes.neighbour}>
      <button
        type="button"
        aria-label={photo.name || photo.fileName}
        aria-current={current || undefined}
        onClick={() => props.onGo(props.index)}
      >
        <PhotoPicture id={photo.id} />
        <span data-missing={!photo.sex || undefined}>{photo.sex ? t(`short.${photo.sex}`) : '?'}</span>
      </button>
    </li>
  );
}
