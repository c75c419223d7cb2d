import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EngineFolder } from '../engine_folder.ts';
import type { EngineLimits } from '../http/limits.ts';
import type { Log } from '../log.ts';
import type { ModelRecord, ModelRecords, ResultRecord } from './model_records.ts';

export interface ModelFilesOptions {
  folder: Pick<EngineFolder, 'photos' | 'results' | 'incoming'>;
  records: ModelRecords;
  limits: Pick<EngineLimits, 'resultBytes' | 'keep'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  log: Log;
}

export type ModelFiles = ReturnType<typeof createModelFiles>;

/** Where a head's file is kept: by all that it is made from. @param version The maker's. */
export function resultAddress(
  {
    photo,
    sex,
    eyelidType,
    corrections,
    anyway,
  }: Pick<ModelRecord, 'photo' | 'sex' | 'eyelidType' | 'corrections' | 'anyway'>,
  version: string,
): string {
  const input = [photo, sex, eyelidType, corrections, version, ...(anyway ? ['anyway'] : [])];
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}

/** The photos of models that are to be made, and the heads that were made, each under the address of its input. */
export function createModelFiles({ folder, records, limits, clock, log }: ModelFilesOptions) {
  const photoPath = (photo: string): string => join(folder.photos, photo);
  const resultPath = (address: string): string => join(folder.results, `${address}.glb`);

  function dropPhoto(photo: string): void {
    if (!records.isPhotoInUse(photo)) rmSync(photoPath(photo), { force: true });
  }

  function dropResult({ address }: Pick<ResultRecord, 'address'>): void {
    records.removeResult(address);
    // An open download keeps reading the file that it opened.
    rm(resultPath(address), { force: true }).catch((error: unknown) =>
      log('warning', 'an expired result could not be deleted', error),
    );
  }

  function boundResults(): void {
    let total = 0;
    for (const [place, result] of records.results().entries()) {
      total += result.bytes;
      // The newest stays, even where it alone is over the bound.
      if (total > limits.resultBytes && place > 0) dropResult(result);
    }
  }

  /** Forgets what is too old and deletes files that nothing refers to. */
  function sweep(): void {
    const before = clock() - limits.keep;
    for (const model of records.finishedBefore(before)) records.remove(model.id);
    for (const result of records.resultsUnusedSince(before)) dropResult(result);
    boundResults();
    for (const photo of readdirSync(folder.photos)) dropPhoto(photo);
    for (const name of readdirSync(folder.results)) {
      const address = name.replace(/\.glb$/, '');
      const isFresh = clock() - statSync(join(folder.results, name)).mtimeMs < 60_000;
      if (!isFresh && !records.result(address)) rmSync(join(folder.results, name), { force: true });
    }
  }

  async function store(address: string, glb: Uint8Array, seconds: number): Promise<void> {
    const part = join(folder.incoming, `${randomUUID()}.glb.part`);
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(glb);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, resultPath(address));
    const sha256 = createHash('sha256').update(glb).digest('hex');
    records.putResult({ address, sha256, bytes: glb.length, seconds }, clock());
    boundResults();
  }

  return { photoPath, resultPath, dropPhoto, dropResult, store, sweep };
}
