import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EngineFolder } from '../engine_folder.ts';
import type { EngineLimits } from '../http/limits.ts';
import type { Log } from '../log.ts';
import type { MadeHead } from './head_maker.ts';
import type { HeadParameters, ModelRecord } from './model_record.ts';
import type { ModelRecords, ResultRecord } from './model_records.ts';

export interface ModelFilesOptions {
  folder: Pick<EngineFolder, 'photos' | 'results' | 'incoming'>;
  records: ModelRecords;
  limits: Pick<EngineLimits, 'resultBytes' | 'keep'>;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  log: Log;
}

export type ModelFiles = ReturnType<typeof createModelFiles>;

/**
 * Returns the address of a head's file: a hash of all its inputs and its owner. @param version The maker's
 * version.
 */
export function resultAddress(
  {
    photo,
    others,
    sex,
    eyelidType,
    corrections,
    options,
    anyway,
    preview,
    owner,
  }: HeadParameters & Pick<ModelRecord, 'photo' | 'others' | 'owner'>,
  version: string,
): string {
  // Without the owner, an instant result would reveal that somebody else has sent this photo before.
  const whose = owner === null ? [] : [{ owner }];
  const further = others.length > 0 ? [{ others }] : [];
  const flags = [...(anyway ? ['anyway'] : []), ...(preview ? ['preview'] : [])];
  const rare = [...flags, ...(options ? [options] : []), ...further];
  const input = [photo, sex, eyelidType, corrections, version, ...rare, ...whose];
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}

/** Stores the photos of pending models and the finished heads, each under the address of its input. */
export function createModelFiles({ folder, records, limits, clock, log }: ModelFilesOptions) {
  const photoPath = (photo: string): string => join(folder.photos, photo);
  const resultPath = (address: string): string => join(folder.results, `${address}.glb`);

  function dropPhoto(photo: string): void {
    if (!records.isPhotoInUse(photo)) rmSync(photoPath(photo), { force: true });
  }

  /** Drops every photo of a model's order. */
  function dropPhotos({ photo, others }: Pick<ModelRecord, 'photo' | 'others'>): void {
    for (const one of [photo, ...others]) dropPhoto(one);
  }

  function dropResult({ address }: Pick<ResultRecord, 'address'>): void {
    records.removeResult(address);
    // A download in progress keeps reading its open file.
    rm(resultPath(address), { force: true }).catch((error: unknown) =>
      log('warning', 'an expired result could not be deleted', error),
    );
  }

  function boundResults(): void {
    if (records.resultBytes() <= limits.resultBytes) return;
    let total = 0;
    for (const [index, result] of records.results().entries()) {
      total += result.bytes;
      // The newest result stays, even if it alone exceeds the limit.
      if (total > limits.resultBytes && index > 0) dropResult(result);
    }
  }

  /** Drops expired results and deletes unreferenced files, one step per file. */
  function* sweepSteps(): Generator<void> {
    const before = clock() - limits.keep;
    for (const model of records.finishedBefore(before)) yield records.remove(model.id);
    records.removeCompletionsBefore(before);
    for (const result of records.resultsUnusedSince(before)) dropResult(result);
    boundResults();
    for (const photo of readdirSync(folder.photos)) yield dropPhoto(photo);
    for (const name of readdirSync(folder.results)) {
      yield;
      const address = name.replace(/\.glb$/, '');
      const found = statSync(join(folder.results, name), { throwIfNoEntry: false });
      const isFresh = found && clock() - found.mtimeMs < 60_000;
      if (!isFresh && !records.result(address)) rmSync(join(folder.results, name), { force: true });
    }
  }

  function sweep(): void {
    for (const _ of sweepSteps());
  }

  /** Yields between steps: there may be tens of thousands of files while somebody is speaking. */
  async function sweepInTurns(): Promise<void> {
    let steps = 0;
    for (const _ of sweepSteps()) if (++steps % 50 === 0) await nextTurn();
  }

  async function store(address: string, { glb, photos }: MadeHead, seconds: number): Promise<void> {
    const part = join(folder.incoming, `${randomUUID()}.glb.part`);
    const file = await open(part, 'wx', 0o600);
    try {
      await file.writeFile(glb);
      await file.sync();
    } catch (error) {
      // On a full disk each attempt would use up the remaining space.
      rmSync(part, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(part, resultPath(address));
    const sha256 = createHash('sha256').update(glb).digest('hex');
    records.putResult({ address, sha256, bytes: glb.length, seconds, photos: photos ?? null }, clock());
    boundResults();
  }

  return { photoPath, resultPath, dropPhoto, dropPhotos, dropResult, store, sweep, sweepInTurns };
}
