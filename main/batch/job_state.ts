import type { JobState } from '#contract';

/**
 * The life of a job. Every arrow here, and no other, is one SQLite transaction (`JobStore.move`):
 *
 * ```
 * queued ──► checking ──► submitting ──► waiting ──► downloading ──► done
 *    ▲           │          │   │  ▲        │ ▲           │
 *    │           ▼          │   │  │        ▼ │           ▼
 *    ├──────── failed ◄─────┘   │  │      failed ◄──── failed
 *    │                          ▼  │
 *    └───────────────────── uncertain ──► waiting (found), failed (given up)
 * ```
 *
 * - `queued`: waits for its turn. Nothing of it was sent, or the server provably did not get it, or repeating it
 *   is protected by an idempotency key.
 * - `checking`: the photo is read and looked at. Nothing was sent.
 * - `submitting`: written down *before* the first byte is sent. Found after a crash, it may have been sent.
 * - `waiting`: the server gave a model id. It is paid for; from here on it is only asked after and fetched.
 * - `downloading`: the server has it ready.
 * - `uncertain`: it may have been received, and no answer came. Only a person sends it again.
 * - `done`, `failed`, `cancelled`: over. A failed one that has a model id goes on with `waiting` when it is
 *   retried, so that it is not paid for twice.
 */
const next: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ['checking', 'failed', 'cancelled'],
  checking: ['submitting', 'queued', 'failed', 'cancelled'],
  submitting: ['waiting', 'queued', 'uncertain', 'failed', 'cancelled'],
  waiting: ['waiting', 'downloading', 'failed', 'cancelled'],
  downloading: ['done', 'waiting', 'failed', 'cancelled'],
  uncertain: ['queued', 'waiting', 'failed', 'cancelled'],
  failed: ['queued', 'waiting'],
  cancelled: ['queued', 'waiting'],
  done: [],
};

export const mayMove = (from: JobState, to: JobState): boolean => next[from].includes(to);

/** States in which a job has nothing more to do by itself. */
export const finishedStates: readonly JobState[] = ['done', 'failed', 'cancelled'];

/** States in which a job is being worked on. */
export const activeStates: readonly JobState[] = ['checking', 'submitting', 'waiting', 'downloading'];

/** What a job that a process left behind goes on with: where it can't know, it says so. */
export function stateAfterCrash(state: JobState, isProtected: boolean): JobState {
  if (state === 'checking') return 'queued';
  if (state === 'submitting') return isProtected ? 'queued' : 'uncertain';
  return state;
}
