/**
 * Signals within this time count as one. npm repeats the terminal's signal, and the package `when-exit` sends each
 * signal to its own process again.
 */
const sameSignalWithinMs = 500;

/** @returns A signal listener: the first signal starts an orderly exit, a later one exits at once. */
export function endSignalListener(
  end: (signal: NodeJS.Signals) => void,
  endNow: (signal: NodeJS.Signals) => void,
): (signal: NodeJS.Signals) => void {
  let askedAt: number | null = null;
  return (signal) => {
    if (askedAt === null) {
      askedAt = performance.now();
      end(signal);
    } else if (performance.now() - askedAt > sameSignalWithinMs) endNow(signal);
  };
}
