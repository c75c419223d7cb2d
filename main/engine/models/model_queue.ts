import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import type { HeadCorrections } from '#proto/head_corrections.ts';
import type { EngineFolder } from '../engine_folder.ts';
import type { ImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import { Refusal } from '../http/refusal.ts';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { cutOff, noMaker, noStart, photoGone } from './model_failures.ts';
import { createModelFiles, type ModelFiles, resultAddress } from './model_files.ts';
import { ModelOutcomes } from './model_outcomes.ts';
import { createModelRecords, type ModelRecord, type ModelRecords, modelState } from './model_records.ts';
import { isSuspect, type MakingStage, ModelsInMaking } from './models_in_making.ts';
import { estimateWait, remaining } from './wait_estimate.ts';

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

/**
 * Models from order to file: kept in the database from the moment they are accepted, made in order of
 * arrival, several at a time, each result stored under the address of what it was made from.
 *
 * However the process ends, the next one continues: heads in progress are restarted, and one that repeatedly
 * crashes the engine is given up after `limits.attempts`.
 */
export class ModelQueue {
  readonly #options: ModelQueueOptions;
  readonly #records: ModelRecords;
  readonly #files: ModelFiles;
  readonly #outcomes: ModelOutcomes;
  readonly #making: ModelsInMaking;
  /** In order of arrival. */
  readonly #waiting: ModelRecord[] = [];
  #maker: HeadMaker | null = null;
  /** Models that are made at the same time. */
  #parallel = 1;
  #isClosing = false;
  #isPumping = false;
  #pumpAgain = false;

  /** Goes on where the last engine ended. */
  constructor(options: ModelQueueOptions) {
    const { folder, limits, clock, log } = options;
    const records = createModelRecords(folder.database);
    const files = createModelFiles({ folder, records, limits, clock, log });
    const outcomes = new ModelOutcomes({ records, files, clock });
    const onChanged = (what: 'begun' | 'ended'): void => {
      this.#reportLoad();
      if (what === 'ended') this.#pump();
    };
    this.#options = options;
    this.#records = records;
    this.#files = files;
    this.#outcomes = outcomes;
    this.#making = new ModelsInMaking({ records, files, outcomes, clock, onChanged, log });
    this.#recover();
    files.sweep();
    this.#reportLoad();
    this.#pump();
  }

  /**
   * Accepts an order: the photo is taken over and the model is in the database before this returns.
   * With an idempotency key that is known, the model that it stands for.
   *
   * @throws {Refusal} 409 `idempotency_conflict` where the key stands for another photo or other
   *   parameters, 503 `queue_full`
   */
  submit(upload: Pick<ImageUpload, 'path' | 'sha256'>, order: ModelOrder): { id: string; waitTime: number } {
    const known = this.#orderedBefore(upload, order);
    if (known) return { id: known.id, waitTime: this.waitTime(known) };
    this.#checkRoom();
    this.#takePhoto(upload);
    const model = this.#record(upload.sha256, order);
    const isMade =
      this.#maker !== null && this.#records.result(resultAddress(model, this.#maker.version)) !== null;
    this.#waiting.push(model);
    const waitTime = isMade ? 0 : this.#estimate(model);
    this.#reportLoad();
    this.#pump();
    return { id: model.id, waitTime };
  }

  find(id: string): ModelRecord | null {
    return this.#records.byId(id);
  }

  /** Whole seconds until the model is finished; 0 where it is. */
  waitTime(model: ModelRecord): number {
    return model.state === modelState.processing ? this.#estimate(model) : 0;
  }

  /** How far a model in the making is; null where it isn't being made, or has only begun. */
  stageOf(id: string): MakingStage | null {
    return this.#making.stageOf(id);
  }

  /**
   * Takes a model back: out of the queue, out of the making, or its result away where no other model has
   * the same.
   */
  remove(id: string): boolean {
    const model = this.#records.byId(id);
    if (!model) return false;
    const place = this.#waiting.findIndex((one) => one.id === id);
    if (place >= 0) this.#waiting.splice(place, 1);
    this.#records.remove(id);
    this.#making.cancel(id);
    if (model.state === modelState.processing && !this.#making.has(id)) this.#files.dropPhoto(model.photo);
    if (model.result !== null && !this.#records.isResultInUse(model.result)) {
      this.#files.dropResult({ address: model.result });
    }
    this.#reportLoad();
    return true;
  }

  /** A finished head's file by the last part of its link; null where there is none. */
  result(file: string): { path: string; sha256: string; bytes: number } | null {
    const address = this.#records.byFile(file)?.result;
    const result = address ? this.#records.result(address) : null;
    if (!result) return null;
    this.#records.touchResult(result.address, this.#options.clock());
    return { path: this.#files.resultPath(result.address), sha256: result.sha256, bytes: result.bytes };
  }

  /** Deletes a photo's file unless a model that isn't finished, or an image task, needs it. */
  dropPhoto(photo: string): void {
    this.#files.dropPhoto(photo);
  }

  load(): Load {
    return { queued: this.#waiting.length, running: this.#making.count };
  }

  /** Forgets what is too old. */
  sweep(): void {
    this.#files.sweep();
  }

  /** Breaks off what is being made, so that it starts again with the next engine. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#making.close(this.#maker);
  }

  #reportLoad(): void {
    this.#options.onLoad(this.load());
  }

  /** What the last engine left undone waits again, but for what can't be made. */
  #recover(): void {
    for (const { address } of this.#records.results()) {
      if (!existsSync(this.#files.resultPath(address))) this.#records.removeResult(address);
    }
    for (const model of this.#records.processing()) {
      if (model.attempts >= this.#options.limits.attempts) this.#outcomes.fail(model, cutOff(model.attempts));
      else if (!existsSync(this.#files.photoPath(model.photo))) this.#outcomes.fail(model, photoGone);
      else this.#waiting.push(model);
    }
  }

  /** The model that an order's idempotency key stands for already. @throws {Refusal} 409 */
  #orderedBefore(upload: Pick<ImageUpload, 'sha256'>, order: ModelOrder): ModelRecord | null {
    const { idempotencyKey } = order;
    const known = idempotencyKey === null ? null : this.#records.byIdempotencyKey(idempotencyKey);
    if (known && !isSameOrder(known, upload.sha256, order)) throw idempotencyConflict();
    return known;
  }

  /** @throws {Refusal} 503 `queue_full` */
  #checkRoom(): void {
    const { waitingModels } = this.#options.limits;
    if (this.#waiting.length + this.#making.count >= waitingModels) {
      throw queueFull(waitingModels, Math.ceil(this.#making.secondsEach));
    }
  }

  /** In one turn of the event loop with `#record`: nobody may delete the photo before its model is known. */
  #takePhoto({ path, sha256 }: Pick<ImageUpload, 'path' | 'sha256'>): void {
    const photo = this.#files.photoPath(sha256);
    if (!existsSync(photo)) renameSync(path, photo);
  }

  #record(photo: string, order: ModelOrder): ModelRecord {
    const id = randomUUID();
    this.#records.add({
      id,
      photo,
      ...order,
      file: randomBytes(24).toString('base64url'),
      createdAt: this.#options.clock(),
    });
    return this.#records.byId(id)!;
  }

  /** Whole seconds until a model is finished that isn't. */
  #estimate({ id }: ModelRecord): number {
    const { secondsEach } = this.#making;
    const seconds = this.#making.secondsOf(id);
    if (seconds !== null) return Math.max(1, Math.ceil(remaining(seconds, secondsEach)));
    const place = this.#waiting.findIndex((one) => one.id === id);
    return estimateWait({
      parallel: this.#parallel,
      secondsEach,
      runningFor: this.#making.runningFor(),
      ahead: Math.max(0, place),
    });
  }

  /** Starts as many as there are free places; called whenever a place or a model appears. */
  #pump(): void {
    if (this.#isPumping) {
      this.#pumpAgain = true;
      return;
    }
    if (this.#isClosing || this.#waiting.length === 0) return;
    this.#isPumping = true;
    this.#startWaiting()
      .catch((error: unknown) => this.#options.log('error', 'the queue of models stopped', error))
      .finally(() => {
        this.#isPumping = false;
        this.#reportLoad();
        if (this.#pumpAgain) {
          this.#pumpAgain = false;
          this.#pump();
        }
      });
  }

  async #startWaiting(): Promise<void> {
    const maker = this.#maker ?? (await this.#loadMaker());
    if (!maker) return;
    for (let i = 0; i < this.#waiting.length && !this.#isClosing; ) {
      const model = this.#waiting[i]!;
      const address = resultAddress(model, maker.version);
      const turn = this.#turnOf(model, address);
      if (turn === 'all wait') return;
      if (turn === 'waits') {
        i++;
        continue;
      }
      this.#waiting.splice(i, 1);
      if (turn === 'is made') this.#outcomes.succeed(model, address);
      else this.#making.begin(maker, model, address);
    }
  }

  /** What is to be done now with a model that waits. */
  #turnOf(model: ModelRecord, address: string): 'is made' | 'all wait' | 'waits' | 'begins' {
    const making = this.#making;
    if (this.#records.result(address)) return 'is made';
    // One that was cut off before is made alone and overtaken by nobody: if it ends the engine again, no
    // other model is blamed for that.
    if (isSuspect(model) ? making.count > 0 : making.hasSuspect()) return 'all wait';
    // The same head in the making: this model will find it in the store.
    if (making.count >= this.#parallel || making.hasAddress(address)) return 'waits';
    return 'begins';
  }

  /** @returns null where there is none: then all that waited has failed. */
  async #loadMaker(): Promise<HeadMaker | null> {
    const { loadHeadMaker, log } = this.#options;
    try {
      // After a failure the next model tries again: the cause may have been a moment's (memory, a file being
      // replaced).
      this.#maker = loadHeadMaker && (await loadHeadMaker());
      this.#parallel = Math.max(1, this.#maker?.parallel ?? 1);
    } catch (error) {
      log('error', 'the portrait part did not start', error);
    }
    if (!this.#maker) {
      const why = loadHeadMaker ? noStart : noMaker;
      for (const model of this.#waiting.splice(0)) this.#outcomes.fail(model, why);
    }
    return this.#maker;
  }
}

const isSameOrder = (known: ModelRecord, photo: string, order: ModelOrder): boolean =>
  known.photo === photo &&
  known.sex === order.sex &&
  known.eyelidType === order.eyelidType &&
  known.anyway === order.anyway &&
  JSON.stringify(known.corrections) === JSON.stringify(order.corrections);

function idempotencyConflict(): Refusal {
  return new Refusal(409, 'idempotency_conflict', {
    en: 'This Idempotency-Key was used with another photo or other parameters. Use a new key for a new order.',
    zh: '该 Idempotency-Key 已用于其他照片或参数。新请求请使用新的键。',
  });
}

function queueFull(waitingModels: number, retryAfter: number): Refusal {
  return new Refusal(
    503,
    'queue_full',
    {
      en: `${waitingModels} models are waiting already. Send this one again in ${retryAfter} s.`,
      zh: `已有 ${waitingModels} 个模型在排队。请在 ${retryAfter} 秒后重新发送。`,
    },
    { headers: { 'retry-after': String(retryAfter) } },
  );
}
