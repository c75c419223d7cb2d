import type { CallRecord } from '@likeness/journal/metered_call.ts';

/** Milliseconds whose refused calls share a line. */
const defaultInterval = 60_000;

/**
 * Counts calls that were refused for their rate or their number. They cost nothing, but a line for each would fill
 * the disk: one key made 60 GB a day. Those of a key, an operation and a reason within a minute share a line.
 */
export class RefusedCalls {
  readonly #write: (call: CallRecord) => Promise<unknown>;
  readonly #alike = new Map<string, { call: CallRecord; count: number }>();
  readonly #flushing: NodeJS.Timeout;

  constructor(write: (call: CallRecord) => Promise<unknown>, interval = defaultInterval) {
    this.#write = write;
    this.#flushing = setInterval(() => void this.#flush(), interval).unref();
  }

  add(call: CallRecord): void {
    const name = JSON.stringify([call.profileId, call.operation, call.httpStatus, call.message]);
    const alike = this.#alike.get(name);
    if (!alike) {
      this.#alike.set(name, { call, count: 1 });
      return;
    }
    alike.count += 1;
    const { bytesReceived, bytesSent } = alike.call;
    alike.call = {
      ...call,
      bytesReceived: bytesReceived + call.bytesReceived,
      bytesSent: bytesSent + call.bytesSent,
    };
  }

  /** Resolves when all lines are written, or writing has failed. */
  async close(): Promise<void> {
    clearInterval(this.#flushing);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const all = [...this.#alike.values()];
    this.#alike.clear();
    await Promise.all(
      all.map(({ call, count }) => this.#write({ ...call, message: `${call.message}, ${count} calls` })),
    );
  }
}
