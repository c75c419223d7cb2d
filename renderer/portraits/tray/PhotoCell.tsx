import { IconAlertTriangle, IconBan, IconBooks } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Photo } from '#contract';
import { listedInWords } from '../../base/text/sentence-text.ts';
import { PhotoPicture } from '../PhotoPicture.tsx';
import { useFindingWords } from './finding-words.ts';
import classes from './PhotoCell.module.css';

/** Height to width of a portrait, and the line below it. */
const shape = 1.2;
const captionHeight = 26;
export const photoCellHeight = (width: number): number => width * shape + captionHeight;

/** Photos beside the front one that a card shows. */
const maxBeside = 3;

/** A photo of the tray, large enough to judge, with its words and what the check found. */
export function PhotoCell({ item: photo, width }: { item: Photo; width: number }) {
  const { t } = useTranslation('portraits');
  const words = useFindingWords();
  const { sex, eyelidType, check, findings, inLibrary, others } = photo;
  const found = listedInWords(findings.map(words.name));
  return (
    <div className={classes.cell}>
      {/* First for those who hear it, below for those who see it. */}
      <span className={classes.name}>
        {photo.name || photo.fileName}
        {others.length > 0 && (
          <span className={classes.count}>{t('people.count', { count: 1 + others.length })}</span>
        )}
      </span>
      <span className={classes.photo} data-check={check} style={{ height: width * shape }}>
        <PhotoPicture id={photo.id} size={28} />
        <span className={classes.tags}>
          <span data-missing={!sex || undefined}>{sex ? t(sex) : t('sexUnset')}</span>
          {eyelidType && <span>{t(eyelidType)}</span>}
        </span>
        {others.length > 0 && (
          <span className={classes.others} aria-hidden>
            {others.slice(0, maxBeside).map(({ id, check: one }) => (
              <PhotoPicture key={id} id={id} check={one} />
            ))}
            {others.length > maxBeside && <span>+{others.length - maxBeside}</span>}
          </span>
        )}
        {check === 'pending' && <span className={classes.pending}>{t('checks.pending')}</span>}
        {found && (
          <span className={classes.found} data-check={check} title={found}>
            {check === 'blocked' ? (
              <IconBan size={14} aria-hidden />
            ) : (
              <IconAlertTriangle size={14} aria-hidden />
            )}
            <span>{found}</span>
          </span>
        )}
        {inLibrary && !found && (
          <span className={classes.found} data-check="known" title={t('inLibrary')}>
            <IconBooks size={14} aria-hidden />
            <span>{t('inLibrary')}</span>
          </span>
        )}
      </span>
    </div>
  );
}
