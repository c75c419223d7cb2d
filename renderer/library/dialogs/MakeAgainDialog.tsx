import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, offer, tell } from '../../base/notices.tsx';
import { useFigures } from '../../base/number-format.ts';
import { profileName } from '../../base/profile-name.ts';
import { go } from '../../base/route.ts';
import { studio } from '../../base/studio.ts';
import { useProfiles } from '../../base/studio-queries.ts';
import { photoSelection } from '../../portraits/tray/photo-list.ts';

/**
 * Makes a head of the same photo once more, with a connection that the
 * person chooses; the head that there is stays.
 */
export function MakeAgainDialog(props: { model: { id: string; profileId: string }; onClose: () => void }) {
  const { model, onClose } = props;
  const { t } = useTranslation(['library', 'app', 'portraits']);
  const { t: frame } = useTranslation();
  const figures = useFigures();
  const profiles = (useProfiles().data ?? []).filter(({ builtIn, groupBUrl }) => builtIn || groupBUrl !== '');
  const [wanted, setWanted] = useState(model.profileId);
  const [busy, setBusy] = useState(false);
  const profile =
    profiles.find(({ id }) => id === wanted) ?? profiles.find(({ isDefault }) => isDefault) ?? profiles[0];
  const price = profile?.prices.perModel ?? 0;
  const make = async (profileId: string): Promise<void> => {
    const { photoId } = await studio.batch.reopen({ modelId: model.id });
    const { queued, left } = await studio.batch.start({
      selection: { ids: [photoId] },
      profileId,
      again: true,
    });
    onClose();
    if (queued > 0)
      return offer(
        { level: 'success', title: t('portraits:start.queued', { count: queued }) },
        t('makeAgain.queue'),
        () => go('portraits', 'queue'),
      );
    // Its photo waits among the others, where what it lacks can be said.
    photoSelection.just(photoId);
    go('portraits');
    const text = left.map(({ reason, count }) => t(`portraits:start.left.${reason}`, { count })).join(' · ');
    tell({ level: 'warning', title: text, text: '' });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('makeAgain.title')}
      size={420}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Select
        data-autofocus
        label={t('makeAgain.with')}
        value={profile?.id ?? null}
        allowDeselect={false}
        data={profiles.map((one) => ({ value: one.id, label: profileName(frame, one) }))}
        onChange={(id) => id && setWanted(id)}
      />
      <Text c="dimmed" mt="sm">
        {t('makeAgain.text')}{' '}
        {price > 0 && t('makeAgain.price', { cost: figures.money(price, profile?.prices.currency ?? 'USD') })}
      </Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button
          loading={busy}
          disabled={!profile}
          onClick={() =>
            attempt(async () => {
              setBusy(true);
              try {
                if (profile) await make(profile.id);
              } finally {
                setBusy(false);
              }
            })
          }
        >
          {t('makeAgain.action')}
        </Button>
      </Group>
    </Modal>
  );
}
