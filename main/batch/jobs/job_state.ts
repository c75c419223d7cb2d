import type { JobState, OrderState } from '#contract';

/**
 * The states of a job. Each arrow is one SQLite transaction (`JobStore.move`); there are no others:
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
 * A retry moves a job from `failed` or `cancelled` to `queued`, `waiting` or `uncertain`, depending on its order
 * status (below).
 *
 * - `queued`: waits for its turn. Nothing was sent, or the server certainly did not receive it, or an idempotency
 *   key makes a repetition safe.
 * - `checking`: the photo is read and checked. Nothing was sent.
 * - `submitting`: saved *before* the first byte is sent. After a crash, it may have been sent.
 * - `waiting`: the server returned a model id. It is paid for; from here on it is only polled and downloaded.
 * - `downloading`: the model is ready at the server.
 * - `uncertain`: the server may have received it but did not answer. Only the user can send it again.
 * - `done`, `failed`, `cancelled`: finished. A retry of one with a model id continues with `waiting`, so that it is
 *   not paid for twice.
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
 * Status of an order, whatever the job's state; `docs/billing.md` explains it to users.
 *
 * - `none`: nothing was sent, or the server certainly did not accept it.
 * - `unknown`: it was sent and may be billed; set before the first byte leaves, so a crash can't lose it.
 * - `made`: the server returned an id. Only a download or one of the next two statuses ends this.
 * - `ended`: the server reports a failed model (`status` 4). The id stays for display; a retry orders again.
 * - `gone`: the server does not know the model. A retry polls once more; a new order needs the user's
 * consent.
 */
export const owedStates: readonly OrderState[] = ['unknown', 'made', 'gone'];

/** States in which a job needs the user or is finished. */
export const finishedStates: readonly JobState[] = ['done', 'failed', 'cancelled'];

/** States in which a job is running. */
export const activeStates: readonly JobState[] = ['checking', 'submitting', 'waiting', 'downloading'];

/** Returns the state in which a job of an ended process continues; `uncertain` if that is unknown. */
export function stateAfterCrash(state: JobState, isProtected: boolean): JobState {
  if (state === 'checking') return 'queued';
  if (state === 'submitting') return isProtected ? 'queued' : 'uncertain';
  return state;
}
