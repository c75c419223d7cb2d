/**
 * Time, passed in so that tests can control it. Modules require only the parts that they use, such as
 * `Pick<Clock, 'now' | 'wait'>`.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. May jump. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. */
  elapsed(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason if it is aborted first. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after some milliseconds, unless the returned function is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const abort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    }),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
