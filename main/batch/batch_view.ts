import { type Message, t } from '@likeness/messages';
import type { BatchOverview, Job, JobState, Photo, PhotoBeside, StudioErrorCode } from '#contract';
import type { ModelStore } from '../base/model_store.ts';
import { personKey } from '../base/person_key.ts';
import type { JobRow } from './jobs/job_row.ts';
import { finishedStates } from './jobs/job_state.ts';
import type { JobStore } from './jobs/job_store.ts';
import type { QueueState } from './jobs/queue_state.ts';
import type { ImportList } from './photos/import_list.ts';
import { checkOf } from './photos/photo_findings.ts';
import type { PhotoRow } from './photos/photo_row.ts';
import { photoStateOf } from './photos/photo_state.ts';
import type { BlockReasons } from './schedule/block_reasons.ts';
import type { JobForecast } from './schedule/job_forecast.ts';
import type { RunningJob, RunningJobs } from './schedule/running_jobs.ts';

export interface BatchViewOptions {
  options: { readonly modelStore: Pick<ModelStore, 'madeBefore'> };
  importList: ImportList;
  jobs: JobStore;
  queue: QueueState;
  running: RunningJobs;
  forecast: JobForecast;
  blockReasons: BlockReasons;
  /** Whether the photo is being checked now. */
  isLookingAt: (photoId: string) => boolean;
  /** Whether this studio, and no other, works on the queue. */
  isOurs: () => boolean;
}

/** The batch as the page shows it. */
export class BatchView {
  readonly #parts: BatchViewOptions;

  constructor(parts: BatchViewOptions) {
    this.#parts = parts;
  }

  photo(
    { path: _path, frontId: _front, frontChosen: _chosen, isImported, sha256, ...photo }: PhotoRow,
    given?: readonly PhotoRow[],
  ): Photo {
    const { sex, eyelidType, crop, corrections, options } = photo;
    const parameters = { sex, eyelidType, crop, corrections, options };
    const { modelStore } = this.#parts.options;
    const others = given ?? this.#parts.importList.people.othersOf(photo.id);
    const key = personKey(
      sha256,
      others.map((other) => other.sha256),
    );
    return {
      ...photo,
      others: others.map(besideFront),
      inLibrary: sex ? modelStore.madeBefore(key, parameters, null) : null,
      state: photoStateOf({ ...photo, isImported }, this.#parts.jobs.newestStateOf(photo.id)),
    };
  }

  job(row: JobRow): Job {
    const { forecast } = this.#parts;
    const running = this.#parts.running.get(row.id);
    return {
      id: row.id,
      photoId: row.photoId,
      state: row.state,
      fileName: row.fileName,
      photos: 1 + row.others.length,
      photoUses: row.photoUses,
      name: row.name,
      sex: row.sex,
      eyelidType: row.eyelidType,
      profileId: row.profileId,
      profileName: row.profileName,
      libraryId: row.libraryId,
      remoteModelId: row.remoteModelId,
      orderState: row.orderState,
      modelId: row.state === 'done' ? (row.replaces ?? row.modelId) : null,
      replaces: row.replaces,
      attempts: row.attempts,
      message: row.message,
      hint: row.hint,
      code: row.code,
      fraction: running?.fraction ?? null,
      inLine: running !== undefined && this.#waitsInLine(row, running),
      stage: (row.state === 'waiting' && running?.stage?.name) || null,
      progress: forecast.progressOf(row.state, running),
      secondsLeft: forecast.secondsLeft(row),
      queuedAt: row.queuedAt,
      changedAt: row.changedAt,
      position: row.position,
    };
  }

  /** The connection whose waiting jobs need a key or a passphrase; null: none. */
  lacksKey(): string | null {
    const blocked = this.#blockReason(openOf(this.#parts.jobs.counts()));
    return blocked?.code === 'key_missing' || blocked?.code === 'locked' ? blocked.profileId : null;
  }

  overview(): Omit<BatchOverview, 'board'> {
    const { jobs, importList, queue, forecast } = this.#parts;
    const counts = jobs.counts();
    const { photos, untagged, corrected, checks } = importList.sums();
    const open = openOf(counts);
    const blocked = this.#blockReason(open);
    return {
      photos,
      untagged,
      corrected,
      checks,
      jobs: counts,
      open,
      openAtServers: jobs.openAtServers(),
      paused: queue.paused,
      holdReason: blocked?.reason ?? '',
      holdCode: blocked?.code ?? null,
      holdProfileId: blocked?.profileId ?? null,
      batch: this.#presentBatch(),
      secondsLeft: forecast.secondsForAll(),
      undo: importList.undoable,
      intake: null,
    };
  }

  #presentBatch(): BatchOverview['batch'] {
    const { jobs, queue, running, forecast } = this.#parts;
    const counts = jobs.countsSince(queue.batchFrom);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const finished = finishedStates.reduce((sum, state) => sum + counts[state], 0);
    const wanted = total - counts.cancelled;
    const parts = running
      .all()
      .filter(({ job }) => job.queuedAt >= queue.batchFrom && !finishedStates.includes(job.state))
      .reduce((sum, one) => sum + forecast.progressOf(one.job.state, one), 0);
    return {
      total,
      finished,
      done: counts.done,
      failed: counts.failed,
      // Without the cancelled ones, which nobody waits for.
      share: wanted === 0 ? 0 : Math.min(1, (finished - counts.cancelled + parts) / wanted),
    };
  }

  #blockReason(open: number): { reason: Message; code: StudioErrorCode; profileId: string | null } | null {
    if (open === 0) return null;
    if (this.#parts.isOurs()) {
      const { blockReasons, running } = this.#parts;
      return blockReasons.first((profileId) => running.ofProfile(profileId).length > 0);
    }
    return { reason: t('batch.other_studio'), code: 'conflict', profileId: null };
  }

  /** Waiting behind others: not checked yet, or not being made yet. */
  #waitsInLine({ state, photoId }: JobRow, running: RunningJob): boolean {
    if (state === 'checking') return !this.#parts.isLookingAt(photoId);
    return state === 'waiting' && running.stage === null && this.#parts.running.isInLine(running);
  }
}

/** An additional photo is meant to be turned; a profile photo has a head but not a whole face. */
function besideFront({ id, fileName, yaw, check, findings: found }: PhotoRow): PhotoBeside {
  const findings = found.filter(
    ({ code }) => code !== 'turned_too_far' && !(code === 'no_face' && yaw !== null),
  );
  return { id, fileName, yaw, findings, check: check === 'pending' ? check : checkOf(findings, false) };
}

/** Unfinished jobs. */
export const openOf = (counts: Record<JobState, number>): number =>
  Object.entries(counts).reduce(
    (sum, [state, count]) => (finishedStates.includes(state as JobState) ? sum : sum + count),
    0,
  );
