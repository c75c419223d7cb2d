import type { JobState, PhotoState } from '#contract';
import { finishedStates } from '../jobs/job_state.ts';
import type { PhotoRow } from './photo_row.ts';

/**
 * The state of a photo by its newest job:
 *
 * ```
 * needs ──► ready ──► waiting ──► making ──► done
 *   ▲         ▲          │           ├────► failed ────► ready
 *   └─────────┴──────────┴───────────┴────► cancelled ─► ready
 * ```
 *
 * A cancelled photo is ready at once, unless a server was paid for it: then the queue can still download its head.
 * A failed photo is ready again when the user returns it to the list.
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

/** @param job - State of the photo's newest job; null: it has none. */
export function photoStateOf(
  { isImported, sex, check }: Pick<PhotoRow, 'isImported' | 'sex' | 'check'>,
  job: JobState | null,
): PhotoState {
  if (job !== null && !(isImported && finishedStates.includes(job))) return ofJob[job];
  return sex === null || check === 'blocked' ? 'needs' : 'ready';
}
