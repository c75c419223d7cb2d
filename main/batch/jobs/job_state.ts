import type { JobStanding, JobState } from '#contract';

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
 * And from `failed` and `cancelled`, when a person tries again, back to `queued`, `waiting` or `uncertain`:
 * where the order stands (below) says which.
 *
 * - `queued`: waits for its turn. Nothing of it was sent, or the server provably did not get it, or repeating
 *   it is protected by an idempotency key.
 * - `checking`: the photo is read and looked at. Nothing was sent.
 * - `submitting`: written down *before* the first byte is sent. Found after a crash, it may have been sent.
 * - `waiting`: the server gave a model id. It is paid for; from here on it is only polled and fetched.
 * - `downloading`: the server has it ready.
 * - `uncertain`: it may have been received, and no answer came. Only a person sends it again.
 * - `done`, `failed`, `cancelled`: finished. One with a model id goes on with `waiting` when it is retried,
 *   so that it is not paid for twice.
 */
const next: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ['checking', 'failed', 'cancelled'],
  checking: ['submitting', 'queued', 'uncertain', 'failed', 'cancelled'],
  submitting: ['waiting', 'queued', 'uncertain', 'failed', 'cancelled'],
  waiting: ['waiting', 'downloading', 'failed', 'cancelled'],
  downloading: ['done', 'waiting', 'failed', 'cancelled'],
  uncertain: ['queued', 'waiting', 'failed', 'cancelled'],
  failed: ['queued', 'waiting', 'uncertain'],
  cancelled: ['queued', 'waiting', 'uncertain'],
  done: [],
};

export const mayMove = (from: JobState, to: JobState): boolean => next[from].includes(to);

/**
 * Where an order stands, whatever the job's state; `docs/billing.md` has it for people.
 *
 * - `none`: nothing was sent, or the server provably did not take it.
 * - `doubt`: it was sent and may be billed; set before the first byte leaves, so a crash can't lose it.
 * - `made`: the server gave an id. Only fetching it, or one of the next two, ends this.
 * - `ended`: the server says that the model failed (`status` 4). The id is kept to be shown; a retry orders
 *   anew.
 * - `gone`: the server says that it doesn't know the model. A retry asks for it once more; it is ordered anew
 *   only where a person says so.
 */
export const owedStandings: readonly JobStanding[] = ['doubt', 'made', 'gone'];

/** States in which a job has nothing more to do by itself. */
export const finishedStates: readonly JobState[] = ['done', 'failed', 'cancelled'];

/** States in which a job is being worked on. */
export const activeStates: readonly JobState[] = ['checking', 'submitting', 'waiting', 'downloading'];

/**
 * The state in which a job that an ended process left behind continues; `uncertain` if that can't be known.
 */
export function stateAfterCrash(state: JobState, isProtected: boolean): JobState {
  if (state === 'checking') return 'queued';
  if (state === 'submitting') return isProtected ? 'queued' : 'uncertain';
  return state;
}
