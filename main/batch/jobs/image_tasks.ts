import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ImageTask } from '#contract';
import { inEnglish, oneAfterAnother, restoredSentence, storedSentence } from '#sentences';
import { Failure } from '../../failure.ts';
import type { Profiles } from '../ports.ts';

/**
 * Submits images (A2), one after the other, and keeps what came back. The interface has no way to ask after such a
 * task, so an id is all there is to keep.
 */
export async function submitImages(
  db: DatabaseSync,
  files: readonly { path: string; fileName: string }[],
  order: {
    profileId: string;
    profiles: Profiles;
    now: () => number;
    /** Ends the series after the image that is under way. */
    signal: AbortSignal;
    onTask: (task: ImageTask) => void;
  },
): Promise<ImageTask[]> {
  const { profileId, profiles, now, signal, onTask } = order;
  const profile = await profiles.profile(profileId);
  const service = await profiles.service(profileId);
  const tasks: ImageTask[] = [];
  for (const { path, fileName } of files) {
    if (signal.aborted) break;
    const task: ImageTask = {
      id: randomUUID(),
      at: now(),
      fileName,
      profileId,
      profileName: profile.name,
      taskId: '',
      message: '',
    };
    try {
      task.taskId = (await service.submitImage({ path }, {})).id;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      task.message = oneAfterAnother(error.said, error.advice);
    }
    db.prepare(
      'INSERT INTO image_tasks (id, at, fileName, profileId, profileName, taskId, message, messageSaid) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ).run(
      task.id,
      task.at,
      fileName,
      profileId,
      profile.name,
      task.taskId,
      inEnglish(task.message),
      storedSentence(task.message),
    );
    tasks.push(task);
    onTask(task);
  }
  return tasks;
}

/**
 * Image tasks keep their ids, which may be billed, and forget what a file of an erased person was called.
 *
 * @returns How many.
 */
export function forgetFileNames(db: DatabaseSync, fileNames: readonly string[]): number {
  const forget = db.prepare(
    `UPDATE image_tasks SET fileName = '–', message = '', messageSaid = NULL WHERE fileName = ?`,
  );
  return [...new Set(fileNames)].reduce((sum, name) => sum + Number(forget.run(name).changes), 0);
}

/** Newest first. */
export function listImageTasks(
  db: DatabaseSync,
  offset: number,
  limit: number,
): { tasks: ImageTask[]; total: number } {
  const tasks = db
    .prepare('SELECT * FROM image_tasks ORDER BY at DESC, rowid DESC LIMIT ? OFFSET ?')
    .all(limit, offset)
    .map(
      ({ messageSaid, ...row }) =>
        ({ ...row, message: restoredSentence(String(row.message), messageSaid) }) as unknown as ImageTask,
    );
  return { tasks, total: Number(db.prepare('SELECT count(*) AS n FROM image_tasks').get()?.n) };
}
