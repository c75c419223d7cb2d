import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { EngineLimits } from '@likeness/engine/http/limits.ts';
import type { Log } from '@likeness/engine/log.ts';
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
} from '@likeness/engine/models/model_jobs.ts';
import {
  type ModelKind,
  type ModelRecord,
  modelState,
  type Owner,
} from '@likeness/engine/models/model_record.ts';
import { idempotencyConflict, queueFull, queueShareUsed } from '@likeness/engine/models/order_refusals.ts';
import {
  secondsLeft,
  secondsToEnd,
  typicalSeconds,
  wholeSeconds,
} from '@likeness/engine/models/wait_estimate.ts';
import type { Redis } from 'ioredis';
import type { BlobStore } from '../store/blob_store.ts';
import { endsKey, toModelEnd } from './model_ends.ts';
import { idempotencyKeyName, modelKey, QueueRecords, scopeOf, toFields, toModel } from './queue_records.ts';
import { connectRedis } from './redis_connection.ts';
import { keyPrefix } from './redis_scripts.ts';
import { refusingOutages } from './storage_refusal.ts';
import { Tickets } from './tickets.ts';

export interface RedisModelJobsOptions {
  /** `redis://…` or `rediss://…`. */
  queue: string;
  store: BlobStore;
  limits: Pick<EngineLimits, 'waitingModels' | 'keep'>;
  log: Log;
}

/** Models that a sweep removes between two checks. */
const sweepStep = 500;
/** Milliseconds after which a file without a record counts as left by a crash. */
const orphanAge = 3_600_000;
/** Seconds between two searches for such files, by the first machine to start one. */
const orphanPause = 6 * 3600;

/** A model's outlook, as the script `outlook` returns it. */
type Outlook = [ahead: number, since: string[], speeds: string[], workers: string[], begun: string];

/** Number of models that all workers can make at the same time, as each reports. */
const slotsOf = (workers: readonly string[]): number =>
  workers.reduce((sum, worker) => sum + Number(worker.split('|')[1] ?? 1), 0);

/** Whole seconds until a model is finished. */
function secondsOf([ahead, since, speeds, workers, begun]: Outlook): number {
  const took = speeds.map(Number);
  if (begun !== '') return wholeSeconds(secondsLeft(Number(begun), took));
  const slots = Math.max(1, slotsOf(workers));
  return wholeSeconds(secondsToEnd({ slots, took, runningFor: since.map(Number), ahead }));
}

/** A row of `measures`. */
type KindRow = [queued: number, running: number, oldestSeconds: string];
const toMeasures = ([queued, running, oldest]: KindRow): KindMeasures => ({
  queued,
  running,
  oldestSeconds: Number(oldest),
});

/**
 * The models of many machines: records and queue in Redis, files in a store, made by workers on any machine.
 */
export class RedisModelJobs implements ModelJobs {
  readonly renamesPhotos = false;
  readonly #options: RedisModelJobsOptions;
  readonly #redis: Redis;
  readonly #records: QueueRecords;
  readonly #tickets: Tickets;
  readonly #listeners = new Set<(change: ModelChange) => void>();
  /** Tickets of models that are already recorded. */
  readonly #pendingTickets = new Set<Promise<void>>();
  #subscriber: Promise<Redis> | null = null;

  private constructor(options: RedisModelJobsOptions, redis: Redis) {
    this.#options = options;
    this.#redis = redis;
    this.#records = new QueueRecords(redis);
    this.#tickets = new Tickets(redis, this.#onProblem);
  }

  /** Rejects if Redis is unreachable. */
  static async open(options: RedisModelJobsOptions): Promise<RedisModelJobs> {
    const redis = await connectRedis(options.queue, 'asks', (error) =>
      options.log('warning', 'the queue’s Redis can’t be reached', error),
    );
    return new RedisModelJobs(options, redis);
  }

  async submit(
    { path, sha256, others: further = [] }: OrderedPhotos,
    order: ModelOrder,
  ): Promise<{ id: string; waitTime: number }> {
    const { owner, kind, priority, idempotencyKey, charge, ...ordered } = order;
    const id = randomUUID();
    const scope = scopeOf(owner);
    // A copy for this model alone: no other model's end deletes it.
    const photo = `photos/${scope}/${sha256}.${id}`;
    const others = further.map((one, i) => `photos/${scope}/${one.sha256}.${id}.${i + 1}`);
    const furtherHashes = further.map((one) => one.sha256);
    const hash = createHash('sha256')
      .update(JSON.stringify([sha256, kind, ordered, ...furtherHashes]))
      .digest('hex');
    const idem = idempotencyKey === null ? '' : idempotencyKeyName(owner, idempotencyKey);
    const { store, limits } = this.#options;
    await refusingOutages(() => store.putFile(photo, path));
    for (const [i, one] of further.entries())
      await refusingOutages(() => store.putFile(others[i]!, one.path));
    const fields = {
      id,
      owner: owner ?? '',
      scope,
      kind,
      priority,
      photo,
      sha256,
      ...(further.length > 0 && {
        others: JSON.stringify(others),
        othersSha256: JSON.stringify(furtherHashes),
      }),
      ordered: JSON.stringify(ordered),
      ...(charge && { account: charge.account, call: charge.call }),
      file: randomBytes(24).toString('base64url'),
    };
    const [what, key, outlook] = await refusingOutages(() =>
      this.#records.run<['new' | 'known' | 'conflict' | 'full' | 'own', string?, Outlook?]>(
        'submit',
        modelKey(id, owner, kind),
        idem,
        hash,
        limits.waitingModels,
        limits.keep,
        scope,
        ...Object.entries(fields).flat(),
      ),
    );
    if (what !== 'new') for (const one of [photo, ...others]) await store.remove(one).catch(() => {});
    if (what === 'conflict') throw idempotencyConflict();
    if (what === 'own') throw queueShareUsed(Number(key), Math.ceil(typicalSeconds([])));
    if (what === 'full') throw queueFull(limits.waitingModels, Math.ceil(typicalSeconds([])));
    if (what === 'known') {
      const model = toModel((await refusingOutages(() => this.#records.fields(key!))) ?? {});
      return { id: model.id, waitTime: await this.waitTime(model) };
    }
    // Not awaited: if the ticket is lost, any worker's periodic check replaces it.
    const ticket: Promise<void> = this.#tickets
      .add(kind)
      .catch(this.#onProblem)
      .finally(() => this.#pendingTickets.delete(ticket));
    this.#pendingTickets.add(ticket);
    return { id, waitTime: secondsOf(outlook!) };
  }

  async find(id: string, owner: Owner, kind: ModelKind = 'head'): Promise<ModelRecord | null> {
    const fields = await refusingOutages(() => this.#records.fields(modelKey(id, owner, kind)));
    return fields && toModel(fields);
  }

  async waitTime(model: Pick<ModelRecord, 'id' | 'owner' | 'kind' | 'state'>): Promise<number> {
    if (model.state !== modelState.processing) return 0;
    const key = modelKey(model.id, model.owner, model.kind);
    const outlook = await refusingOutages(() =>
      this.#records.run<Outlook>('outlook', key).catch((error: unknown) => {
        // The model was cancelled just now.
        if (/nil|number/.test(String(error))) return [0, [], [], [], ''] satisfies Outlook;
        throw error;
      }),
    );
    return secondsOf(outlook);
  }

  async stageOf({ id, owner, kind }: ModelRecord): Promise<MakingStage | null> {
    const [name, progress] = await refusingOutages(() =>
      this.#redis.hmget(modelKey(id, owner, kind), 'stage', 'progress'),
    );
    return name ? { name, progress: Number(progress) } : null;
  }

  async remove(id: string, owner: Owner, kind: ModelKind = 'head'): Promise<boolean> {
    return this.#remove(modelKey(id, owner, kind));
  }

  async removeAll(owner: string): Promise<number> {
    const keys = await refusingOutages(() => this.#redis.smembers(`${keyPrefix}of:${scopeOf(owner)}`));
    let removed = 0;
    for (const key of keys) if (await this.#remove(key)) removed += 1;
    return removed;
  }

  async result(file: string): Promise<ModelResult | null> {
    const [owner, list] = await refusingOutages(() =>
      this.#records.run<[string?, string[]?]>('result', file),
    );
    if (!list) return null;
    const { name, sha256, bytes } = toFields(list);
    return {
      owner: owner || null,
      sha256: sha256 ?? '',
      bytes: Number(bytes),
      open: (range) => refusingOutages(() => this.#options.store.open(name ?? '', range)),
    };
  }

  /** Each model has its own copy of a photo here. */
  async dropPhoto(): Promise<void> {}

  async load(): Promise<Load> {
    const { head, image } = (await this.measures()).kinds;
    return { queued: head.queued + image.queued, running: head.running + image.running };
  }

  async measures(): Promise<QueueMeasures> {
    const [head, image, workers] = await refusingOutages(() =>
      this.#records.run<[KindRow, KindRow, string[]]>('measures'),
    );
    return { kinds: { head: toMeasures(head), image: toMeasures(image) }, slots: slotsOf(workers) };
  }

  watch(listener: (change: ModelChange) => void): () => void {
    this.#listeners.add(listener);
    this.#subscriber ??= this.#subscribe();
    this.#subscriber.catch(() => {});
    return () => void this.#listeners.delete(listener);
  }

  async completions(after: string | null, max: number): Promise<Completion[]> {
    const made: Completion[] = [];
    for (let from = after === null ? '-' : `(${after}`; ; ) {
      const rows = await refusingOutages(() =>
        this.#redis.xrange(endsKey, from, '+', 'COUNT', Math.max(1, max - made.length)),
      );
      const ends = rows.map(([cursor, list]) => toModelEnd(cursor, list));
      made.push(...ends.filter(({ isMade }) => isMade).map(({ isMade, ...completion }) => completion));
      const last = ends.at(-1);
      if (!last || made.length >= max) return made;
      from = `(${last.cursor}`;
    }
  }

  /** Returns failed models, newest first, each with its reason. */
  async deadLetters(max: number): Promise<{ id: string; owner: Owner; kind: ModelKind; reason: string }[]> {
    const keys = await refusingOutages(() => this.#redis.zrevrange(`${keyPrefix}dead`, 0, max - 1));
    const all = await Promise.all(keys.map((key) => this.#records.fields(key)));
    return all.flatMap((fields) => {
      if (!fields) return [];
      const { id, owner, kind } = toModel(fields);
      return [{ id, owner, kind, reason: fields.dead ?? '' }];
    });
  }

  async sweep(): Promise<void> {
    const [, waiting] = await this.#records.run<[number, string[]]>('reclaim');
    await this.#tickets.mend(toFields(waiting));
    for (;;) {
      const old = await this.#records.run<string[]>('old', this.#options.limits.keep, sweepStep);
      for (const key of old) await this.#remove(key, true);
      if (old.length < sweepStep) break;
    }
    const isMine = await this.#redis.set(`${keyPrefix}orphans`, '1', 'EX', orphanPause, 'NX');
    if (isMine) await this.#removeOrphans();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    (await this.#subscriber?.catch(() => null))?.disconnect();
    await Promise.all(this.#pendingTickets);
    await this.#tickets.close();
    this.#redis.disconnect();
  }

  readonly #onProblem = (error: unknown): void =>
    this.#options.log('warning', 'the queue’s Redis can’t be reached', error);

  async #remove(key: string, isOld = false): Promise<boolean> {
    const [removed, files] = await refusingOutages(() =>
      this.#records.run<[number, string[]]>('remove', key, Number(isOld)),
    );
    for (const name of files) {
      // A later sweep finds files that remain: no record names them any more.
      await this.#options.store
        .remove(name)
        .catch((error: unknown) => this.#options.log('warning', 'a file could not be deleted', error));
    }
    return removed === 1;
  }

  /** Deletes files that a crash left without a record. */
  async #removeOrphans(): Promise<void> {
    const { store } = this.#options;
    for (const folder of ['photos', 'results']) {
      for await (const { name, writtenAt } of store.list(folder)) {
        if (Date.now() - writtenAt < orphanAge) continue;
        if (!(await this.#redis.sismember(`${keyPrefix}blobs`, name))) await store.remove(name);
      }
    }
  }

  async #subscribe(): Promise<Redis> {
    const subscriber = await connectRedis(this.#options.queue, 'waits', this.#onProblem);
    subscriber.on('message', (_channel, text: string) => {
      const [id, owner, kind, state] = JSON.parse(text) as [string, string, ModelKind, ModelChange['state']];
      for (const listener of this.#listeners) listener({ id, owner: owner || null, kind, state });
    });
    await subscriber.subscribe(`${keyPrefix}changes`);
    return subscriber;
  }
}
