import { IconPhotoOff } from '@tabler/icons-react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './PhotoGrid.module.css';
import { type Photo, select, useTray } from './tray.ts';

/** The gathered photos, large enough to judge. Selection follows the platform's habits. */
export function PhotoGrid() {
  const { t } = useTranslation('portraits');
  const { photos, selected, cursor } = useTray();
  const grid = useRef<HTMLUListElement>(null);
  useEffect(() => {
    grid.current?.querySelector(`[data-id="${cursor}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [cursor]);
  return (
    <ul ref={grid} className={classes.grid} aria-label={t('grid')}>
      {photos.map((photo) => (
        <Cell key={photo.id} photo={photo} selected={selected.has(photo.id)} />
      ))}
    </ul>
  );
}

function Cell({ photo, selected }: { photo: Photo; selected: boolean }) {
  const { t } = useTranslation('portraits');
  const [unreadable, setUnreadable] = useState(false);
  const choose = (event: MouseEvent): void =>
    select(photo.id, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only');
  return (
    <li className={classes.cell} data-id={photo.id}>
      <button
        type="button"
        className={classes.photo}
        aria-pressed={selected}
        aria-label={photo.name}
        onClick={choose}
      >
        {unreadable ? (
          <span className={classes.unreadable} title={t('unreadable')}>
            <IconPhotoOff size={28} stroke={1.3} aria-hidden />
          </span>
        ) : (
          <img src={photo.url} alt="" loading="lazy" decoding="async" onError={() => setUnreadable(true)} />
        )}
        <span className={classes.tags}>
          <span data-missing={!photo.sex || undefined}>{photo.sex ? t(photo.sex) : t('unset')}</span>
          {photo.eyelid && <span>{t(photo.eyelid)}</span>}
        </span>
      </button>
      <span className={classes.name} title={photo.name}>
        {photo.name}
      </span>
    </li>
  );
}
