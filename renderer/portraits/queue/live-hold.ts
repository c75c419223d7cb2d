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
