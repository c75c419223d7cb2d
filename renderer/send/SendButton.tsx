import { Button, Tooltip } from '@mantine/core';
import { IconBroadcast } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Action, useActions } from '../base/actions.ts';
import { usePage } from '../base/route.ts';
import { SendDialog, type SentTake } from './SendDialog.tsx';
import { useReceiverCount, useSendState } from './send-state.ts';

const sendActions: readonly Action<{ open: () => void }>[] = [
  { id: 'send.open', words: 'palette.send', icon: IconBroadcast, run: ({ open }) => open() },
];

/** Opens what is sent where; says how many get it. @param take - the one that can be sent from here */
export function SendButton({ take }: { take?: SentTake | undefined }) {
  const { t } = useTranslation('send');
  const state = useSendState();
  const [isOpen, setIsOpen] = useState(false);
  const going = useReceiverCount();
  useActions(`pages.${usePage()}`, sendActions, { open: () => setIsOpen(true) });
  return (
    <>
      <Tooltip label={t('open')} position="left">
        <Button
          variant="default"
          leftSection={<IconBroadcast size={16} />}
          onClick={() => setIsOpen(true)}
          data-going={going > 0 || undefined}
        >
          {going > 0 ? t('going', { count: going }) : t('send')}
        </Button>
      </Tooltip>
      {isOpen && state && <SendDialog state={state} take={take} onClose={() => setIsOpen(false)} />}
    </>
  );
}
