import { cpus } from 'node:os';

/**
 * Measures the load of this machine's cores, from all processes. Each call returns every core's busy share
 * since the previous call (the first: since creation), 0..1.
 */
export function coreShares(): () => number[] {
  const read = () =>
    cpus().map(({ times }) => {
      const all = Object.values(times).reduce((sum, part) => sum + part, 0);
      return { all, busy: all - times.idle };
    });
  let before = read();
  return () => {
    const now = read();
    const shares = now.map(({ all, busy }, core) => {
      const since = before[core] ?? { all: 0, busy: 0 };
      return all > since.all ? (busy - since.busy) / (all - since.all) : 0;
    });
    before = now;
    return shares;
  };
}
