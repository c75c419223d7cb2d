import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import {
  type BoardFilter,
  type BoardReason,
  type BoardReasonCount,
  type BoardState,
  type BoardTile,
  boardStates,
  type ImageTask,
  type Job,
  type Photo,
} from '#contract';
import type { ImageTaskStore } from '../jobs/image_tasks.ts';
import { finishedStates } from '../jobs/job_state.ts';
import type { JobStore } from '../jobs/job_store.ts';
import type { ImportList } from '../photos/import_list.ts';

const finished = `('${finishedStates.join("', '")}')`;
/** The part of the waiting line in which a tile tells its position. */
const maxLine = 99;
/** Counting that takes longer is done only in a part of the time, one in so many. */
const maxCountingMs = 10;
const shareOfCounting = 20;

/** SQL: the code of a photo's first finding of one severity. */
const finding = (severity: 'blocking' | 'warning'): string =>
  `(SELECT f.value ->> 'code' FROM json_each(p.findings) f WHERE f.value ->> 'severity' = '${severity}' LIMIT 1)`;

/**
 * SQL: each tile with its state. A photo is on the board while it is in the list or has a job; if it is in the
 * list again, a finished job says nothing about it. `?1` is the connection that waits for a key.
 */
const tiles = `
  SELECT p.id, p.addedAt AS at, p.sequence, p.nameKey AS name, p.sex, p.folder, j.id AS jobId,
    p.name || ' ' || p.fileName || ' ' || p.folder || ' ' || p.tags AS words,
    CASE
      WHEN j.id IS NULL THEN CASE
        WHEN p."check" = 'pending' THEN 'checking'
        WHEN p."check" = 'blocked' THEN iif(${finding('blocking')} = 'several_faces', 'needs', 'unusable')
        WHEN p.sex IS NULL THEN 'needs'
        ELSE 'ready' END
      WHEN j.state = 'done' OR (j.state = 'cancelled' AND j.replaces IS NOT NULL) THEN 'done'
      WHEN j.state IN ('failed', 'cancelled', 'uncertain') THEN 'needs'
      WHEN j.state IN ('queued', 'checking') AND j.profileId = ?1 THEN 'needs'
      ELSE 'making' END AS state,
    CASE
      WHEN j.id IS NULL THEN CASE
        WHEN p."check" = 'pending' THEN NULL
        WHEN p."check" = 'blocked' THEN ${finding('blocking')}
        WHEN p.sex IS NULL THEN 'no_sex'
        ELSE ${finding('warning')} END
      WHEN j.state IN ('failed', 'uncertain') THEN j.state
      WHEN j.state = 'cancelled' AND j.replaces IS NULL THEN 'cancelled'
      WHEN j.state IN ('queued', 'checking') AND j.profileId = ?1 THEN 'key_missing' END AS reason
  FROM photos p LEFT JOIN jobs j ON j.id = (
    SELECT id FROM jobs WHERE photoId = p.id ORDER BY queuedAt DESC, position DESC LIMIT 1
  ) AND (p.inTray = 0 OR j.state NOT IN ${finished})
  WHERE p.frontId IS NULL AND (p.inTray = 1 OR j.id IS NOT NULL)`;
const tasks = `
  SELECT id, at, rowid AS sequence, lower(fileName) AS name, NULL AS sex, NULL AS folder, NULL AS jobId, fileName AS words,
    iif(taskId = '', 'needs', 'done') AS state, iif(taskId = '', 'refused_task', NULL) AS reason
  FROM image_tasks WHERE archived = 0`;
const everything = `(${tiles} UNION ALL ${tasks})`;

const orders: Readonly<Record<NonNullable<BoardFilter['sort']>, string>> = {
  newest: 'at DESC, sequence DESC',
  added: 'at, sequence',
  name: 'name, at DESC, sequence DESC',
  state: `CASE state ${boardStates.map((state, at) => `WHEN '${state}' THEN ${at}`).join(' ')} END, at DESC, sequence DESC`,
};

export interface BoardOptions {
  database: DatabaseSync;
  importList: ImportList;
  jobs: JobStore;
  imageTasks: ImageTaskStore;
  photo: (id: string) => Photo | null;
  job: (id: string) => Job | null;
  /** The connection that waits for a key or a passphrase; null: none does. */
  lacksKey: () => string | null;
  /** Called later if `counts` returned some of a moment ago. */
  onRecount: () => void;
}

/** The board: photos, heads that are being made and made ones as tiles of one list. */
export class Board {
  readonly #parts: BoardOptions;
  readonly #prepare: ReturnType<typeof preparedOnce>;
  /** The last counts, and until when they are good enough: counting ten thousand tiles takes a while. */
  #counted = { counts: {} as Record<BoardState, number>, until: 0 };
  #recount: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: BoardOptions) {
    this.#parts = parts;
    this.#prepare = preparedOnce(parts.database);
  }

  /** Tiles by state. */
  counts(): Record<BoardState, number> {
    const begin = performance.now();
    if (begin < this.#counted.until) {
      this.#recount ??= setTimeout(() => {
        this.#recount = undefined;
        this.#parts.onRecount();
      }, this.#counted.until - begin).unref();
      return this.#counted.counts;
    }
    const counts = { needs: 0, ready: 0, making: 0, done: 0, unusable: 0, checking: 0 };
    const rows = this.#prepare(`SELECT state, count(*) AS n FROM ${everything} GROUP BY 1`);
    for (const { state, n } of rows.all(this.#parts.lacksKey())) counts[state as BoardState] = Number(n);
    const took = performance.now() - begin;
    this.#counted = { counts, until: took > maxCountingMs ? begin + shareOfCounting * took : 0 };
    return counts;
  }

  /** Ends what is due. */
  close(): void {
    clearTimeout(this.#recount);
  }

  reasons(): BoardReasonCount[] {
    return this.#prepare(
      `SELECT state, reason, count(*) AS count, min(id) AS first FROM ${everything} WHERE reason IS NOT NULL GROUP BY 1, 2
       ORDER BY 3 DESC`,
    )
      .all(this.#parts.lacksKey())
      .map((row) => ({ ...row }) as unknown as BoardReasonCount);
  }

  /** Ids of the tiles that match, in order. */
  ids({ state, reason, sex, folder, text, editable, sort = 'newest' }: BoardFilter): string[] {
    const where = ['1'];
    const values: SQLInputValue[] = [this.#parts.lacksKey()];
    const add = (condition: string, value: string): void => {
      where.push(condition);
      values.push(value);
    };
    if (state) add('state = ?', state);
    if (reason) add('reason = ?', reason);
    if (sex) add('sex = ?', sex);
    if (folder !== undefined) add('folder = ?', folder);
    if (text) add('instr(lower(words), lower(?)) > 0', text);
    if (editable) where.push(`jobId IS NULL AND id IN (SELECT id FROM photos)`);
    return this.#prepare(`SELECT id FROM ${everything} WHERE ${where.join(' AND ')} ORDER BY ${orders[sort]}`)
      .all(...values)
      .map(({ id }) => String(id));
  }

  /** Tiles by their ids; without those that are not on the board. */
  tiles(ids: readonly string[]): BoardTile[] {
    const { importList, imageTasks, jobs, photo, job } = this.#parts;
    const lacksKey = this.#parts.lacksKey();
    // A submitted job may still wait in a line of the engine's own.
    const waiting = jobs.firstUnfinished(maxLine).filter(({ id, isQueued }) => isQueued || job(id)?.inLine);
    const line = new Map(waiting.map(({ id }, at) => [id, at + 1]));
    const find = this.#prepare(`SELECT state, reason, jobId FROM (${tiles} AND p.id = ?2)`);
    return ids.flatMap((id): BoardTile[] => {
      const row = find.get(lacksKey, id);
      if (!row || !importList.get(id)) {
        const task = imageTasks.get(id);
        return task ? [tileOfTask(task)] : [];
      }
      const jobId = row.jobId === null ? null : String(row.jobId);
      return [
        {
          id,
          state: row.state as BoardState,
          reason: row.reason as BoardReason | null,
          photo: photo(id),
          job: jobId === null ? null : job(jobId),
          task: null,
          line: (jobId !== null && line.get(jobId)) || null,
        },
      ];
    });
  }

  /**
   * Takes tiles with a head and submitted image tasks off the board, as one undo step.
   *
   * @param ids - Null: all.
   * @returns Ids of those that left.
   */
  archive(ids: readonly string[] | null): string[] {
    const wanted = ids && new Set(ids);
    const done = this.ids({ state: 'done' }).filter((id) => wanted?.has(id) ?? true);
    return this.#takeOff('archive', done);
  }

  /** Takes tiles off the board, as one undo step. @returns Ids of those that left, and of those that stay. */
  remove(ids: readonly string[]): { removed: string[]; kept: string[] } {
    const { jobs, importList } = this.#parts;
    const stays = (id: string): boolean =>
      jobs.openOfPhoto(id) || (!importList.isIn(id) && jobs.isOwedFor(id));
    const removed = ids.filter((id) => !stays(id));
    return { removed: this.#takeOff('remove', removed), kept: ids.filter(stays) };
  }

  #takeOff(what: 'archive' | 'remove', ids: readonly string[]): string[] {
    const { importList, imageTasks, jobs } = this.#parts;
    if (ids.length === 0) return [];
    importList.asOneStep(() => {
      const photos = ids.filter((id) => importList.get(id) !== null);
      let putBack = (): void => {};
      const takeAway = (): string[] => {
        putBack = jobs.takeAway(photos);
        imageTasks.archive(ids, true);
        return [...ids];
      };
      const takeBack = (): string[] => {
        putBack();
        imageTasks.archive(ids, false);
        return [...ids];
      };
      takeAway();
      importList.remember({ what: `${what} (${ids.length})`, ids: photos, takeBack, again: takeAway });
      importList.remove({ ids: [...photos] });
    });
    return [...ids];
  }
}

const tileOfTask = (task: ImageTask): BoardTile => ({
  id: task.id,
  state: task.taskId === '' ? 'needs' : 'done',
  reason: task.taskId === '' ? 'refused_task' : null,
  photo: null,
  job: null,
  task,
  line: null,
});
