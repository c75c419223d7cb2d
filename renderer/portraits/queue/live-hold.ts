import { useTranslation } from 'react-i18next';
import type { BatchOverview } from '#contract';
import { liveProfileId } from '../../base/live-activity.ts';
import { useProfiles } from '../../base/studio-queries.ts';

/**
 * Whether the queue is stopped by a live session: a voice must not wait for uploads, so on a connection with
 * a single slot the session takes it. The built-in engine is part of every session.
 */
export function useWaitsForLive({ jobs, paused, holdReason, open }: BatchOverview): boolean {
  const spoken = liveProfileId.use();
  const profiles = useProfiles().data ?? [];
  if (spoken === null || paused || holdReason !== '' || open === 0) return false;
  const isMoving = (jobs.waiting ?? 0) + (jobs.downloading ?? 0) > 0;
  const speaks = ({ id, builtIn, isDefault }: (typeof profiles)[number]): boolean =>
    builtIn || id === spoken || (spoken === '' && isDefault);
  return !isMoving && profiles.some((profile) => profile.concurrency === 1 && speaks(profile));
}

/** The queue's present work as a text; empty while it is blocked: the reason has a line of its own. */
export function useRunState(overview: BatchOverview): string {
  const { t } = useTranslation('portraits');
  const waitsForLive = useWaitsForLive(overview);
  const { open, paused, holdReason, jobs } = overview;
  if (paused) return t('queue.paused');
  if (holdReason !== '') return '';
  if (waitsForLive) return t('queue.live');
  // What is uncertain waits for the person alone.
  return open > jobs.uncertain ? t('queue.running') : t('queue.undecided');
}
