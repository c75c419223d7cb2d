import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { inEnglish, joinMessages, restoredMessage, storedMessage } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import type { ImageTask } from '#contract';
import type { PhotoRow } from '../photos/photo_row.ts';
import type { PortraitChecker, Profiles } from '../ports.ts';
import { partToSend } from './sent_photo.ts';

/** Image tasks (A2) on disk. The API has no call for a task's state, so only its id is kept. */
export class ImageTaskStore {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  add({ id, at, fileName, profileId, profileName, photoId, taskId, message }: ImageTask): void {
    this.#db
      .prepare(
        'INSERT INTO image_tasks (id, at, fileName, profileId, profileName, photoId, taskId, message, messageSaid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        id,
        at,
        fileName,
        profileId,
        profileName,
        photoId,
        taskId,
        inEnglish(message),
        storedMessage(message),
      );
  }

  /** Newest first. */
  page(offset: number, limit: number): { tasks: ImageTask[]; total: number } {
    const tasks = this.#db
      .prepare('SELECT * FROM image_tasks ORDER BY at DESC, rowid DESC LIMIT ? OFFSET ?')
      .all(limit, offset)
      .map(asTask);
    return { tasks, total: Number(this.#db.prepare('SELECT count(*) AS n FROM image_tasks').get()?.n) };
  }

  get(id: string): ImageTask | null {
    const row = this.#db.prepare('SELECT * FROM image_tasks WHERE id = ? AND archived = 0').get(id);
    return row ? asTask(row) : null;
  }

  /** Takes tasks off the board, or puts them back. Their ids stay in the list, because they may be billed. */
  archive(ids: readonly string[], archived: boolean): void {
    const set = this.#db.prepare('UPDATE image_tasks SET archived = ? WHERE id = ?');
    for (const id of ids) set.run(Number(archived), id);
  }

  /**
   * Removes the file names of an erased person from image tasks. Their ids stay, because they may be billed.
   *
   * @returns How many tasks changed.
   */
  forgetFileNames(fileNames: readonly string[]): number {
    const forget = this.#db.prepare(
      `UPDATE image_tasks SET fileName = '–', message = '', messageSaid = NULL WHERE fileName = ?`,
    );
    return [...new Set(fileNames)].reduce((sum, name) => sum + Number(forget.run(name).changes), 0);
  }
}

const asTask = ({ messageSaid, archived: _, ...row }: Record<string, SQLOutputValue>): ImageTask =>
  ({ ...row, message: restoredMessage(String(row.message), messageSaid) }) as unknown as ImageTask;

export type ImageFile = Pick<PhotoRow, 'id' | 'path' | 'fileName' | 'format'>;

/** Submits images one after the other, and stores the responses. */
export async function submitImages(
  store: ImageTaskStore,
  files: readonly ImageFile[],
  order: {
    profileId: string;
    profiles: Profiles;
    now: () => number;
    /** Ends the series after the current image. */
    signal: AbortSignal;
    checker: Pick<PortraitChecker, 'crop'>;
    onTask: (task: ImageTask) => void;
  },
): Promise<void> {
  const { profileId, profiles, now, signal, checker, onTask } = order;
  const profile = await profiles.profile(profileId);
  const service = await profiles.service(profileId);
  for (const file of files) {
    if (signal.aborted) return;
    const task: ImageTask = {
      id: randomUUID(),
      at: now(),
      fileName: file.fileName,
      profileId,
      profileName: profile.name,
      photoId: file.id,
      taskId: '',
      message: '',
    };
    try {
      task.taskId = (await service.submitImage(await imageToSend(file, checker, signal), {})).id;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      task.message = joinMessages(error.userMessage, error.advice);
    }
    store.add(task);
    onTask(task);
  }
}

/** The file itself; a JPEG for HEIC. @throws Failure `storage`, or as the checker's `crop` */
async function imageToSend(
  { path, fileName, format }: Omit<ImageFile, 'id'>,
  checker: Pick<PortraitChecker, 'crop'>,
  signal: AbortSignal,
): Promise<UploadFile> {
  if (format !== 'heic') return { path };
  const bytes = await readFile(path).catch((error: unknown) => {
    throw storageFailure(error, path);
  });
  return partToSend({ bytes, fileName, crop: null }, checker, signal);
}
