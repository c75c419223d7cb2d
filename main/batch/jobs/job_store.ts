import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { inEnglish, storedMessage, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type Durability, transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { TransactionGroup } from '@likeness/node-kit/storage/transaction_group.ts';
import { builtInProfileId, type JobState, jobStates } from '#contract';
import { asJob, type JobChanges, type JobRow, type NewJob } from './job_row.ts';
import { activeStates, finishedStates, mayMove, owedStates, stateAfterCrash } from './job_state.ts';

const finished = `('${finishedStates.join("', '")}')`;
/** States of a job that can continue without the user. */
const openStates: readonly JobState[] = ['queued', ...activeStates];

const marksOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ');

interface JobPosition {
  readonly id: string;
  readonly position: number;
}

/** Stores jobs on disk. */
export class JobStore {
  readonly #db: DatabaseSync;
  readonly #clock: () => number;
  readonly #prepare: ReturnType<typeof preparedOnce>;
  readonly #group: TransactionGroup;
  readonly #counts: Record<JobState, number>;
  /** Unfinished jobs by profile. */
  readonly #open: Map<string, number>;

  constructor(db: DatabaseSync, clock: () => number) {
    this.#db = db;
    this.#clock = clock;
    this.#prepare = preparedOnce(db);
    this.#group = new TransactionGroup(db);
    this.#counts = byState(this.#prepare('SELECT state, count(*) AS n FROM jobs GROUP BY 1').all());
    const open = this.#prepare(
      `SELECT profileId, count(*) AS n FROM jobs WHERE state IN (${marksOf(openStates)}) GROUP BY 1`,
    ).all(...openStates);
    this.#open = new Map(open.map(({ profileId, n }) => [String(profileId), Number(n)]));
  }

  /** Jobs by state. */
  counts(): Record<JobState, number> {
    return { ...this.#counts };
  }

  /** Counts jobs by state, among those queued since a time in milliseconds since 1970. */
  countsSince(from: number): Record<JobState, number> {
    // Forces the covering index: SQLite would otherwise read every job in the order of states.
    const rows = this.#prepare(
      'SELECT state, count(*) AS n FROM jobs INDEXED BY jobs_of_batch WHERE queuedAt >= ? GROUP BY 1',
    ).all(from);
    return byState(rows);
  }

  /** Counts the jobs of each profile that can continue without the user. */
  openByProfile(): { profileId: string; count: number }[] {
    return [...this.#open]
      .map(([profileId, count]) => ({ profileId, count }))
      .filter(({ count }) => count > 0);
  }

  /** Counts the unfinished jobs at servers. */
  openAtServers(): number {
    const row = this.#prepare(
      `SELECT count(*) AS n FROM jobs WHERE state NOT IN ${finished} AND profileId <> ?`,
    ).get(builtInProfileId);
    return Number(row?.n);
  }

  /** Libraries that jobs fill. */
  libraries(): string[] {
    return this.#prepare('SELECT DISTINCT libraryId FROM jobs')
      .all()
      .map(({ libraryId }) => String(libraryId));
  }

  /** Adds jobs at the end of the queue and runs `also`, in one transaction. */
  add(jobs: readonly NewJob[], also: () => void): void {
    let position = Number(this.#prepare('SELECT max(position) AS last FROM jobs').get()?.last ?? 0);
    transaction(this.#db, () => {
      const insert = this.#prepare(
        `INSERT INTO jobs (id, photoId, state, position, fileName, name, sex, eyelidType, crop, others, corrections, options, anyway,
           tags, profileId, profileName, libraryId, modelId, replaces, idempotencyKey, fromList, queuedAt, changedAt)
         VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const job of jobs) {
        position += 1;
        insert.run(
          job.id,
          job.photoId,
          position,
          job.fileName,
          job.name,
          job.sex,
          job.eyelidType,
          job.crop ? JSON.stringify(job.crop) : null,
          job.others.length > 0 ? JSON.stringify(job.others) : null,
          job.corrections ? JSON.stringify(job.corrections) : null,
          job.options ? JSON.stringify(job.options) : null,
          Number(job.anyway),
          JSON.stringify(job.tags),
          job.profileId,
          job.profileName,
          job.libraryId,
          job.modelId,
          job.replaces,
          job.idempotencyKey,
          Number(job.fromList),
          job.queuedAt,
          job.queuedAt,
        );
      }
      also();
    });
    for (const job of jobs) this.#count({ ...job, state: 'queued' }, 1);
  }

  /**
   * Saves one transition atomically. Transitions that concern a sent order are on disk when this returns,
   * also after a power cut; the last of the others may be lost and is then repeated.
   *
   * @throws Failure `conflict` if the job's state has changed since it was read, Failure `storage`, or a
   * plain Error for an undefined transition (an internal error).
   */
  move(job: JobRow, to: JobState, changes: JobChanges = {}): JobRow {
    const { write, durability } = this.#transition(job, to, changes);
    return this.#counted(job, transaction(this.#db, write, durability));
  }

  /**
   * As `move`, in one transaction with the other jobs that change now; durable writes are on disk when it
   * resolves.
   *
   * @returns A function that does it. Where it fails with Failure `storage`, it may be called again.
   */
  moveInTurn(job: JobRow, to: JobState, changes: JobChanges = {}): () => Promise<JobRow> {
    const { write, durability } = this.#transition(job, to, changes);
    return async () => this.#counted(job, await this.#group.run(write, durability));
  }

  /** Writes the pending transitions. */
  commit(): void {
    this.#group.commit();
  }

  /** Called before the database is closed. */
  close(): void {
    this.#group.close();
  }

  #transition(
    job: JobRow,
    to: JobState,
    changes: JobChanges,
  ): { write: () => JobRow; durability: Durability } {
    if (!mayMove(job.state, to)) throw new Error(`a job never goes from ${job.state} to ${to}`);
    const moved = { ...job, ...changes, changedAt: this.#clock(), state: to };
    const columns = new Map<string, SQLInputValue>();
    for (const field of [...(Object.keys(changes) as (keyof JobChanges)[]), 'changedAt', 'state'] as const) {
      const value = moved[field];
      if (field === 'message' || field === 'hint') {
        columns.set(field, inEnglish(moved[field])).set(`${field}Said`, storedMessage(moved[field]));
      } else if (field === 'photoUses') {
        columns.set(field, value === null ? null : JSON.stringify(value));
      } else if (typeof value !== 'object') {
        columns.set(field, typeof value === 'boolean' ? Number(value) : value);
      } else if (value === null) columns.set(field, null);
    }
    const fields = [...columns.keys()];
    const values = [...columns.values()];
    const sql = `UPDATE jobs SET ${fields.map((field) => `${field} = ?`).join(', ')} WHERE id = ? AND state = ?`;
    const isAboutSending =
      to === 'submitting' || (to === 'waiting' && job.state === 'submitting') || to === 'uncertain';
    return {
      durability: isAboutSending ? 'full' : 'normal',
      write: () => {
        const { changes: changed } = this.#prepare(sql).run(...values, job.id, job.state);
        if (Number(changed) === 1) return moved;
        // Committed by the call before, which the disk then failed to flush.
        const saved = this.get(job.id);
        if (saved?.state === to && saved.changedAt === moved.changedAt) return moved;
        throw new Failure('conflict', t('batch.moved_on', { name: job.name }), {
          hint: t('batch.look_again'),
        });
      },
    };
  }

  #counted(from: JobRow, moved: JobRow): JobRow {
    this.#count(from, -1);
    this.#count(moved, 1);
    return moved;
  }

  #count({ state, profileId }: Pick<JobRow, 'state' | 'profileId'>, more: number): void {
    this.#counts[state] += more;
    if (openStates.includes(state)) this.#open.set(profileId, (this.#open.get(profileId) ?? 0) + more);
  }

  get(id: string): JobRow | null {
    const row = this.#prepare('SELECT * FROM jobs WHERE id = ?').get(id);
    return row ? asJob(row) : null;
  }

  /** Returns the job that makes a model of the library; null if there is none. */
  ofModel(modelId: string): JobRow | null {
    const row = this.#prepare('SELECT * FROM jobs WHERE modelId = ?').get(modelId);
    return row ? asJob(row) : null;
  }

  /** Returns the state of a job; null if it does not exist. */
  stateOf(id: string): JobState | null {
    const row = this.#prepare('SELECT state FROM jobs WHERE id = ?').get(id);
    return row ? (row.state as JobState) : null;
  }

  /** Returns the state of a photo's newest job; null if it has none. */
  newestStateOf(photoId: string): JobState | null {
    const row = this.#prepare(
      'SELECT state FROM jobs WHERE photoId = ? ORDER BY queuedAt DESC, position DESC LIMIT 1',
    ).get(photoId);
    return row ? (row.state as JobState) : null;
  }

  /**
   * Removes finished jobs without a head and without a paid order: their photos are queued again, or returned
   * to the list.
   *
   * @param isOwed - Whether a server was or may be paid for a head that is not downloaded.
   * @returns Their ids.
   */
  supersede(photoIds: readonly string[], isOwed: (job: JobRow) => boolean): string[] {
    return transaction(this.#db, () => {
      const over = this.#prepare(`SELECT * FROM jobs WHERE photoId = ? AND state IN ('failed', 'cancelled')`);
      const gone = photoIds.flatMap((id) => over.all(id).map(asJob)).filter((job) => !isOwed(job));
      for (const { id, state } of gone) {
        this.#prepare('DELETE FROM jobs WHERE id = ?').run(id);
        this.#counts[state] -= 1;
      }
      return gone.map(({ id }) => id);
    });
  }

  /** Returns the position of the next job; 0 if none is queued. */
  firstPosition(): number {
    const row = this.#prepare(`SELECT min(position) AS first FROM jobs WHERE state = 'queued'`).get();
    return Number(row?.first ?? 0);
  }

  /** Returns jobs in queue order. @param states - Null: all. */
  page(states: readonly JobState[], offset: number, limit: number): { jobs: JobRow[]; total: number } {
    const wanted: readonly JobState[] = states.length === 0 ? jobStates : [...new Set(states)];
    const jobs = this.#prepare(
      `SELECT * FROM jobs WHERE state IN (${marksOf(wanted)}) ORDER BY position LIMIT ? OFFSET ?`,
    )
      .all(...wanted, limit, offset)
      .map(asJob);
    return { jobs, total: wanted.reduce<number>((sum, state) => sum + this.#counts[state], 0) };
  }

  inState(states: readonly JobState[]): JobRow[] {
    return this.page(states, 0, -1).jobs;
  }

  /** Returns the queued job at a position, counted from 0, ignoring profiles that can't take any now. */
  queuedAt(offset: number, withoutProfiles: readonly string[]): Pick<JobRow, 'id' | 'profileId'> | null {
    const row = this.#prepare(
      `SELECT id, profileId FROM jobs WHERE state = 'queued' AND profileId NOT IN (${marksOf(withoutProfiles)})
       ORDER BY position LIMIT 1 OFFSET ?`,
    ).get(...withoutProfiles, offset);
    return row ? { id: String(row.id), profileId: String(row.profileId) } : null;
  }

  /** Ids of jobs whose model is paid for but not downloaded. */
  paidIds(): string[] {
    return this.#prepare(`SELECT id FROM jobs WHERE state IN ('waiting', 'downloading')`)
      .all()
      .map(({ id }) => String(id));
  }

  /** Unfinished jobs of a photo. */
  openOfPhoto(photoId: string): boolean {
    const row = this.#prepare(
      `SELECT 1 FROM jobs WHERE photoId = ? AND state NOT IN ('done', 'failed', 'cancelled') LIMIT 1`,
    ).get(photoId);
    return row !== undefined;
  }

  /** Finished jobs of a photo without a head that are or may be paid for; newest first. */
  owedFor(photoId: string, profileId: string): JobRow[] {
    return this.#prepare(
      `SELECT * FROM jobs WHERE photoId = ? AND profileId = ? AND ${isOwed} ORDER BY changedAt DESC`,
    )
      .all(photoId, profileId)
      .map(asJob);
  }

  /** Returns the newest job that ordered this model id, downloaded or not. */
  ofRemoteModel(profileId: string, remoteModelId: string): JobRow | null {
    const row = this.#prepare(
      `SELECT * FROM jobs WHERE profileId = ? AND remoteModelId = ? AND remoteModelId <> ''
       ORDER BY changedAt DESC LIMIT 1`,
    ).get(profileId, remoteModelId);
    return row ? asJob(row) : null;
  }

  /**
   * Moves jobs, in their order, before another one; null: to the end. The other job marks the position even
   * if it has started meanwhile or is among the moved ones.
   *
   * @returns The previous positions of all jobs that moved, for `setPositions`.
   */
  reorder(ids: readonly string[], before: string | null): JobPosition[] {
    return transaction(this.#db, () => {
      const moved = new Set(ids);
      const order = this.#prepare(`SELECT id, position FROM jobs WHERE state = 'queued' ORDER BY position`)
        .all()
        .map((row) => ({ id: String(row.id), position: Number(row.position) }));
      const rest = order.filter(({ id }) => !moved.has(id));
      const wanted = order.filter(({ id }) => moved.has(id));
      const meant = this.#prepare('SELECT position FROM jobs WHERE id = ?').get(before);
      const at = meant ? rest.findIndex(({ position }) => position >= Number(meant.position)) : -1;
      rest.splice(at < 0 ? rest.length : at, 0, ...wanted);
      // The same positions, assigned in the new order.
      const moves = rest.flatMap(({ id, position }, index) =>
        order[index]?.id === id ? [] : [{ id, from: position, to: order[index]?.position ?? 0 }],
      );
      this.setPositions(moves.map(({ id, to }) => ({ id, position: to })));
      return moves.map(({ id, from }) => ({ id, position: from }));
    });
  }

  /** Undoes `reorder`. */
  setPositions(positions: readonly JobPosition[]): void {
    transaction(this.#db, () => {
      for (const { id, position } of positions)
        this.#prepare('UPDATE jobs SET position = ? WHERE id = ?').run(position, id);
    });
  }

  /**
   * Removes finished jobs. Jobs that are or may be paid for but not downloaded are removed only with `owed`,
   * because they keep their photos from being ordered again.
   *
   * @returns The removed jobs, and how many stay.
   */
  clearFinished(owed: boolean): { gone: JobRow[]; kept: number } {
    const which = `state IN ('done', 'failed', 'cancelled')${
      owed ? '' : ` AND NOT (${isOwed} AND profileId <> '${builtInProfileId}')`
    }`;
    return transaction(this.#db, () => {
      const gone = this.#prepare(`SELECT * FROM jobs WHERE ${which}`).all().map(asJob);
      this.#prepare(`DELETE FROM jobs WHERE ${which}`).run();
      for (const { state } of gone) this.#counts[state] -= 1;
      const kept = finishedStates.reduce((sum, state) => sum + this.#counts[state], 0);
      return { gone, kept };
    });
  }

  /**
   * Removes the finished jobs of photos, except those that are or may be paid for but not downloaded.
   *
   * @returns Puts them back.
   */
  takeAway(photoIds: readonly string[]): () => void {
    const finishedOf = this.#prepare(
      `SELECT * FROM jobs WHERE photoId = ? AND state IN ${finished} AND NOT (${isOwed} AND profileId <> '${builtInProfileId}')`,
    );
    const rows = photoIds.flatMap((id) => finishedOf.all(id));
    transaction(this.#db, () => {
      for (const { id } of rows) this.#prepare('DELETE FROM jobs WHERE id = ?').run(id ?? null);
    });
    for (const { state } of rows) this.#counts[state as JobState] -= 1;
    return () => {
      transaction(this.#db, () => {
        for (const row of rows)
          this.#prepare(
            `INSERT INTO jobs (${Object.keys(row).join(', ')}) VALUES (${marksOf(Object.keys(row))})`,
          ).run(...Object.values(row));
      });
      for (const { state } of rows) this.#counts[state as JobState] += 1;
    };
  }

  /** Whether a photo has a finished job that is or may be paid for but not downloaded. */
  isOwedFor(photoId: string): boolean {
    const sql = `SELECT 1 FROM jobs WHERE photoId = ? AND ${isOwed} AND profileId <> '${builtInProfileId}' LIMIT 1`;
    return this.#prepare(sql).get(photoId) !== undefined;
  }

  /** The first jobs without a result, in their order: submitted ones before those in the studio’s queue. */
  firstUnfinished(limit: number): { id: string; isQueued: boolean }[] {
    return this.#prepare(
      `SELECT id, state = 'queued' AS isQueued FROM jobs
       WHERE state IN ('queued', 'checking', 'submitting', 'waiting') ORDER BY isQueued, position LIMIT ?`,
    )
      .all(limit)
      .map(({ id, isQueued }) => ({ id: String(id), isQueued: isQueued === 1 }));
  }

  /** Returns the file names of the photos of these models. */
  fileNamesOf(modelIds: readonly string[]): string[] {
    const names = this.#prepare('SELECT DISTINCT fileName FROM jobs WHERE ? IN (modelId, replaces)');
    return modelIds.flatMap((id) => names.all(id).map(({ fileName }) => String(fileName)));
  }

  /** Returns the id of the unfinished job that makes this model again; null if there is none. */
  replacing(modelId: string): string | null {
    const sql = `SELECT id FROM jobs WHERE replaces = ? AND state NOT IN ${finished}`;
    const id = this.#prepare(sql).get(modelId)?.id;
    return id === undefined ? null : String(id);
  }

  /** Returns when the next poll of a connection's models is due, milliseconds since 1970; null if none is. */
  nextQuestionAt(profileId: string): number | null {
    const sql = `SELECT min(nextPollAt) AS at FROM jobs WHERE profileId = ? AND state = 'waiting'`;
    const at = this.#prepare(sql).get(profileId)?.at;
    return typeof at === 'number' ? at : null;
  }

  /** Counts the unfinished jobs of a photo. */
  openCount(photoId: string): number {
    const row = this.#prepare(
      `SELECT count(*) AS n FROM jobs WHERE photoId = ? AND state NOT IN ${finished}`,
    ).get(photoId);
    return Number(row?.n);
  }

  /**
   * Removes finished jobs: those that made erased models, and those of their photos without a model.
   *
   * @returns Their ids.
   */
  forgetModels(modelIds: readonly string[], photoIds: readonly string[]): string[] {
    const forgotten: string[] = [];
    const forget = (job: JobRow): void => {
      this.#prepare('DELETE FROM jobs WHERE id = ?').run(job.id);
      this.#counts[job.state] -= 1;
      forgotten.push(job.id);
    };
    transaction(this.#db, () => {
      const made = this.#prepare(
        `SELECT * FROM jobs WHERE ? IN (modelId, replaces) AND state IN ${finished}`,
      );
      for (const id of modelIds) made.all(id).map(asJob).forEach(forget);
      const failed = this.#prepare(
        `SELECT * FROM jobs WHERE state IN ('failed', 'cancelled') AND (photoId = ?1 OR (others IS NOT NULL
           AND EXISTS (SELECT 1 FROM json_each(others) other WHERE other.value ->> 'photoId' = ?1)))`,
      );
      for (const id of photoIds) failed.all(id).map(asJob).forEach(forget);
    });
    return forgotten;
  }

  /** Moves the jobs of an ended process into states that can continue. @returns How many. */
  recover(): number {
    let recovered = 0;
    for (const job of this.inState(['checking', 'submitting'])) {
      const state = stateAfterCrash(job.state, job.protected);
      if (state === 'uncertain') {
        this.move(job, state, {
          code: 'upstream_broken',
          message: t('batch.ended_while_sent'),
          hint: t('batch.look_in_account'),
        });
      } else this.move(job, state);
      recovered += 1;
    }
    return recovered;
  }
}

/** SQL: finished, without a head, and paid for or perhaps paid for. */
const isOwed = `state IN ('failed', 'cancelled') AND orderState IN (${owedStates.map((one) => `'${one}'`).join(', ')})`;

function byState(rows: readonly Record<string, unknown>[]): Record<JobState, number> {
  const counted = new Map(rows.map((row) => [String(row.state), Number(row.n)]));
  return Object.fromEntries(jobStates.map((state) => [state, counted.get(state) ?? 0])) as Record<
    JobState,
    number
  >;
}
