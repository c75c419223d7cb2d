import { Button } from '@mantine/core';
import { IconRefreshDot } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '#contract';
import classes from '../base/Notice.module.css';
import { attempt } from '../base/notices.tsx';
import { changeSettings, useSettings, useUpdates } from '../base/studio-queries.ts';

const answer = (lookForUpdates: Settings['lookForUpdates']): void =>
  attempt(() => changeSettings({ lookForUpdates }));

/** Asks once, after the first steps, and only if the build has an update address. */
export function AskForUpdates() {
  const { t } = useTranslation();
  const { lookForUpdates, welcomed } = useSettings();
  const updates = useUpdates().data;
  if (!welcomed || lookForUpdates !== 'unasked' || !updates || updates.unavailable) return null;
  return (
    <section className={classes.question} aria-label={t('updates.ask')}>
      <IconRefreshDot size={20} stroke={1.6} aria-hidden />
      <span className={classes.words}>
        <strong>{t('updates.ask')}</strong> {t('updates.askText', { address: updates.address })}
      </span>
      <Button size="compact-sm" onClick={() => answer('yes')}>
        {t('updates.yes')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => answer('no')}>
        {t('updates.no')}
      </Button>
    </section>
  );
}
