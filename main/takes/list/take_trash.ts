import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { isTakeName, recordIn } from '../read_take.ts';
import type { TakeRecord } from '../take_record.ts';
import { writeRecord } from '../take_recorder.ts';

/** Trashed takes: a folder inside the folder of takes. */
export class TakeTrash {
  readonly #takes: string;
  readonly #folder: string;

  /** @param takes the folder of takes, absolute */
  constructor(takes: string) {
    this.#takes = takes;
    this.#folder = join(takes, '.trash');
  }

  folderOf(id: string): string {
    return join(this.#folder, id);
  }

  /** @param from the take's folder @throws Failure `storage` */
  async put(id: string, from: string): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await rm(this.folderOf(id), { recursive: true, force: true });
      await rename(from, this.folderOf(id));
    } catch (error) {
      throw storageFailure(error, from);
    }
  }

  /** @throws Failure `not_found`, `storage` */
  async bringBack(id: string): Promise<void> {
    const from = this.folderOf(id);
    try {
      await rename(from, join(this.#takes, id));
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') {
        throw new Failure('not_found', t('takes.not_in_trash'));
      }
      throw storageFailure(error, from);
    }
  }

  /** Returns the readable ones. */
  async records(): Promise<TakeRecord[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const records = await Promise.all(
      names.filter(isTakeName).map(async (id) => {
        const record = await recordIn(this.folderOf(id)).catch(() => null);
        return record && { ...record, id };
      }),
    );
    return records.filter((record) => record !== null);
  }

  /** @throws Failure `storage` */
  async forgetModel(id: string): Promise<void> {
    const folder = this.folderOf(id);
    await writeRecord(folder, { ...(await recordIn(folder)), model: '' });
  }

  /** Erases everything in it. @throws Failure `storage` */
  async empty(): Promise<void> {
    try {
      await rm(this.#folder, { recursive: true, force: true });
    } catch (error) {
      throw storageFailure(error, this.#folder);
    }
  }
}
