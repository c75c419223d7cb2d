import { joinMessages } from '@likeness/messages';
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';
import { useFigures } from '../../base/text/number-format.ts';
import { worded } from '../../base/text/sentence-text.ts';
import { MountedModal } from '../../ui/dialogs/MountedModal.tsx';
import { Facts } from '../../ui/Facts.tsx';

type Answer = 'resend' | 'give_up' | 'found';

/**
 * A photo was sent and the answer was lost: only the person can say what to do, as only they can look into
 * their account with the server. Nothing is chosen beforehand, since one of the answers may cost money.
 */
export function SettleDialog({ ids, onClose }: { ids: string[]; onClose: () => void }) {
  const { t } = useTranslation(['portraits', 'app']);
  const figures = useFigures();
  const [answer, setAnswer] = useState<Answer>();
  const [modelId, setModelId] = useState('');
  const { data } = useQuery({
    queryKey: ['batch', 'uncertain'],
    queryFn: () => studio.batch.jobs({ states: ['uncertain'], offset: 0, limit: 500 }),
    staleTime: 0,
    gcTime: 0,
  });
  const jobs = data?.jobs.filter(({ id }) => ids.includes(id)) ?? [];
  const job = jobs[0];
  const single = ids.length === 1;
  const ready = answer !== undefined && (answer !== 'found' || modelId.trim() !== '');
  const settle = (): void => {
    if (!answer) return;
    attempt(async () => {
      await studio.batch.resolveUncertain({
        ids,
        answer,
        ...(answer === 'found' ? { remoteModelId: modelId.trim() } : {}),
      });
      onClose();
    });
  };
  return (
    <MountedModal
      onClose={onClose}
      title={t('settle.title', { count: ids.length })}
      size={540}
      closeButtonProps={{ 'aria-label': t('app:actions.close') }}
    >
      <Stack gap="md">
        {job && (
          <Facts
            facts={[
              [
                single ? t('settle.photo') : t('settle.photos'),
                jobs
                  .map(({ fileName }) => fileName)
                  .slice(0, 8)
                  .join(', '),
              ],
              [t('settle.connection'), [...new Set(jobs.map(({ profileName }) => profileName))].join(', ')],
              [t('settle.sentAt'), figures.dateTime(job.changedAt)],
              [t('settle.happened'), worded(joinMessages(job.message, job.hint))],
            ]}
          />
        )}
        <Radio.Group
          label={t('settle.question')}
          value={answer ?? null}
          onChange={(value) => setAnswer(value as Answer)}
        >
          <Stack gap={10} mt={8}>
            {single && <Radio value="found" label={t('settle.found')} description={t('settle.foundText')} />}
            <Radio value="resend" label={t('settle.resend')} description={t('settle.resendText')} />
            <Radio value="give_up" label={t('settle.giveUp')} description={t('settle.giveUpText')} />
          </Stack>
        </Radio.Group>
        {answer === 'found' && (
          <TextInput
            label={t('settle.modelId')}
            value={modelId}
            maxLength={200}
            autoFocus
            onChange={({ currentTarget }) => setModelId(currentTarget.value)}
          />
        )}
      </Stack>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:actions.cancel')}
        </Button>
        <Button disabled={!ready} onClick={settle}>
          {t('settle.action')}
        </Button>
      </Group>
    </MountedModal>
  );
}
