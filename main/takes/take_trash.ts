import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '#sentences';
import { Failure } from '../failure.ts';
import { fileErrorCode, storageFailure } from '../storage/storage_failure.ts';
import { isTakeName, recordIn } from './read_take.ts';
import type { TakeRecord } from './take_record.ts';
import { writeRecord } from './take_recorder.ts';

/** Takes that were put away, in a folder inside the folder of takes. They stay until they are brought back or erased. */
export class TakeTrash {
  readonly folder: string;

  /** @param takes the folder of takes */
  constructor(takes: string) {
    this.folder = join(takes, '.trash');
  }

  /** @param from the take's folder @throws Failure `storage` */
  async put(id: string, from: string): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await rm(join(this.folder, id), { recursive: true, force: true });
      await rename(from, join(this.folder, id));
    } catch (error) {
      throw storageFailure(error, from);
    }
  }

  /** @param to the take's folder @throws Failure `not_found`, `storage` */
  async takeBack(id: string, to: string): Promise<void> {
    const from = join(this.folder, id);
    try {
      await rename(from, to);
    } catch (error) {
      if (fileErrorCode(error) === 'ENOENT') throw new Failure('not_found', say('takes.not_in_trash'));
      throw storageFailure(error, from);
    }
  }

  /** Those that can be read. */
  async records(): Promise<TakeRecord[]> {
    const names = await readdir(this.folder).catch(() => []);
    const records = await Promise.all(
      names.filter(isTakeName).map(async (id) => {
        const record = await recordIn(join(this.folder, id)).catch(() => null);
        return record && { ...record, id };
      }),
    );
    return records.filter((record) => record !== null);
  }

  /** Erases all for good. @returns How many. @throws Failure `storage` */
  async empty(): Promise<number> {
    const records = await this.records();
    try {
      await rm(this.folder, { recursive: true, force: true });
    } catch (error) {
      throw storageFailure(error, this.folder);
    }
    return records.length;
  }

  /** A take no longer refers to its head. @throws Failure `storage` */
  async forgetModel(id: string): Promise<void> {
    const folder = join(this.folder, id);
    await writeRecord(folder, { ...(await recordIn(folder)), model: '' });
  }
}
