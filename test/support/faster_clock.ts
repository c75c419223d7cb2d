import { type Clock, systemClock } from '@likeness/node-kit/clock.ts';

/** A clock that runs so many times as fast as the system's. */
export function fasterClock(times: number): Pick<Clock, 'now' | 'elapsed' | 'wait'> {
  const startedAt = Date.now();
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) * times;
  return {
    now: () => startedAt + Math.round(elapsed()),
    elapsed,
    async wait(milliseconds, signal) {
      const until = elapsed() + milliseconds;
      // The system's timers ring up to a millisecond early, which is many of these.
      do await systemClock.wait(Math.ceil(Math.max(0, until - elapsed()) / times), signal);
      while (elapsed() < until);
    },
  };
}
