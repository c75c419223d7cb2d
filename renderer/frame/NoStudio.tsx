import { useTranslation } from 'react-i18next';
import type { StudioFailure } from '../base/studio.ts';
import classes from './NoStudio.module.css';

/**
 * All that can be shown where the studio behind the page is missing.
 * Needs no provider: it must not fail itself.
 */
export function NoStudio({ failure }: { failure: StudioFailure }) {
  const { t } = useTranslation();
  return (
    <main className={classes.screen}>
      <div role="alert">
        <h1>{t('noStudio.title')}</h1>
        <p>{t('noStudio.text')}</p>
        <p className={classes.reason}>{failure.message}</p>
        {failure.hint && <p>{failure.hint}</p>}
        <button type="button" className={classes.again} onClick={() => window.location.reload()}>
          {t('actions.retry')}
        </button>
      </div>
    </main>
  );
}
