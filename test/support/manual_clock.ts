import type { Clock } from '@likeness/node-kit/clock.ts';

export interface ManualClock {
  clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  /** Calls back a tenth of a millisecond later: who asks again and again lets time pass. */
  soon(callback: () => void): void;
  /** Puts the clock forward. What falls due is called in order, each when the system has done what came before. */
  advance(milliseconds: number): Promise<void>;
}

/** A clock that stands still until a test puts it forward. */
export function manualClock(startedAt = Date.UTC(2026, 10, 3, 12)): ManualClock {
  let time = 0;
  const timers = new Set<{ dueAt: number; callback: () => void }>();
  const schedule = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { dueAt: time + milliseconds, callback };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    clock: {
      now: () => startedAt + time,
      elapsed: () => time,
      // As Node's timers, which wait for a millisecond at least.
      after: (milliseconds, callback) => schedule(Math.max(1, milliseconds), callback),
    },
    soon: (callback) => void schedule(0.1, callback),
    async advance(milliseconds) {
      const end = time + milliseconds;
      for (;;) {
        await turn();
        const [next] = [...timers].sort((a, b) => a.dueAt - b.dueAt);
        if (!next || next.dueAt > end) break;
        timers.delete(next);
        time = next.dueAt;
        next.callback();
      }
      time = end;
    },
  };
}
