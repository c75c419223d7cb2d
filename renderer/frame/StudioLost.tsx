import { IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { studioIsLost } from '../base/connection.ts';
import notice from '../base/Notice.module.css';
import classes from './Frame.module.css';

/** While the studio behind the page is not there: what is shown may be out of date, and nothing can be done. */
export function StudioLost() {
  const { t } = useTranslation();
  if (!studioIsLost.use()) return null;
  return (
    <div className={`${notice.alarm} ${classes.lost}`} role="alert">
      <IconPlugConnectedX size={20} stroke={1.8} aria-hidden />
      <span className={notice.words}>
        <strong>{t('lost.title')}</strong> {t('lost.text')}
      </span>
    </div>
  );
}
