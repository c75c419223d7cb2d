import { Button, Notification } from '@mantine/core';
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
    <Notification
      role="region"
      aria-label={t('updates.ask')}
      icon={<IconRefreshDot size={20} stroke={1.6} />}
      color="gray"
      title={t('updates.ask')}
      withCloseButton={false}
    >
      {t('updates.askText', { address: updates.address })}
      <div className={classes.actions}>
        <Button size="compact-sm" variant="default" onClick={() => answer('yes')}>
          {t('updates.yes')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => answer('no')}>
          {t('updates.no')}
        </Button>
      </div>
    </Notification>
  );
}
