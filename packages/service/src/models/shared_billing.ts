import type { ModelJobs } from '@likeness/engine/models/model_jobs.ts';
import { modelState } from '@likeness/engine/models/model_record.ts';
import type { Journal } from '@likeness/journal/journal.ts';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import type { KeyRing } from '../keys/key_ring.ts';
import { endsKey, type ModelEnd, toModelEnd } from '../queue/model_ends.ts';
import type { Redis } from '../queue/redis_connection.ts';
import { billedIn, madeModelLine } from './made_model.ts';

export interface SharedBillingOptions {
  redis: Redis;
  queue: Pick<ModelJobs, 'watch'>;
  journal: Pick<Journal, 'shared' | 'database'>;
  ring: Pick<KeyRing, 'byId'>;
  /** This node's name among those that share the queue. */
  node: string;
  /** Called when a model's line is in the journal. */
  onBilled: () => void;
  /** Called when a model has ended; again if the node dies before this resolves. */
  onEnd: (end: ModelEnd) => Promise<void>;
  onProblem: (error: unknown) => void;
}

/** The nodes form a consumer group: each end goes to one of them. */
const group = 'billing';
const page = 200;
/** Interval of the search for missed ends, and the idle time after which a node counts as dead. */
const sweepEvery = 60_000;

type StreamRows = [id: string, fields: string[] | null][];

/**
 * Bills each shared model once, to the key that ordered it first, in the journal of one node. The nodes take
 * ends of models in turn; another node takes over from a dead one.
 *
 * A node that dies between writing and acknowledging a line may leave a duplicate in another node's journal.
 * The sums on Redis still count the model once.
 */
export class SharedBilling {
  readonly #options: SharedBillingOptions;
  readonly #inTurn = createMutex();
  readonly #unwatch: () => void;
  readonly #sweeping: NodeJS.Timeout;
  readonly #isBilled: (model: string) => boolean;
  #isAsked = false;

  constructor(options: SharedBillingOptions) {
    this.#options = options;
    this.#isBilled = billedIn(options.journal);
    this.#unwatch = options.queue.watch(({ state }) => {
      if (state !== modelState.processing) this.#ask();
    });
    this.#sweeping = setInterval(() => this.#later(() => this.#sweep()), sweepEvery).unref();
    this.#later(() => this.#sweep());
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#unwatch();
    await this.#inTurn(() => this.#readOn('>')).catch(this.#options.onProblem);
  }

  /** Combines many changes at about the same time into one read. */
  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#later(async () => {
      this.#isAsked = false;
      await this.#readOn('>');
    });
  }

  /** Reads missed ends: of this node before it died, of dead nodes, and of all nodes while none listened. */
  async #sweep(): Promise<void> {
    await this.#readOn('0');
    const { redis, node } = this.#options;
    const [, rows] = (await redis.xautoclaim(endsKey, group, node, sweepEvery, '0', 'COUNT', page)) as [
      string,
      StreamRows,
    ];
    await this.#take(rows);
    await this.#readOn('>');
  }

  /**
   * @param from `>`: ends that no node has taken; `0`: ends that this node has taken and not acknowledged.
   */
  async #readOn(from: '>' | '0'): Promise<void> {
    for (;;) {
      const rows = await this.#read(from);
      await this.#take(rows);
      if (rows.length < page) return;
    }
  }

  async #read(from: '>' | '0'): Promise<StreamRows> {
    const { redis, node } = this.#options;
    const read = (): Promise<unknown> =>
      redis.xreadgroup('GROUP', group, node, 'COUNT', page, 'STREAMS', endsKey, from);
    const answer = (await read().catch(async (error: unknown) => {
      if (!String(error).includes('NOGROUP')) throw error;
      // The first node creates the group; so does any node after Redis lost its data.
      await redis.xgroup('CREATE', endsKey, group, '0', 'MKSTREAM').catch(() => {});
      return read();
    })) as [string, StreamRows][] | null;
    return answer?.[0]?.[1] ?? [];
  }

  async #take(rows: StreamRows): Promise<void> {
    const { redis, onEnd } = this.#options;
    if (rows.length === 0) return;
    // In parallel, so that their lines share a flush of the journal.
    const work = rows.map(async ([cursor, list]) => {
      // Null: trimmed for age since it was taken.
      if (!list) return;
      const end = toModelEnd(cursor, list);
      if (end.isMade && end.account !== '') await this.#bill(end);
      await onEnd(end);
    });
    await Promise.all(work);
    await redis.xack(endsKey, group, ...rows.map(([cursor]) => cursor));
  }

  async #bill(end: ModelEnd): Promise<void> {
    const { journal, ring, onBilled } = this.#options;
    if (this.#isBilled(end.id)) return;
    const { account: keyId, owner: tenant } = end;
    const keyName = ring.byId(keyId)?.name ?? keyId;
    await journal.shared.append(madeModelLine(end, { keyId, keyName, tenant }));
    onBilled();
  }

  #later(work: () => Promise<void>): void {
    this.#inTurn(work).catch(this.#options.onProblem);
  }
}
