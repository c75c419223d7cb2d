import { Button, Group, Modal, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../base/notices.tsx';
import { unlockOpen } from '../base/overlays.ts';
import { asFailure, studio } from '../base/studio.ts';
import { queryClient, useKeyStore } from '../base/studio-queries.ts';

/**
 * Asks for the passphrase of locked keys: once automatically, and again whenever something needs it. The
 * field is uncontrolled, so that the passphrase never becomes an attribute of the page.
 */
export function UnlockDialog() {
  const { t } = useTranslation(['settings', 'app']);
  const opened = unlockOpen.use();
  const locked = useKeyStore().data?.locked ?? false;
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  useEffect(() => unlockOpen.set(locked), [locked]);

  const unlock = (event: FormEvent): void => {
    event.preventDefault();
    const passphrase = field.current?.value ?? '';
    if (passphrase === '') return;
    setBusy(true);
    setProblem('');
    studio.connections
      .unlock({ passphrase })
      .then(
        (state) => {
          queryClient.setQueryData(['key-store'], state);
          unlockOpen.set(false);
          notify({ level: 'success', title: t('keys.unlocked'), text: '' });
        },
        (thrown: unknown) => {
          setProblem(asFailure(thrown).text);
          field.current?.select();
        },
      )
      .finally(() => setBusy(false));
  };

  return (
    <Modal
      opened={opened && locked}
      onClose={() => unlockOpen.set(false)}
      title={t('keys.unlockTitle')}
      size={420}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <form onSubmit={unlock}>
        <Text c="dimmed" mb="md">
          {t('keys.unlockText')}
        </Text>
        <PasswordInput
          ref={field}
          label={t('keys.passphrase')}
          error={problem}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('app:actions.show') }}
        />
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={() => unlockOpen.set(false)}>
            {t('app:actions.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('keys.unlock')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
