import { Button, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFolder, IconPhotoPlus, IconTrash } from '@tabler/icons-react';
import i18next from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { isTyping } from '../app/keyboard.ts';
import { offerUndo, tell } from '../app/notices.tsx';
import { go, useRoute } from '../app/route.ts';
import { PlaceHeader } from '../ui/PlaceHeader.tsx';
import { Inspector } from './Inspector.tsx';
import { PhotoGrid } from './PhotoGrid.tsx';
import classes from './Portraits.module.css';
import { addFiles, move, removeAll, removeSelected, selectAll, tag, undo, useTray } from './tray.ts';

const accepted =
  'image/jpeg,image/png,image/webp,image/avif,image/tiff,image/heic,image/heif,.heic,.heif,.tif';

function take(files: readonly File[]): void {
  const { rejected, repeated } = addFiles(files);
  const t = i18next.getFixedT(null, 'portraits');
  if (rejected.length > 0)
    tell({
      level: 'warning',
      title: t('rejected', { count: rejected.length }),
      text: t('rejectedText', { names: rejected.slice(0, 5).join(', ') }),
    });
  if (repeated > 0) tell({ level: 'info', title: t('repeated', { count: repeated }), text: '' });
}

/** Removes and offers the way back. */
function removeWithUndo(remove: () => number): void {
  const count = remove();
  if (count > 0) offerUndo(i18next.t('portraits:removed', { count }), undo);
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || isTyping(event.target)) return;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const plain: Record<string, () => void> = {
    f: () => tag({ sex: 'female' }),
    m: () => tag({ sex: 'male' }),
    '1': () => tag({ eyelid: 'single' }),
    '2': () => tag({ eyelid: 'double' }),
    arrowleft: () => move(-1),
    arrowright: () => move(1),
    delete: () => removeWithUndo(removeSelected),
    backspace: () => removeWithUndo(removeSelected),
  };
  const commanded: Record<string, () => void> = { a: selectAll, z: undo };
  // Arrows inside a group of choices move its choice.
  if (key.startsWith('arrow') && event.target instanceof HTMLInputElement) return;
  const action = event.altKey ? undefined : command ? commanded[key] : plain[key];
  if (!action) return;
  event.preventDefault();
  action();
}

export function Portraits() {
  const { t } = useTranslation(['portraits', 'app']);
  const { rest } = useRoute();
  const { photos } = useTray();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const untagged = photos.filter(({ sex }) => !sex).length;

  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const pick = rest[0] === 'pick';
  useEffect(() => {
    if (!pick) return;
    files.current?.click(); // the click that led here still counts as the person's
    go('portraits');
  }, [pick]);

  const picked = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>): void => {
    take([...(currentTarget.files ?? [])]);
    currentTarget.value = '';
  };

  return (
    <>
      <PlaceHeader
        title={t('app:places.portraits')}
        note={
          photos.length > 0 && (
            <span role="status">
              {t('photos', { count: photos.length })} ·{' '}
              {untagged > 0 ? t('untagged', { count: untagged }) : t('ready')}
            </span>
          )
        }
      >
        {photos.length > 0 && (
          <>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconTrash size={15} />}
              onClick={() => removeWithUndo(removeAll)}
            >
              {t('clear')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconFolder size={15} />}
              onClick={() => folder.current?.click()}
            >
              {t('addFolder')}
            </Button>
            <Button leftSection={<IconPhotoPlus size={16} />} onClick={() => files.current?.click()}>
              {t('more')}
            </Button>
          </>
        )}
      </PlaceHeader>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={accepted}
        aria-label={t('addPhotos')}
        onChange={picked}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        // @ts-expect-error: not in React's types; every browser the studio runs in has it
        webkitdirectory=""
        aria-label={t('addFolder')}
        onChange={picked}
      />
      <Dropzone
        onDrop={take}
        activateOnClick={false}
        activateOnKeyboard={false}
        enablePointerEvents
        className={classes.drop}
        classNames={{ inner: classes.inner ?? '' }}
        tabIndex={-1}
        inputProps={{ tabIndex: -1, 'aria-hidden': true }}
      >
        {photos.length === 0 ? (
          <div className={classes.empty}>
            <div className={classes.frame}>
              <Oval />
              <h2>{t('dropTitle')}</h2>
              <p>{t('dropText')}</p>
              <div className={classes.actions}>
                <Button leftSection={<IconPhotoPlus size={16} />} onClick={() => files.current?.click()}>
                  {t('addPhotos')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconFolder size={16} />}
                  onClick={() => folder.current?.click()}
                >
                  {t('addFolder')}
                </Button>
              </div>
              <Text size="xs" c="dimmed" mt={14}>
                {t('dropFormats')}
              </Text>
            </div>
            <p className={classes.notYet}>{t('notYet')}</p>
          </div>
        ) : (
          <div className={classes.columns}>
            <PhotoGrid />
            <Inspector onRemove={() => removeWithUndo(removeSelected)} />
          </div>
        )}
        <div className={classes.over} aria-hidden="true">
          {t('dropHere')}
        </div>
      </Dropzone>
    </>
  );
}

/** How a good portrait is framed: head upright in the middle, eyes a little above half. */
function Oval() {
  return (
    <svg viewBox="0 0 120 132" width="108" height="119" className={classes.oval} aria-hidden="true">
      <path d="M4 26V10q0-6 6-6h16M94 4h16q6 0 6 6v16M116 106v16q0 6-6 6H94M26 128H10q-6 0-6-6v-16" />
      <path d="M60 20c17 0 27 12 27 32 0 22-12 42-27 42S33 74 33 52c0-20 10-32 27-32Z" />
      <path d="M43 54q6-4 11 0M66 54q5-4 11 0M60 58v12q0 3-4 3M52 81q8 4 16 0" />
      <path d="M46 88v8q0 6-12 10-12 4-16 14M74 88v8q0 6 12 10 12 4 16 14" />
    </svg>
  );
}
