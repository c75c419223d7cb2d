import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { KeyStoreState } from '#contract';
import { unlockOpen } from '../../base/overlays.ts';
import { go } from '../../base/route.ts';
import { Callout } from '../../ui/Callout.tsx';
import classes from './Editor.module.css';

/** Why keys can't be entered now, and where that is changed. */
export function KeyStoreNotice({ keyStore }: { keyStore: KeyStoreState }) {
  const { t } = useTranslation('settings');
  if (!keyStore.locked && !keyStore.needsChoice) return null;
  return (
    <div className={classes.notice}>
      {keyStore.locked && (
        <Callout
          tone="warn"
          action={<Button onClick={() => unlockOpen.set(true)}>{t('connections.unlock')}</Button>}
        >
          {t('connections.keysLocked')}
        </Callout>
      )}
      {keyStore.needsChoice && (
        <Callout
          tone="warn"
          action={<Button onClick={() => go('settings', 'keys')}>{t('connections.choose')}</Button>}
        >
          {t('connections.keysChoice')}
        </Callout>
      )}
    </div>
  );
}
