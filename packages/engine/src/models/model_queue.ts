import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { isDiskFull, isDiskTrouble } from '@likeness/node-kit/error_codes.ts';
import type { EngineFolder } from '../engine_folder.ts';
import { lackOf } from '../http/fair_shares.ts';
import type { EngineLimits } from '../http/limits.ts';
import type { Log } from '../log.ts';
import type { HeadMaker } from './head_maker.ts';
import { cutOff, noMaker, noStart, photoGone } from './model_failures.ts';
import { createModelFiles, type ModelFiles, resultAddress } from './model_files.ts';
import type {
  Completion,
  KindMeasures,
  Load,
  MakingStage,
  ModelChange,
  ModelJobs,
  ModelOrder,
  ModelResult,
  OrderedPhotos,
  QueueMeasures,
} from './model_jobs.ts';
import { changed, ModelOutcomes } from './model_outcomes.ts';
import { type ModelKind, type ModelRecord, modelState, type Owner } from './model_record.ts';
import { createModelRecords, type ModelRecords } from './model_records.ts';
import { isSuspect, ModelsInMaking } from './models_in_making.ts';
import { idempotencyConflict, queueFull, queueShareUsed } from './order_refusals.ts';
import { secondsLeft, secondsToEnd, wholeSeconds } from './wait_estimate.ts';
import { WaitingList } from './waiting_list.ts';

export interface ModelQueueOptions {
  folder: EngineFolder;
  /** Loads the head maker on first use; it stays loaded. Null: this engine makes no heads. */
  loadHeadMaker: (() => Promise<HeadMaker>) | null;
  limits: EngineLimits;
  /** Milliseconds since 1970 UTC. */
  clock: () => number;
  onLoad: (load: Load) => void;
  log: Log;
}

/** Milliseconds after which a full disk is tried again. */
const roomPause = 2000;

/**
 * The queue of models from order to file. Each model is in the database once accepted. Several are made at a
 * time, and owners take turns. A result's address is a hash of its inputs.
 *
 * After any exit, the next process continues: heads in progress restart, previews are removed. A head that
 * repeatedly crashes the engine fails after `limits.attempts`.
 */
export class ModelQueue implements ModelJobs {
  readonly renamesPhotos = true;
  readonly #options: ModelQueueOptions;
  readonly #records: ModelRecords;
  readonly #files: ModelFiles;
  readonly #outcomes: ModelOutcomes;
  readonly #making: ModelsInMaking;
  readonly #waiting = new WaitingList<ModelRecord>();
  readonly #listeners = new Set<(change: ModelChange) => void>();
  #maker: HeadMaker | null = null;
  /** Models that are made at the same time. */
  #parallel = 1;
  #isClosing = false;
  #isPumping = false;
  #pumpAgain = false;
  /** Set while the disk is full: fires the next attempt. */
  #waitsForRoom: NodeJS.Timeout | null = null;
  /** Ids of models whose attempt failed because the disk was full; these attempts don't count. */
  readonly #uncounted: string[] = [];

  /** Continues with the models of the last run. */
  constructor(options: ModelQueueOptions) {
    const { folder, limits, clock, log } = options;
    const records = createModelRecords(folder.database);
    const files = createModelFiles({ folder, records, limits, clock, log });
    const outcomes = new ModelOutcomes({
      records,
      files,
      wal: folder.wal,
      clock,
      onChanged: (change) => this.#notify(change),
      log,
    });
    const onChanged = (what: 'begun' | 'ended'): void => {
      this.#reportLoad();
      if (what === 'ended') this.#pump();
    };
    this.#options = options;
    this.#records = records;
    this.#files = files;
    this.#outcomes = outcomes;
    const onDiskTrouble = (model: ModelRecord, error: unknown): void => {
      if (isDiskFull(error)) {
        this.#uncounted.push(model.id);
        this.#waitForRoom(model);
      } else this.#waitForRoom({ ...model, attempts: model.attempts + 1 });
    };
    const maxAttempts = limits.attempts;
    this.#making = new ModelsInMaking({
      records,
      files,
      outcomes,
      clock,
      onChanged,
      onDiskTrouble,
      maxAttempts,
      log,
    });
    this.#recover();
    files.sweep();
    this.#reportLoad();
    this.#pump();
  }

  async submit(photos: OrderedPhotos, order: ModelOrder): Promise<{ id: string; waitTime: number }> {
    const taken = this.#take(photos, order);
    await this.#options.folder.wal.flushed();
    return taken;
  }

  #take(photos: OrderedPhotos, order: ModelOrder): { id: string; waitTime: number } {
    const known = this.#orderedBefore(photos, order);
    if (known) return { id: known.id, waitTime: this.#waitTime(known) };
    this.#checkRoom(order.owner);
    for (const photo of [photos, ...(photos.others ?? [])]) this.#takePhoto(photo);
    const model = this.#record(photos, order);
    const address = this.#maker && resultAddress(model, this.#maker.version);
    if (address && this.#records.result(address)) {
      this.#outcomes.succeed(model, address, 0);
      return { id: model.id, waitTime: 0 };
    }
    this.#waiting.add(model);
    const waitTime = this.#estimate(model);
    this.#reportLoad();
    this.#pump();
    return { id: model.id, waitTime };
  }

  async find(id: string, owner: Owner, kind: ModelKind = 'head'): Promise<ModelRecord | null> {
    return this.#records.byId(id, owner, kind);
  }

  async waitTime(model: ModelRecord): Promise<number> {
    return this.#waitTime(model);
  }

  async stageOf({ id }: ModelRecord): Promise<MakingStage | null> {
    return this.#making.stageOf(id);
  }

  async remove(id: string, owner: Owner, kind: ModelKind = 'head'): Promise<boolean> {
    const model = this.#records.byId(id, owner, kind);
    if (!model) return false;
    this.#remove(model);
    await this.#removed();
    return true;
  }

  async removeAll(owner: string): Promise<number> {
    const models = this.#records.ofOwner(owner);
    for (const model of models) this.#remove(model);
    await this.#removed();
    return models.length;
  }

  async result(file: string): Promise<ModelResult | null> {
    const model = this.#records.byFile(file);
    const result = model?.result ? this.#records.result(model.result) : null;
    if (!model || !result) return null;
    this.#records.touchResult(result.address, this.#options.clock());
    const path = this.#files.resultPath(result.address);
    return {
      owner: model.owner,
      sha256: result.sha256,
      bytes: result.bytes,
      async open({ first, last }) {
        const file = await open(path, 'r');
        return file.createReadStream({ start: first, end: last });
      },
    };
  }

  async dropPhoto(photo: string): Promise<void> {
    this.#files.dropPhoto(photo);
  }

  async load(): Promise<Load> {
    return this.#load();
  }

  watch(listener: (change: ModelChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async completions(after: string | null, max: number): Promise<Completion[]> {
    const completions = this.#records.completions(after, max);
    // After a power cut, a number that was already billed must not be assigned again.
    await this.#options.folder.wal.flushed();
    return completions;
  }

  sweep(): Promise<void> {
    return this.#files.sweepInTurns();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#waitsForRoom) clearTimeout(this.#waitsForRoom);
    this.#hasRoom();
    await this.#making.close(this.#maker);
    await this.#outcomes.photosDropped();
  }

  async measures(): Promise<QueueMeasures> {
    const waiting = [...this.#waiting.all()];
    const now = this.#options.clock();
    const of = (kind: ModelKind): KindMeasures => {
      const ages = waiting.filter((one) => one.kind === kind).map(({ createdAt }) => now - createdAt);
      const oldest = ages.reduce((max, age) => Math.max(max, age), 0);
      return { queued: ages.length, running: this.#making.countOf(kind), oldestSeconds: oldest / 1000 };
    };
    return { kinds: { head: of('head'), image: of('image') }, slots: this.#parallel };
  }

  #load(): Load {
    return { queued: this.#waiting.count, running: this.#making.count };
  }

  #reportLoad(): void {
    this.#options.onLoad(this.#load());
  }

  #notify(change: ModelChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #waitTime(model: ModelRecord): number {
    return model.state === modelState.processing ? this.#estimate(model) : 0;
  }

  #remove(model: ModelRecord): void {
    const { id } = model;
    this.#waiting.remove(model);
    this.#records.remove(id);
    this.#making.cancel(id);
    if (model.state === modelState.processing && !this.#making.has(id)) this.#outcomes.dropPhotos(model);
    if (model.result !== null && !this.#records.isResultInUse(model.result)) {
      this.#files.dropResult({ address: model.result });
    }
    this.#reportLoad();
    this.#notify(changed(model, null));
  }

  /** Resolves when the removal is safely on disk (even against a power cut) and the photos are gone. */
  async #removed(): Promise<void> {
    await this.#options.folder.wal.flushed();
    await this.#outcomes.photosDropped();
  }

  /** Queues the models that the last run left unfinished; fails those that can't be made. */
  #recover(): void {
    const lost = this.#records
      .results()
      .filter(({ address }) => !existsSync(this.#files.resultPath(address)));
    this.#records.removeResults(lost);
    // Whoever ordered a preview no longer waits for it, and nobody else deletes it.
    for (const preview of this.#records.previews()) this.#remove(preview);
    for (const model of this.#records.processing()) {
      if (model.attempts >= this.#options.limits.attempts) this.#outcomes.fail(model, cutOff(model.attempts));
      else if (![model.photo, ...model.others].every((one) => existsSync(this.#files.photoPath(one))))
        this.#outcomes.fail(model, photoGone());
      else this.#waiting.add(model);
    }
  }

  /** Returns the model that an order's idempotency key already has. @throws {Refusal} 409 */
  #orderedBefore(photos: OrderedPhotos, order: ModelOrder): ModelRecord | null {
    const { idempotencyKey, owner } = order;
    const known = idempotencyKey === null ? null : this.#records.byIdempotencyKey(owner, idempotencyKey);
    if (known && !isSameOrder(known, photos, order)) throw idempotencyConflict();
    return known;
  }

  /** @throws {Refusal} 503 `queue_full` */
  #checkRoom(owner: Owner): void {
    const { waitingModels: max } = this.#options.limits;
    const taken = this.#waiting.count + this.#making.count;
    const own = this.#waiting.countOf(owner);
    const lack = lackOf(owner, { max, taken, own });
    if (!lack) return;
    const retryAfter = Math.ceil(this.#making.secondsEach);
    throw lack === 'own' ? queueShareUsed(own, retryAfter) : queueFull(max, retryAfter);
  }

  /**
   * In one turn of the event loop with `#record`: the photo can't be deleted before its model is recorded.
   */
  #takePhoto({ path, sha256 }: Omit<OrderedPhotos, 'others'>): void {
    const photo = this.#files.photoPath(sha256);
    if (!existsSync(photo)) renameSync(path, photo);
  }

  #record(photos: OrderedPhotos, order: ModelOrder): ModelRecord {
    const id = randomUUID();
    this.#records.add({
      id,
      photo: photos.sha256,
      others: hashesOf(photos.others),
      ...order,
      account: order.charge?.account ?? null,
      file: randomBytes(24).toString('base64url'),
      createdAt: this.#options.clock(),
    });
    return this.#records.byId(id, order.owner, order.kind)!;
  }

  /** Whole seconds until an unfinished model is finished. */
  #estimate(model: ModelRecord): number {
    const { took } = this.#making;
    const seconds = this.#making.secondsOf(model.id);
    if (seconds !== null) return wholeSeconds(secondsLeft(seconds, took));
    const runningFor = this.#making.runningFor();
    const ahead = this.#waiting.ahead(model);
    return wholeSeconds(secondsToEnd({ slots: this.#parallel, took, runningFor, ahead }));
  }

  /** Starts as many models as there are free slots; called whenever a slot or a model appears. */
  #pump(): void {
    if (this.#isPumping) {
      this.#pumpAgain = true;
      return;
    }
    if (this.#isClosing || this.#waitsForRoom || this.#waiting.count === 0) return;
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
    const passed = new Set<string>();
    while (!this.#isClosing) {
      const model = this.#waiting.next(passed);
      if (!model) return;
      const address = resultAddress(model, maker.version);
      const turn = this.#turnOf(model, address);
      if (turn === 'all wait') return;
      if (turn === 'waits') {
        passed.add(model.id);
        continue;
      }
      this.#waiting.take(model);
      try {
        if (turn === 'is made') this.#outcomes.succeed(model, address, 0);
        else this.#making.begin(maker, model, address);
      } catch (error) {
        if (!isDiskTrouble(error)) throw error;
        this.#waitForRoom(model);
        return;
      }
    }
  }

  /** The start of a model could not be recorded: it keeps its turn, and all models wait a moment. */
  #waitForRoom(model: ModelRecord): void {
    if (this.#isThere(model)) this.#waiting.putBack(model);
    if (this.#waitsForRoom || this.#isClosing) return;
    this.#options.log('warning', 'the disk is full or failing: no model can be made until it can be written');
    const check = (): void => {
      this.#waitsForRoom = this.#hasRoom() ? null : setTimeout(check, roomPause).unref();
      this.#pump();
    };
    this.#waitsForRoom = setTimeout(check, roomPause).unref();
  }

  /** True if the disk doesn't answer: a model that was removed meanwhile is made for nobody. */
  #isThere({ id, owner, kind }: ModelRecord): boolean {
    try {
      return this.#records.byId(id, owner, kind) !== null;
    } catch {
      return true;
    }
  }

  /** Whether the uncounted attempts could be taken back. */
  #hasRoom(): boolean {
    try {
      for (let id = this.#uncounted.at(-1); id !== undefined; id = this.#uncounted.at(-1)) {
        this.#records.countAttempt(id, -1);
        this.#uncounted.pop();
      }
      return true;
    } catch (error) {
      if (!isDiskTrouble(error)) throw error;
      return false;
    }
  }

  /** Decides the next step of a waiting model. */
  #turnOf(model: ModelRecord, address: string): 'is made' | 'all wait' | 'waits' | 'begins' {
    const making = this.#making;
    if (this.#records.result(address)) return 'is made';
    // A previously interrupted model is made alone, and no other overtakes it: if it crashes the engine
    // again, no other model takes the blame.
    if (isSuspect(model) ? making.count > 0 : making.hasSuspect()) return 'all wait';
    if (making.count >= this.#parallel) return 'all wait';
    // The same head is in progress: this model will find it in the store.
    return making.hasAddress(address) ? 'waits' : 'begins';
  }

  /** @returns null if there is none: then all waiting models have failed. */
  async #loadMaker(): Promise<HeadMaker | null> {
    const { loadHeadMaker, log } = this.#options;
    try {
      // After a failure the next model tries again: the cause may have been temporary (memory, a file being
      // replaced).
      this.#maker = loadHeadMaker && (await loadHeadMaker());
      this.#parallel = Math.max(1, this.#maker?.parallel ?? 1);
    } catch (error) {
      log('error', 'the portrait part did not start', error);
    }
    if (!this.#maker) {
      const why = loadHeadMaker ? noStart() : noMaker();
      for (const model of this.#waiting.clear()) this.#outcomes.fail(model, why);
    }
    return this.#maker;
  }
}

const hashesOf = (photos: OrderedPhotos['others'] = []): string[] => photos.map(({ sha256 }) => sha256);

const isSameOrder = (known: ModelRecord, photos: OrderedPhotos, order: ModelOrder): boolean =>
  known.photo === photos.sha256 &&
  known.others.join() === hashesOf(photos.others).join() &&
  known.sex === order.sex &&
  known.eyelidType === order.eyelidType &&
  known.anyway === order.anyway &&
  known.preview === (order.preview ?? false) &&
  JSON.stringify([known.corrections, known.options]) === JSON.stringify([order.corrections, order.options]);
