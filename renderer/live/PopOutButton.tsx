import { Button, Tooltip } from '@mantine/core';
import { IconPictureInPictureTop } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, notify } from '../base/notices.tsx';
import { useAppInfo } from '../base/studio-queries.ts';
import { KeyHint } from './panels/KeyHint.tsx';
import { closePopOut, openPopOut, popOutOpen } from './pop-out.ts';
import { useLiveKey } from './use-live-key.ts';

export function PopOutButton() {
  const { t } = useTranslation('live');
  const shell = useAppInfo().data?.shell ?? 'browser';
  const isOpen = popOutOpen.use();
  const toggle = useCallback(() => {
    if (isOpen) closePopOut();
    else
      attempt(async () => {
        if (!(await openPopOut(shell)))
          notify({ level: 'warning', title: t('popOut.blockedTitle'), text: t('popOut.blockedText') });
      });
  }, [isOpen, shell, t]);
  useLiveKey('popOut', isOpen ? 'live:popOut.close' : 'live:popOut.open', toggle);
  return (
    // Beside the button: what is above and below are the head and the tabs.
    <Tooltip label={isOpen ? t('popOut.close') : t('popOut.open')} position="left">
      <Button
        variant="default"
        leftSection={<IconPictureInPictureTop size={16} />}
        rightSection={<KeyHint action="popOut" />}
        onClick={toggle}
      >
        {isOpen ? t('popOut.closeShort') : t('popOut.openShort')}
      </Button>
    </Tooltip>
  );
}
