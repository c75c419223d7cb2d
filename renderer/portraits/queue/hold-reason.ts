/** Why the queue is stopped, in the person's language. */
import { useTranslation } from 'react-i18next';
import type { BatchOverview, Job } from '#contract';
import { useBatchOverview, useProfiles } from '../../base/studio-queries.ts';
import { profileName } from '../../base/text/profile-name.ts';
import { worded } from '../../base/text/sentence-text.ts';

/**
 * Main's message; if that is English text only, other languages show the kind of failure and the connection.
 */
export function useHoldReason({ holdReason, holdCode, holdProfileId }: BatchOverview): string {
  const { t } = useTranslation('portraits');
  const { t: frame, i18n } = useTranslation();
  const profile = useProfiles().data?.find(({ id }) => id === holdProfileId);
  if (holdCode === null || typeof holdReason !== 'string' || i18n.language.startsWith('en'))
    return worded(holdReason);
  const reason = frame(`failure.${holdCode}`);
  return profile ? t('queue.holdBy', { connection: profileName(frame, profile), reason }) : reason;
}

/** Replaces the state of a job while its connection waits for a key; undefined if it does not wait. */
export function useHoldState({ state, profileId }: Job): string | undefined {
  const { t } = useTranslation('portraits');
  const overview = useBatchOverview().data;
  const code = overview?.holdProfileId === profileId ? overview.holdCode : null;
  if (state !== 'queued' && state !== 'checking') return undefined;
  return code === 'key_missing' || code === 'locked' ? t(`holdStates.${code}`) : undefined;
}
