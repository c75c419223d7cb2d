/** Why the queue stands still, in the person's language. */
import { useTranslation } from 'react-i18next';
import { profileName } from '../app/profile-name.ts';
import { useProfiles } from '../app/rooms.ts';
import type { BatchOverview } from './batch-state.ts';

/** Main's sentence says more than the kind of failure alone, in English; elsewhere the kind and the connection. */
export function useHeldWords({ held, heldCode, heldProfileId }: BatchOverview): string {
  const { t } = useTranslation('portraits');
  const { t: frame, i18n } = useTranslation();
  const profile = useProfiles().data?.find(({ id }) => id === heldProfileId);
  if (heldCode === null || i18n.language.startsWith('en')) return held;
  const reason = frame(`failure.${heldCode}`);
  return profile ? t('queue.heldBy', { connection: profileName(frame, profile), reason }) : reason;
}
