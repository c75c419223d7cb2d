import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { erase } from '../edits.ts';
import type { ModelSelection } from '../model-list.ts';

/**
 * Asks before heads are erased for good, and what is to become of their takes; the receipt is shown after it.
 */
export function EraseDialog(props: {
  selection: ModelSelection;
  count: number;
  onErased?: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['library', 'app']);
  const { selection, count } = props;
  // A take may be somebody else's voice on this head: it goes only where that is said.
  const [withTakes, setWithTakes] = useState(false);
  const [busy, setBusy] = useState(false);
  const along = useQuery({
    queryKey: ['beforeErase', selection],
    queryFn: () => studio.library.beforeErase({ selection }),
    gcTime: 0,
  }).data;
  const confirm = (): void => {
    setBusy(true);
    erase(selection, withTakes)
      .then(() => {
        props.onClose();
        props.onErased?.();
      }, notifyFailure)
      .finally(() => setBusy(false));
  };
  return (
    <MountedModal
      onClose={props.onClose}
      title={t('eraseTitle', { count })}
      size={440}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Text c="dimmed" mb="md">
        {t('eraseText')}
      </Text>
      {along && along.takes > 0 && (
        <Checkbox
          mb="md"
          label={t('eraseTakes', { count: along.takes })}
          description={t('eraseTakesHint')}
          checked={withTakes}
          onChange={(event) => setWithTakes(event.currentTarget.checked)}
        />
      )}
      {along && along.trashedTakes > 0 && (
        <Text c="dimmed" mb="md">
          {t('eraseTrashedTakes', { count: along.trashedTakes })}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" data-autofocus onClick={props.onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button color="crimson" loading={busy} disabled={!along} onClick={confirm}>
          {t('bulk.erase')}
        </Button>
      </Group>
    </MountedModal>
  );
}
