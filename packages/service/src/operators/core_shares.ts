import { cpus } from 'node:os';

/**
 * Watches how busy the cores of this machine are. Each call returns the share of the time since the one before (the
 * first: since this began) that each was busy, 0..1, whoever kept it so.
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
