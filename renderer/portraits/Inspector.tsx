import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Inspector.module.css';
import { type Eyelid, type Photo, type Sex, tag, useTray } from './tray.ts';

/** What all of these say, or nothing where they differ. */
const shared = <K extends 'sex' | 'eyelid'>(photos: readonly Photo[], field: K): Photo[K] =>
  photos.every((photo) => photo[field] === photos[0]?.[field]) ? photos[0]?.[field] : undefined;

/** The chosen photo, large, and what is said about it or about all that are chosen. */
export function Inspector({ onRemove }: { onRemove: () => void }) {
  const { t } = useTranslation('portraits');
  const { photos, selected, cursor } = useTray();
  const chosen = photos.filter(({ id }) => selected.has(id));
  const shown = chosen.find(({ id }) => id === cursor) ?? chosen[0];
  return (
    <aside className={classes.inspector} aria-label={t('selected', { count: chosen.length })}>
      {shown ? (
        <>
          <Large key={shown.id} photo={shown} />
          <p className={classes.name}>
            {chosen.length > 1 ? t('selected', { count: chosen.length }) : shown.name}
          </p>
          <div className={classes.choice}>
            <Text size="xs" fw={500}>
              {t('sex')}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t('sex')}
              value={shared(chosen, 'sex') ?? ''}
              data={[
                { value: 'female', label: <Keyed label={t('female')} letter="F" /> },
                { value: 'male', label: <Keyed label={t('male')} letter="M" /> },
              ]}
              onChange={(sex) => tag({ sex: sex as Sex })}
            />
            <Text size="xs" c="dimmed">
              {t('sexNote')}
            </Text>
          </div>
          <div className={classes.choice}>
            <Text size="xs" fw={500}>
              {t('eyelid')}{' '}
              <Text span size="xs" c="dimmed">
                {t('eyelidNote')}
              </Text>
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t('eyelid')}
              value={chosen.every(({ eyelid }) => !eyelid) ? 'none' : (shared(chosen, 'eyelid') ?? '')}
              data={[
                { value: 'none', label: t('unset') },
                { value: 'single', label: <Keyed label={t('single')} letter="1" /> },
                { value: 'double', label: <Keyed label={t('double')} letter="2" /> },
              ]}
              onChange={(eyelid) => tag({ eyelid: eyelid === 'none' ? undefined : (eyelid as Eyelid) })}
            />
          </div>
          <div>
            <Button variant="default" leftSection={<IconTrash size={15} />} onClick={onRemove}>
              {t('remove')}
            </Button>
          </div>
        </>
      ) : (
        <div>
          <p className={classes.name}>{t('none')}</p>
          <Text size="xs" c="dimmed">
            {t('noneText')}
          </Text>
        </div>
      )}
      <p className={classes.notes}>
        {t('local')} {t('notYet')}
      </p>
    </aside>
  );
}

/** A choice and the key that makes it. */
function Keyed({ label, letter }: { label: string; letter: string }) {
  return (
    <>
      {label} <kbd className={classes.key}>{letter}</kbd>
    </>
  );
}

function Large({ photo }: { photo: Photo }) {
  const { t } = useTranslation('portraits');
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [unreadable, setUnreadable] = useState(false);
  return (
    <figure className={classes.large}>
      {unreadable ? (
        <Text size="xs" c="dimmed" p="lg" ta="center">
          {t('unreadable')}
        </Text>
      ) : (
        <img
          src={photo.url}
          alt={photo.name}
          onError={() => setUnreadable(true)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
        />
      )}
      {size && <figcaption className="figures">{t('size', size)}</figcaption>}
    </figure>
  );
}
