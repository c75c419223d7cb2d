import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { HeadCorrections } from '#proto/head_corrections.ts';
import type { EngineFolder } from '../engine_folder.ts';
import type { ImageUpload } from '../http/image_upload.ts';
import type { Text } from '../http/language.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { cutOff, noMaker, noStart, photoGone, unexpected } from './model_failures.ts';
import { createModelFiles } from './model_files.ts';
import { createModelRecords, type ModelRecord, modelState } from './model_records.ts';
import { estimateWait, remaining, typicalSeconds } from './wait_estimate.ts';

export interface ModelOrder {
  sex: 0 | 1;
  eyelidType: 1 | 2 | null;
  corrections: Partial<HeadCorrections> | null;
  /** Even if the photo fails a quality rule. */
  anyway: boolean;
  /** The same key with the same photo and parameters is the same model. Null: always a new one. */
  idempotencyKey: string | null;
}

/** How many models wait and how many are being made. */
export interface Load {
  queued: number;
  running: number;
}

/** Progress of a head. */
interface Stage {
  name: string;
  /** 0..1. */
  progress: number;
}

export interface ModelQueueOptions {
  folder: EngineFolder;
  /** What makes heads; loaded at the first need and kept. Null: this engine has none. */
  loadHeadMaker: (() => Promise<HeadMaker>) | null;
  limits: EngineLimits;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onLoad: (load: Load) => void;
  log: Log;
}

export type ModelQueue = ReturnType<typeof createModelQueue>;

/** Seconds a head before the first has been measured on this machine: the engine's own bar. */
const priorSeconds = 2;

/**
 * Models from order to file: kept in the database from the moment they are accepted, made in order of
 * arrival, several at a time, each result stored under the address of what it was made from.
 *
 * However the process ends, the next one continues: heads in progress are restarted, and one that repeatedly
 * crashes the engine is given up after `limits.attempts`.
 */
export function createModelQueue({ folder, loadHeadMaker, limits, clock, onLoad, log }: ModelQueueOptions) {
  const records = createModelRecords(folder.database);
  /** Ids in order of arrival. */
  const waiting: ModelRecord[] = [];
  /** Being made, by id. */
  const running = new Map<
    string,
    {
      address: string;
      attempts: number;
      startedAt: number;
      cancel: AbortController;
      done: Promise<void>;
      /** Null before the first. */
      stage: Stage | null;
    }
  >();
  let maker: HeadMaker | null = null;
  let loading: Promise<HeadMaker> | undefined;
  let parallel = 1;
  let secondsEach = typicalSeconds(records.speeds(), priorSeconds);
  let closing = false;
  let pumping = false;
  let pumpAgain = false;

  const files = createModelFiles({ folder, records, limits, clock, log });
  const { photoPath, resultPath, dropPhoto, dropResult, sweep } = files;
  const reportLoad = (): void => onLoad({ queued: waiting.length, running: running.size });

  function recover(): void {
    for (const { address } of records.results()) {
      if (!existsSync(resultPath(address))) records.removeResult(address);
    }
    for (const model of records.processing()) {
      if (model.attempts >= limits.attempts) finish(model, cutOff(model.attempts));
      else if (!existsSync(photoPath(model.photo))) {
        finish(model, photoGone);
      } else waiting.push(model);
    }
    sweep();
    reportLoad();
    pump();
  }

  const isSuspect = ({ attempts }: Pick<ModelRecord, 'attempts'>): boolean => attempts > 0;
  const isSuspectRunning = (): boolean => [...running.values()].some(isSuspect);
  const isRunning = (address: string): boolean =>
    [...running.values()].some((one) => one.address === address);

  const addressOf = (
    {
      photo,
      sex,
      eyelidType,
      corrections,
      anyway,
    }: Pick<ModelRecord, 'photo' | 'sex' | 'eyelidType' | 'corrections' | 'anyway'>,
    version: string,
  ): string =>
    createHash('sha256')
      .update(JSON.stringify([photo, sex, eyelidType, corrections, version, ...(anyway ? ['anyway'] : [])]))
      .digest('hex');

  function loadMaker(load: () => Promise<HeadMaker>): Promise<HeadMaker> {
    loading ??= load().then(
      (loaded) => {
        maker = loaded;
        parallel = Math.max(1, loaded.parallel);
        return loaded;
      },
      (error: unknown) => {
        // The next model tries again: the cause may have been a moment's (memory, a file being replaced).
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  /** Starts as many as there are free places; called whenever a place or a model appears. */
  function pump(): void {
    if (pumping) {
      pumpAgain = true;
      return;
    }
    if (closing || waiting.length === 0) return;
    pumping = true;
    startWaiting()
      .catch((error: unknown) => log('error', 'the queue of models stopped', error))
      .finally(() => {
        pumping = false;
        reportLoad();
        if (pumpAgain) {
          pumpAgain = false;
          pump();
        }
      });
  }

  async function startWaiting(): Promise<void> {
    if (!loadHeadMaker) {
      for (const model of waiting.splice(0)) finish(model, noMaker);
      return;
    }
    let loaded: HeadMaker;
    try {
      loaded = maker ?? (await loadMaker(loadHeadMaker));
    } catch (error) {
      log('error', 'the portrait part did not start', error);
      for (const model of waiting.splice(0)) finish(model, noStart);
      return;
    }
    for (let i = 0; i < waiting.length && !closing; ) {
      const model = waiting[i]!;
      const address = addressOf(model, loaded.version);
      if (records.result(address)) {
        waiting.splice(i, 1);
        succeed(model, address);
      } else if (isSuspect(model) ? running.size > 0 : isSuspectRunning()) {
        // One that was cut off before is made alone and overtaken by nobody: if it ends the engine again,
        // no other model is blamed for that.
        return;
      } else if (running.size >= parallel || isRunning(address)) {
        // The same head in the making: this model will find it in the store.
        i++;
      } else {
        waiting.splice(i, 1);
        records.countAttempt(model.id, 1);
        const startedAt = clock();
        const cancel = new AbortController();
        const done = make(loaded, model, address, startedAt, cancel.signal).finally(() => {
          running.delete(model.id);
          reportLoad();
          pump();
        });
        running.set(model.id, { address, attempts: model.attempts, startedAt, cancel, done, stage: null });
        reportLoad();
      }
    }
  }

  async function make(
    loaded: HeadMaker,
    model: ModelRecord,
    address: string,
    startedAt: number,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const photo = await readFile(photoPath(model.photo));
      const { sex, eyelidType, corrections, anyway } = model;
      const onStage = (name: string, progress: number): void => {
        const one = running.get(model.id);
        if (one) one.stage = { name, progress };
      };
      const glb = await loaded.makeHead({ photo, sex, eyelidType, corrections, anyway, onStage, signal });
      const seconds = (clock() - startedAt) / 1000;
      await files.store(address, glb, seconds);
      secondsEach = typicalSeconds(records.speeds(), priorSeconds);
      succeed(model, address);
      if (signal.aborted && !records.isResultInUse(address)) dropResult({ address });
    } catch (error) {
      // Stopped by us: the next engine restarts it.
      if (closing) return;
      if (signal.aborted) return dropPhoto(model.photo);
      const told = loaded.explain(error);
      if (told) log('info', `no head could be made: ${told.en}`);
      else log('error', 'a head could not be made', error);
      finish(model, told ?? unexpected(error));
    }
  }

  function succeed(model: ModelRecord, address: string): void {
    records.touchResult(address, clock());
    records.succeed(model.id, address, clock());
    dropPhoto(model.photo);
  }

  function finish(model: ModelRecord, failure: Text): void {
    records.fail(model.id, failure, clock());
    dropPhoto(model.photo);
  }

  /** Whole seconds until the model is finished; 0 where it is. */
  const waitTime = (model: ModelRecord): number =>
    model.state === modelState.processing ? waitOf(model) : 0;

  function waitOf(model: ModelRecord): number {
    const now = clock();
    const one = running.get(model.id);
    if (one) return Math.max(1, Math.ceil(remaining((now - one.startedAt) / 1000, secondsEach)));
    return estimateWait({
      parallel,
      secondsEach,
      runningFor: [...running.values()].map(({ startedAt }) => (now - startedAt) / 1000),
      ahead: Math.max(
        0,
        waiting.findIndex(({ id }) => id === model.id),
      ),
    });
  }

  recover();

  return {
    /**
     * Accepts an order: the photo is taken over and the model is in the database before this returns.
     * With an idempotency key that is known, the model that it stands for.
     *
     * @throws {Refusal} 409 `idempotency_conflict` where the key stands for another photo or other
     *   parameters, 503 `queue_full`
     */
    submit(
      upload: Pick<ImageUpload, 'path' | 'sha256'>,
      order: ModelOrder,
    ): { id: string; waitTime: number } {
      const { sex, eyelidType, corrections, anyway, idempotencyKey } = order;
      const known = idempotencyKey === null ? null : records.byIdempotencyKey(idempotencyKey);
      if (known) {
        const same =
          known.photo === upload.sha256 &&
          known.sex === sex &&
          known.eyelidType === eyelidType &&
          known.anyway === anyway &&
          JSON.stringify(known.corrections) === JSON.stringify(corrections);
        if (same) {
          return { id: known.id, waitTime: waitTime(known) };
        }
        throw new Refusal(409, 'idempotency_conflict', {
          en: 'This Idempotency-Key was used with another photo or other parameters. Use a new key for a new order.',
          zh: '该 Idempotency-Key 已用于其他照片或参数。新请求请使用新的键。',
        });
      }
      if (waiting.length + running.size >= limits.waitingModels) {
        const retryAfter = Math.ceil(secondsEach);
        throw new Refusal(
          503,
          'queue_full',
          {
            en: `${limits.waitingModels} models are waiting already. Send this one again in ${retryAfter} s.`,
            zh: `已有 ${limits.waitingModels} 个模型在排队。请在 ${retryAfter} 秒后重新发送。`,
          },
          { headers: { 'retry-after': String(retryAfter) } },
        );
      }
      // In one turn of the event loop, so that nobody deletes the photo before its model is known.
      if (!existsSync(photoPath(upload.sha256))) renameSync(upload.path, photoPath(upload.sha256));
      const id = randomUUID();
      records.add({
        id,
        photo: upload.sha256,
        sex,
        eyelidType,
        corrections,
        anyway,
        idempotencyKey,
        file: randomBytes(24).toString('base64url'),
        createdAt: clock(),
      });
      const model = records.byId(id)!;
      const isMade = maker !== null && records.result(addressOf(model, maker.version)) !== null;
      waiting.push(model);
      const wait = isMade ? 0 : waitOf(model);
      reportLoad();
      pump();
      return { id, waitTime: wait };
    },

    find: (id: string): ModelRecord | null => records.byId(id),

    waitTime,

    /** How far a model in the making is; null where it isn't being made, or has only begun. */
    stageOf: (id: string): Stage | null => running.get(id)?.stage ?? null,

    /**
     * Takes a model back: out of the queue, out of the making, or its result away where no other model has
     * the same.
     */
    remove(id: string): boolean {
      const model = records.byId(id);
      if (!model) return false;
      const place = waiting.findIndex((one) => one.id === id);
      if (place >= 0) waiting.splice(place, 1);
      records.remove(id);
      running.get(id)?.cancel.abort();
      if (model.state === modelState.processing && !running.has(id)) dropPhoto(model.photo);
      if (model.result !== null && !records.isResultInUse(model.result)) {
        dropResult({ address: model.result });
      }
      reportLoad();
      return true;
    },

    /** A finished head's file by the last part of its link; null where there is none. */
    result(file: string): { path: string; sha256: string; bytes: number } | null {
      const address = records.byFile(file)?.result;
      const result = address ? records.result(address) : null;
      if (!result) return null;
      records.touchResult(result.address, clock());
      return { path: resultPath(result.address), sha256: result.sha256, bytes: result.bytes };
    },

    /** Deletes a photo's file unless a model that isn't finished, or an image task, needs it. */
    dropPhoto,
    load: (): Load => ({ queued: waiting.length, running: running.size }),
    sweep,

    /** Breaks off what is being made, so that it starts again with the next engine. */
    async close(): Promise<void> {
      closing = true;
      // Nobody's fault, so it doesn't count as an attempt.
      for (const id of running.keys()) records.countAttempt(id, -1);
      await maker?.close();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
