import { createHash, randomUUID } from 'node:crypto';
import type { Log } from '@likeness/engine/log.ts';
import type { MadeHead } from '@likeness/engine/models/head_maker.ts';
import { cutOff, photoGone, unexpected } from '@likeness/engine/models/model_failures.ts';
import { resultAddress } from '@likeness/engine/models/model_files.ts';
import { headParameters, type ModelKind, type ModelRecord } from '@likeness/engine/models/model_record.ts';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { type Fields, QueueRecords, toFields, toModel } from '../queue/queue_records.ts';
import { connectRedis } from '../queue/redis_connection.ts';
import { keyPrefix } from '../queue/redis_scripts.ts';
import { Tickets, ticketPrefix, ticketQueues } from '../queue/tickets.ts';
import { BlobGone, type BlobStore } from '../store/blob_store.ts';
import { MakerDied, type MakerHost, NotMade } from './maker_host.ts';
import { Slots } from './slots.ts';

export interface ModelWorkerOptions {
  queue: string;
  store: BlobStore;
  maker: MakerHost;
  /** Heads made at the same time. */
  slots: number;
  /** Milliseconds after which another worker takes over the work of a silent one. @default 15000 */
  lease?: number;
  /** Milliseconds before retrying after an error that no photo caused. @default 1000 */
  retryPause?: number;
  log: Log;
}

/** Times that a maker may die over a model before the model fails. */
const maxStrikes = 3;
/** Maximum starts of one model: workers may leave at any moment, which is not the model's fault. */
const maxAttempts = 50;
/** Milliseconds between two heartbeats of a worker. */
const helloPause = 5000;
/** Minimum milliseconds between two reported stages. */
const stagePause = 500;

/** A model that this worker is making. */
interface Taken {
  key: string;
  ticket: string;
  model: ModelRecord;
  fields: Fields;
  cancel: AbortController;
}

/**
 * Takes models from the queue and makes them, on any machine that reaches queue and store. A worker may leave
 * or die at any moment. Another one then makes its models, and the first result is written, once.
 */
export class ModelWorker {
  readonly #options: Required<ModelWorkerOptions>;
  readonly #id = randomUUID();
  readonly #redis: Redis;
  readonly #records: QueueRecords;
  readonly #tickets: Tickets;
  readonly #workers: readonly Worker[];
  readonly #slots: Slots;
  readonly #taken = new Map<string, Taken>();
  readonly #timers: NodeJS.Timeout[];
  #isDraining = false;

  private constructor(options: ModelWorkerOptions, redis: Redis) {
    this.#options = { lease: 15_000, retryPause: 1000, ...options };
    const { lease, slots } = this.#options;
    this.#redis = redis;
    this.#records = new QueueRecords(redis);
    this.#tickets = new Tickets(redis, this.#onProblem);
    this.#slots = new Slots(slots);
    const kinds = Object.keys(ticketQueues) as ModelKind[];
    this.#workers = kinds.map((kind) => {
      const worker = new Worker(ticketQueues[kind], ({ id = '' }) => this.#useTicket(id, kind), {
        connection: redis,
        prefix: ticketPrefix,
        concurrency: slots,
        lockDuration: lease,
        stalledInterval: lease,
        // Stalls are not counted per ticket: models have separate counters.
        maxStalledCount: 1_000_000,
      });
      worker.on('error', this.#onProblem);
      return worker;
    });
    const every = (milliseconds: number, work: () => Promise<unknown>): NodeJS.Timeout =>
      setInterval(() => work().catch(this.#onProblem), milliseconds);
    this.#timers = [
      every(lease / 3, () => this.#renew()),
      every(lease, () => this.#mend()),
      every(helloPause, () => this.#hello()),
    ];
  }

  /** Starts taking models. Rejects if Redis is unreachable. */
  static async start(options: ModelWorkerOptions): Promise<ModelWorker> {
    const redis = await connectRedis(options.queue, 'waits', (error) =>
      options.log('warning', 'the queue’s Redis can’t be reached', error),
    );
    const worker = new ModelWorker(options, redis);
    await worker.#hello();
    return worker;
  }

  /**
   * Takes no more models and finishes the current ones. After `grace` ms other workers take over the
   * unfinished.
   */
  async drain(grace: number): Promise<void> {
    this.#isDraining = true;
    const giveUp = setTimeout(() => {
      for (const { cancel } of this.#taken.values()) cancel.abort();
    }, grace);
    await Promise.all(this.#workers.map((worker) => worker.close()));
    clearTimeout(giveUp);
    for (const timer of this.#timers) clearInterval(timer);
    await this.#redis.zrem(`${keyPrefix}workers`, this.#name).catch(() => {});
    await this.#options.maker.close();
    await this.#tickets.close();
    this.#redis.disconnect();
  }

  get #name(): string {
    return `${this.#id}|${this.#options.slots}`;
  }

  /** A ticket is used up when its model has ended, or waits again with another ticket. */
  async #useTicket(ticket: string, kind: ModelKind): Promise<void> {
    await this.#slots.enter();
    try {
      if (this.#isDraining) {
        await this.#tickets.add(kind);
        return;
      }
      const [key, list] = await this.#records.run<[string?, string[]?]>(
        'take',
        ticket,
        kind,
        this.#options.lease,
      );
      if (key === undefined || !list) return;
      const fields = toFields(list);
      const taken = { key, ticket, model: toModel(fields), fields, cancel: new AbortController() };
      this.#taken.set(key, taken);
      if (Number(fields.strikes ?? 0) > 0) {
        this.#slots.leave();
        await this.#slots.enter(true);
      }
      await this.#make(taken);
    } finally {
      this.#slots.leave();
    }
  }

  async #make(taken: Taken): Promise<void> {
    const { key, model } = taken;
    try {
      const attempts = await this.#records.run<number>('begin', key);
      if (attempts === 0) return;
      if (attempts > maxAttempts) {
        await this.#fail(taken, cutOff(maxAttempts), `begun ${maxAttempts} times`);
        return;
      }
      const { maker, store } = this.#options;
      const { sha256 = '', othersSha256 = '[]' } = taken.fields;
      const hashes = { photo: sha256, others: JSON.parse(othersSha256) as string[] };
      const address = resultAddress({ ...model, ...hashes }, await maker.version());
      // The same head already exists.
      if (await this.#complete(taken, address, null)) return;
      const photo = await store.load(model.photo);
      const others = await Promise.all(model.others.map((one) => store.load(one)));
      const since = performance.now();
      const onStage = this.#stageTeller(key);
      const { signal } = taken.cancel;
      const made = await maker.make({ ...headParameters(model), photo, others, onStage, signal });
      await this.#complete(taken, address, { ...made, seconds: (performance.now() - since) / 1000 });
    } catch (error) {
      await this.#endWithout(taken, error);
    } finally {
      this.#taken.delete(key);
    }
  }

  /** @returns false if there is no such head yet and none was given */
  async #complete(
    { key, model, fields }: Taken,
    address: string,
    made: (MadeHead & { seconds: number }) | null,
  ): Promise<boolean> {
    const { store } = this.#options;
    if (!made) {
      const had = await this.#records.run<string>('complete', key, address, '', '', 0, 0, '');
      if (had !== '') await this.#dropPhotos(model);
      return had !== '';
    }
    const sha256 = createHash('sha256').update(made.glb).digest('hex');
    const name = `results/${fields.scope}/${sha256}.${model.id}.glb`;
    await store.put(name, made.glb);
    const had = await this.#records.run<string>(
      'complete',
      key,
      address,
      name,
      sha256,
      made.glb.length,
      made.seconds,
      made.photos ? JSON.stringify(made.photos) : '',
    );
    // Another worker finished first with other bytes, the head exists for another model, or the order was
    // cancelled.
    if (had !== name) await store.remove(name);
    await this.#dropPhotos(model);
    return true;
  }

  /** Decides what follows when making a model gave no head. */
  async #endWithout(taken: Taken, error: unknown): Promise<void> {
    const { log, retryPause } = this.#options;
    if (error instanceof MakerDied) {
      const strikes = await this.#records.run<number>('strike', taken.key);
      log('warning', `a maker died over a photo, ${strikes} of ${maxStrikes} times`, error);
      if (strikes >= maxStrikes) await this.#fail(taken, cutOff(strikes), error.message);
      else await this.#giveBack(taken);
    } else if (taken.cancel.signal.aborted || this.#isDraining) {
      await this.#giveBack(taken);
    } else if (error instanceof NotMade) {
      if (error.reason) log('info', `no head could be made: ${error.reason.en}`);
      else log('error', 'a head could not be made', error);
      await this.#fail(taken, error.reason ?? unexpected(), error.reason ? '' : error.message);
    } else if (error instanceof BlobGone) {
      await this.#fail(taken, photoGone(), 'its photo is gone from the store');
    } else {
      // An error of the store, the queue or a maker that doesn't start: not the photo's fault, and likely
      // over soon.
      log('warning', 'a head could not be made now and is tried again', error);
      await new Promise((resolve) => setTimeout(resolve, retryPause));
      // No model fails because the store is unreachable or its disk is full, however long.
      await this.#giveBack(taken, true);
    }
  }

  async #fail({ key, model }: Taken, why: { en: string; zh: string }, dead: string): Promise<void> {
    await this.#records.run('fail', key, why.en, why.zh, dead.slice(0, 2000));
    await this.#dropPhotos(model);
  }

  /** Queues the model again with a new ticket. @param isNobodysFault This attempt doesn't count. */
  async #giveBack({ key, ticket, model }: Taken, isNobodysFault = false): Promise<void> {
    const waits = await this.#records.run<number>('giveBack', key, ticket, Number(isNobodysFault));
    if (waits === 1) await this.#tickets.add(model.kind);
  }

  /** A later sweep finds photos that remain. */
  async #dropPhotos({ photo, others }: ModelRecord): Promise<void> {
    const { store, log } = this.#options;
    for (const one of [photo, ...others]) {
      await store
        .remove(one)
        .catch((error: unknown) => log('warning', 'a photo could not be deleted', error));
    }
  }

  #stageTeller(key: string): (name: string, progress: number) => void {
    let last = 0;
    return (name, progress) => {
      const now = performance.now();
      if (now - last < stagePause) return;
      last = now;
      this.#records.run('stage', key, name, progress).catch(this.#onProblem);
    };
  }

  async #renew(): Promise<void> {
    const keys = [...this.#taken.keys()];
    if (keys.length === 0) return;
    const gone = await this.#records.run<string[]>('renew', this.#options.lease, ...keys);
    for (const key of gone) this.#taken.get(key)?.cancel.abort();
  }

  async #mend(): Promise<void> {
    const [, waiting] = await this.#records.run<[number, string[]]>('reclaim');
    await this.#tickets.mend(toFields(waiting));
  }

  async #hello(): Promise<void> {
    await this.#records.run('hello', this.#name);
  }

  readonly #onProblem = (error: unknown): void =>
    this.#options.log('warning', 'the queue could not be asked', error);
}
