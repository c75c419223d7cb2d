import type { ModelKind } from '@likeness/engine/models/model_record.ts';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** Prefix of BullMQ's own keys. */
export const ticketPrefix = '{likeness}:tickets';

/** BullMQ's queues by kind of model. */
export const ticketQueues = { head: 'heads', image: 'images' } as const satisfies Record<ModelKind, string>;

/**
 * Tickets for waiting models: each is the right to make one model, without naming it. BullMQ hands tickets to
 * workers, monitors them, and reissues the tickets of dead workers.
 *
 * A worker with a ticket takes the next model in turn (`take` in the records), and the same model again with
 * the same ticket. So owners take turns at any queue length. BullMQ itself offers this only for groups in its
 * paid edition.
 */
export class Tickets {
  readonly #queues: Readonly<Record<ModelKind, Queue>>;
  /** Tickets missing at the last check, by kind. */
  readonly #missing = new Map<string, number>();

  constructor(redis: Redis, onProblem: (error: Error) => void) {
    const open = (name: string): Queue => {
      const queue = new Queue(name, { connection: redis, prefix: ticketPrefix });
      queue.on('error', onProblem);
      return queue;
    };
    this.#queues = { head: open(ticketQueues.head), image: open(ticketQueues.image) };
  }

  async add(kind: ModelKind, count = 1): Promise<void> {
    const ticket = { name: 'make', data: {}, opts: { removeOnComplete: true, removeOnFail: true } };
    if (count === 1) await this.#queues[kind].add(ticket.name, ticket.data, ticket.opts);
    else await this.#queues[kind].addBulk(Array.from({ length: count }, () => ticket));
  }

  /**
   * Replaces lost tickets: after a crash between a model's record and its ticket, or after Redis lost its
   * data. Counts tickets that are missing at two checks in a row. An extra ticket does no harm.
   *
   * @param waiting Waiting models, by kind.
   */
  async mend(waiting: Readonly<Partial<Record<string, string>>>): Promise<void> {
    for (const kind of ['head', 'image'] as const) {
      const { wait = 0, delayed = 0 } = await this.#queues[kind].getJobCounts('wait', 'delayed');
      const missing = Math.max(0, Number(waiting[kind] ?? 0) - wait - delayed);
      const since = Math.min(missing, this.#missing.get(kind) ?? 0);
      this.#missing.set(kind, missing - since);
      if (since > 0) await this.add(kind, since);
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#queues).map((queue) => queue.close()));
  }
}
