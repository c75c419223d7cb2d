import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../base/notices.tsx';

/** Asks before something that can't be undone; the dangerous answer is never the one that Enter gives. */
export function Confirm(props: {
  opened: boolean;
  title: string;
  text: string;
  action: string;
  /**
   * The answer that changes nothing. Default: “Cancel”, which says too
   * little where the question is of cancelling.
   */
  keep?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const confirm = (): void => {
    setBusy(true);
    props
      .onConfirm()
      .then(props.onClose, notifyFailure)
      .finally(() => setBusy(false));
  };
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      size={420}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text c="dimmed" mb="lg">
        {props.text}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" data-autofocus onClick={props.onClose}>
          {props.keep ?? t('actions.cancel')}
        </Button>
        <Button color="crimson" loading={busy} onClick={confirm}>
          {props.action}
        </Button>
      </Group>
    </Modal>
  );
}
