import { Button, Modal, Text } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../base/Notice.module.css';
import { attempt } from '../base/notices.tsx';
import { studio } from '../base/studio.ts';
import { useAppInfo } from '../base/studio-queries.ts';

/** The whole run long, where the window runs without its sandbox: it can't be put aside. */
export function Unprotected() {
  const { t } = useTranslation();
  const unprotected = useAppInfo().data?.unprotected ?? false;
  const [opened, setOpened] = useState(false);
  if (!unprotected) return null;
  return (
    <div className={classes.alarm} role="alert">
      <IconShieldOff size={20} stroke={1.8} aria-hidden />
      <span className={classes.words}>
        <strong>{t('unprotected.title')}</strong> {t('unprotected.text')}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => setOpened(true)}>
        {t('unprotected.help')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => attempt(() => studio.app.quit())}>
        {t('unprotected.quit')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('unprotected.help')}
        size={520}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Text mb="sm">{t('unprotected.why')}</Text>
        <ul className={classes.ways}>
          <li>{t('unprotected.deb')}</li>
          <li>{t('unprotected.profile')}</li>
          <li>{t('unprotected.helper')}</li>
          <li>{t('unprotected.own')}</li>
        </ul>
      </Modal>
    </div>
  );
}
