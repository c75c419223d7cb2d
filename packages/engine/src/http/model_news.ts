import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ModelChange, ModelJobs } from '../models/model_jobs.ts';
import type { RequestContext } from './request_context.ts';

/** Longest that a caller may wait for a change, seconds: less than a connection may be silent for. */
const longestWait = 50;
/** Milliseconds after which a stream of events says that it is still there. */
const heartbeat = 15_000;

/**
 * Tells callers of changes of models, so that they need not ask again and again: those that wait for one model, and
 * those that follow all of an owner's. One watch of the queue serves them all.
 */
export class ModelNews {
  readonly #queue: Pick<ModelJobs, 'watch'>;
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #followers = new Set<(change: ModelChange) => void>();
  readonly #streams = new Set<ServerResponse>();
  #unwatch: (() => void) | null = null;
  #isClosed = false;

  constructor(queue: Pick<ModelJobs, 'watch'>) {
    this.#queue = queue;
  }

  /** How long a request prefers to wait (RFC 7240, `Prefer: wait=30`), seconds; 0 where it doesn't. */
  static preferredWait(prefer: string | string[] | undefined): number {
    const wait = /(?:^|[,;\s])wait=(\d{1,9})\s*(?:$|[,;])/i.exec(String(prefer ?? ''))?.[1];
    return Math.min(longestWait, Number(wait ?? 0));
  }

  /**
   * Begins to listen for a model's next change. Begin before the model is looked up: what changes in between is
   * heard, too.
   */
  next(id: string): { changed(seconds: number, response: ServerResponse): Promise<void>; stop(): void } {
    this.#watch();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(resolve));
    const stop = (): void => {
      waiting.delete(resolve);
      if (waiting.size === 0) this.#waiting.delete(id);
    };
    return {
      stop,
      changed: async (seconds, response) => {
        const timer = setTimeout(resolve, 1000 * seconds);
        response.once('close', resolve);
        if (this.#isClosed) resolve();
        await promise;
        clearTimeout(timer);
        response.off('close', resolve);
        stop();
      },
    };
  }

  /** Extension `model-events`: server-sent events of all changes of the caller's models, until one side ends. */
  async follow({ response, caller }: Pick<RequestContext, 'response' | 'caller'>): Promise<void> {
    this.#watch();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 2000\n\n');
    const notify = ({ id, owner, kind, state }: ModelChange): void => {
      if (owner !== caller.owner || kind !== 'head') return;
      // Who doesn't read is let go, and asks for what it missed when it is back.
      if (response.writableNeedDrain) response.destroy();
      else response.write(`event: model\ndata: ${JSON.stringify({ modelId: id, status: state })}\n\n`);
    };
    const beating = setInterval(() => response.write(':\n\n'), heartbeat);
    this.#followers.add(notify);
    this.#streams.add(response);
    if (this.#isClosed) response.end();
    if (!response.closed) await once(response, 'close').catch(() => {});
    clearInterval(beating);
    this.#followers.delete(notify);
    this.#streams.delete(response);
  }

  /** Sends home all who wait: this listener is about to close. */
  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
    for (const waiting of this.#waiting.values()) for (const resolve of waiting) resolve();
    for (const response of this.#streams) response.end();
  }

  #watch(): void {
    if (this.#isClosed) return;
    this.#unwatch ??= this.#queue.watch((change) => {
      for (const resolve of this.#waiting.get(change.id) ?? []) resolve();
      for (const notify of this.#followers) notify(change);
    });
  }
}
