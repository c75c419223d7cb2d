import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ModelChange, ModelJobs } from '../models/model_jobs.ts';
import type { RequestContext } from './request_context.ts';

/** Longest wait for a change, seconds: shorter than a connection may be idle. */
const longestWait = 50;
/** Milliseconds between the keep-alive messages of an event stream. */
const heartbeat = 15_000;

/**
 * Notifies callers of changes to models, so that they need not poll: callers waiting for one model, and
 * followers of all models of an owner. A single watch of the queue serves them all.
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

  /** How long a request prefers to wait (RFC 7240, `Prefer: wait=30`), seconds; 0 by default. */
  static preferredWait(prefer: string | string[] | undefined): number {
    const wait = /(?:^|[,;\s])wait=(\d{1,9})\s*(?:$|[,;])/i.exec(String(prefer ?? ''))?.[1];
    return Math.min(longestWait, Number(wait ?? 0));
  }

  /**
   * Starts listening for a model's next change. Call it before looking the model up, so that a change in
   * between is noticed too.
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
      // A caller that doesn't read is disconnected. It queries its models when it reconnects.
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

  /** Ends all waits: this listener is about to close. */
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
