import type { JobState, PhotoState } from '#contract';
import { finishedStates } from '../jobs/job_state.ts';
import type { PhotoRow } from './photo_row.ts';

/**
 * What the state of its newest job means for a photo:
 *
 * ```
 * needs ──► ready ──► waiting ──► making ──► done
 *   ▲         ▲          │           ├────► failed ────► ready
 *   └─────────┴──────────┴───────────┴────► cancelled ─► ready
 * ```
 *
 * A photo whose job is cancelled is ready at once, in the tray, unless its order is still owed: that is fetched from
 * the queue. One that failed is ready again when a person brings it back.
 */
const ofJob: Readonly<Record<JobState, PhotoState>> = {
  queued: 'waiting',
  checking: 'making',
  submitting: 'making',
  waiting: 'making',
  downloading: 'making',
  uncertain: 'needs',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** @param job - State of the newest job of the photo; null: it has none. */
export function photoStateOf(
  { inTray, sex, check }: Pick<PhotoRow, 'inTray' | 'sex' | 'check'>,
  job: JobState | null,
): PhotoState {
  if (job !== null && !(inTray && finishedStates.includes(job))) return ofJob[job];
  return sex === null || check === 'blocked' ? 'needs' : 'ready';
}
