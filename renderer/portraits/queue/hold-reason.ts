/** Why the queue is stopped, in the person's language. */
import { useTranslation } from 'react-i18next';
import type { BatchOverview } from '#contract';
import { useProfiles } from '../../base/studio-queries.ts';
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
