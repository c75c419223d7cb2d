import { Button } from '@mantine/core';
import { IconEye, IconTrash, IconUsersPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { modifiers } from '../../base/keyboard.ts';
import { address, go } from '../../base/route.ts';
import { useFigures } from '../../base/text/number-format.ts';
import type { Listed } from '../../ui/lists/long-list.ts';
import type { Chosen } from '../../ui/lists/selection.ts';
import { PersonPhotos } from '../people/PersonPhotos.tsx';
import { samePerson } from '../people/people-orders.ts';
import { Findings } from './Findings.tsx';
import { type ManyDialog, ManyWords } from './ManyWords.tsx';
import classes from './PhotoInspector.module.css';
import { PhotoView } from './PhotoView.tsx';
import { asSelection, type Filter, photoList } from './photo-list.ts';
import { removePhotos } from './tagging.ts';
import { NameAndTags, SexAndEyelid } from './WordFields.tsx';

/** Enough of a long selection to see whether it is of one mind. */
const maxInspected = 2000;

/** The selected photo, large, with the fields of the selection. */
export function PhotoInspector(props: {
  listed: Listed<Photo, Filter>;
  chosen: Chosen;
  count: number;
  onLeaf: (index: number) => void;
  dialog: ManyDialog | undefined;
  setDialog: (dialog: ManyDialog | undefined) => void;
}) {
  const { t } = useTranslation('portraits');
  const figures = useFigures();
  const { listed, chosen, count } = props;
  const photos: Photo[] = [];
  const total = listed.total ?? 0;
  for (let index = 0; index < total && photos.length < Math.min(count, maxInspected); index += 1) {
    const photo = listed.at(index);
    if (photo && (chosen.all || chosen.ids.has(photo.id))) photos.push(photo);
  }
  const atCursor = listed.at(chosen.cursor);
  const shown = atCursor && (chosen.all || chosen.ids.has(atCursor.id)) ? atCursor : photos[0];
  if (count === 0 || !shown)
    return (
      <aside className={classes.inspector} aria-label={t('noneTitle')}>
        <p className={classes.name}>{t('noneTitle')}</p>
        <p className={classes.quiet}>{t('noneText', modifiers)}</p>
      </aside>
    );
  const title = count > 1 ? t('selected', { count }) : shown.name || shown.fileName;
  return (
    <aside className={classes.inspector} aria-label={title}>
      <div className={classes.large}>
        <PhotoView key={shown.id} photo={shown} />
      </div>
      <div>
        <p className={classes.name}>{title}</p>
        {count === 1 && (
          <p className={classes.quiet}>
            {[
              shown.name && shown.fileName,
              shown.width > 0 && t('size', { width: shown.width, height: shown.height }),
              shown.format.toUpperCase(),
              figures.bytes(shown.bytes),
              shown.folder,
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {count === 1 && shown.inLibrary && (
          <p className={classes.quiet}>
            <a href={address('library', 'model', shown.inLibrary)}>{t('inLibrary')}</a>
          </p>
        )}
      </div>
      {count === 1 && (
        <Findings
          photo={shown}
          onCrop={() => go('portraits', 'review', String(photoList.indexOf(shown.id)), 'crop')}
        />
      )}
      {count === 1 && shown.others.length > 0 && <PersonPhotos photo={shown} />}
      {count === 1 && shown.sex === null && shown.check !== 'blocked' && (
        <p className={classes.ask}>{t('askSex')}</p>
      )}
      <SexAndEyelid photos={photos} selection={asSelection(chosen)} note />
      {count === 1 ? (
        <NameAndTags key={`${shown.id} ${shown.name}`} photo={shown} />
      ) : (
        <ManyWords
          photos={photos}
          count={count}
          selection={asSelection(chosen)}
          dialog={props.dialog}
          setDialog={props.setDialog}
        />
      )}
      <div className={classes.actions}>
        {count > 1 && count <= 8 && (
          <Button
            variant="default"
            leftSection={<IconUsersPlus size={15} />}
            onClick={() => samePerson({ ids: photos.map(({ id }) => id) })}
          >
            {t('people.same')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconEye size={15} />}
          onClick={() => props.onLeaf(Math.max(0, photoList.indexOf(shown.id)))}
        >
          {t('review.open')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={15} />}
          onClick={() => removePhotos(asSelection(chosen))}
        >
          {t('remove')}
        </Button>
      </div>
    </aside>
  );
}
