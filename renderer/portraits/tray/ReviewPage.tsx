import { ActionIcon, Button, Checkbox, Group, Tooltip } from '@mantine/core';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { assetUrl } from '../../base/asset-url.ts';
import { useFigures } from '../../base/number-format.ts';
import { go } from '../../base/route.ts';
import { EmptyPlace } from '../../ui/EmptyPlace.tsx';
import { useLongList } from '../../ui/lists/long-list.ts';
import { PlaceHeader } from '../../ui/PlaceHeader.tsx';
import { usePageKeys } from '../../ui/place-keys.ts';
import { CropFrame } from './CropFrame.tsx';
import { type Crop, firstCrop, isWhole } from './crop.ts';
import { Findings } from './Findings.tsx';
import { PhotoFrame } from './PhotoFrame.tsx';
import { PhotoView } from './PhotoView.tsx';
import { photoList, photoSelection } from './photo-list.ts';
import classes from './ReviewPage.module.css';
import { type PhotoWords, removePhotos, tag, undo } from './tagging.ts';
import { NameAndTags, SexAndEyelid } from './WordFields.tsx';

/** Photos shown on either side of the present one. */
const neighbours = 7;
/** Photos fetched ahead, so that the next is there before the key is up again. */
const ahead = 3;

/**
 * One photo after another, as large as the window allows: F, M, 1 and 2 say what it is, and the next one
 * comes by itself. A thousand photos are a quarter of an hour of two keys.
 */
export function ReviewPage({ start, crop = false }: { start: number; crop?: boolean }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const listed = useLongList(photoList);
  const total = listed.total ?? 0;
  const [at, setAt] = useState(start);
  const [onward, setOnward] = useState(true);
  const index = Math.min(at, Math.max(0, total - 1));
  const photo = listed.at(index);
  /** The frame under the hand, on the photo that it was begun on. */
  const [framing, setFraming] = useState<{ id: string; crop: Crop }>();
  const framed = framing && framing.id === photo?.id ? framing.crop : undefined;
  const beginCrop = (): void => photo && setFraming({ id: photo.id, crop: firstCrop(photo) });
  const keepCrop = (): void => {
    if (photo && framed) tag({ ids: [photo.id] }, { crop: isWhole(framed) ? null : framed });
    setFraming(undefined);
  };
  const asked = useRef(crop);
  useEffect(() => {
    if (!asked.current || !photo) return;
    asked.current = false;
    setFraming({ id: photo.id, crop: firstCrop(photo) });
  }, [photo]);

  useEffect(() => {
    photoList.look(Math.max(0, index - neighbours), index + neighbours + ahead);
    photoSelection.only(index); // going back, the tray is where this photo is
    for (let next = index + 1; next <= index + ahead; next += 1) {
      const coming = photoList.at(next);
      if (coming) new Image().src = assetUrl(coming.id, 'photo');
    }
  }, [index]);

  const move = (by: number): void => setAt(Math.min(total - 1, Math.max(0, index + by)));
  const say = (set: PhotoWords, goOn: boolean): void => {
    if (!photo) return;
    tag({ ids: [photo.id] }, set);
    if (goOn && onward) move(1);
  };
  const nextUntagged = (): void => {
    for (let step = 1; step < total; step += 1) {
      const next = (index + step) % total;
      if (listed.at(next)?.sex === null) {
        setAt(next);
        return;
      }
    }
  };
  const leave = (): void => go('portraits');
  usePageKeys((event, command) => {
    if (command) return [['z', undo]];
    // Arrows inside a group of choices move its choice.
    if (event.key.startsWith('Arrow') && event.target instanceof HTMLInputElement) return [];
    return [
      ['f', () => say({ sex: 'female' }, true)],
      ['m', () => say({ sex: 'male' }, true)],
      ['1', () => say({ eyelidType: 'single' }, false)],
      ['2', () => say({ eyelidType: 'double' }, false)],
      ['0', () => say({ eyelidType: null }, false)],
      ['u', nextUntagged],
      ['arrowright', () => move(1)],
      ['arrowleft', () => move(-1)],
      ['home', () => setAt(0)],
      ['end', () => setAt(Math.max(0, total - 1))],
      ['delete', () => photo && removePhotos({ ids: [photo.id] })],
      ['c', beginCrop],
      ['escape', framed ? () => setFraming(undefined) : leave],
    ];
  });

  if (listed.total === 0)
    return (
      <>
        <PlaceHeader title={t('review.title')} />
        <EmptyPlace icon={null} title={t('review.noneTitle')}>
          <Button onClick={leave}>{t('review.back')}</Button>
        </EmptyPlace>
      </>
    );
  return (
    <>
      <PlaceHeader
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
        <Button variant="default" onClick={nextUntagged}>
          {t('review.nextUntagged')} <kbd className={classes.key}>U</kbd>
        </Button>
        <Button variant="default" leftSection={<IconArrowLeft size={15} />} onClick={leave}>
          {t('review.back')}
        </Button>
      </PlaceHeader>
      <div className={classes.columns}>
        <section className={classes.stage} aria-label={t('review.title')}>
          {photo && framed ? (
            <PhotoFrame key={photo.id} photo={photo}>
              {() => (
                <CropFrame
                  crop={framed}
                  onChange={(box) => setFraming({ id: photo.id, crop: box })}
                  onKeep={keepCrop}
                />
              )}
            </PhotoFrame>
          ) : (
            photo && <PhotoView key={photo.id} photo={photo} />
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
        <aside className={classes.words} aria-label={t('review.words')}>
          {photo && framed && (
            <section className={classes.crop} aria-label={t('crop.title')}>
              <p className={classes.title}>{t('crop.title')}</p>
              <p className={classes.quiet}>{t('crop.hint')}</p>
              <p className={classes.quiet} role="status">
                {t('size', {
                  width: figures.number(Math.round(framed.width * photo.width)),
                  height: figures.number(Math.round(framed.height * photo.height)),
                })}
              </p>
              <Group gap={8}>
                <Button onClick={keepCrop}>{t('crop.keep')}</Button>
                <Button variant="default" onClick={() => setFraming(undefined)}>
                  {t('app:actions.cancel')}
                </Button>
              </Group>
            </section>
          )}
          {photo && !framed && (
            <>
              <SexAndEyelid photos={[photo]} selection={{ ids: [photo.id] }} />
              <Findings photo={photo} onCrop={beginCrop} />
              <NameAndTags key={`${photo.id} ${photo.name}`} photo={photo} />
              <div>
                <Button
                  variant="default"
                  leftSection={<IconTrash size={15} />}
                  onClick={() => removePhotos({ ids: [photo.id] })}
                >
                  {t('remove')}
                </Button>
              </div>
            </>
          )}
          <p className={classes.hint}>{t('review.hint')}</p>
        </aside>
      </div>
      <ol className={classes.strip} aria-label={t('grid')}>
        {Array.from({ length: 2 * neighbours + 1 }, (_, step) => index - neighbours + step).map((one) => (
          <Neighbour key={one} index={one} photo={listed.at(one)} current={one === index} onGo={setAt} />
        ))}
      </ol>
    </>
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
        <img src={assetUrl(photo.id, 'photo-small')} alt="" draggable={false} />
        <span data-missing={!photo.sex || undefined}>{photo.sex ? t(`short.${photo.sex}`) : '?'}</span>
      </button>
    </li>
  );
}
