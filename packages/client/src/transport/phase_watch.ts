/** Something with a moving deadline. */
export interface Watched {
  /** Checks whether its deadline has passed. */
  check(now: number): void;
}

/** Milliseconds between two checks: the maximum delay of a timeout. */
const interval = 25;

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let idleLooks = 0;

/**
 * Checks all requests in progress at a fixed interval. One timer for all, because restarting a timer per
 * request at each chunk of an answer costs more than the chunk itself.
 */
export function watch(item: Watched): void {
  watched.add(item);
  idleLooks = 0;
  // Unref'd: the socket keeps the process alive.
  timer ??= setInterval(check, interval).unref();
}

export function unwatch(item: Watched): void {
  watched.delete(item);
}

function check(): void {
  const now = performance.now();
  for (const item of watched) item.check(now);
  // The timer continues for a while after the last request, because the next one usually comes soon.
  if (watched.size > 0) return;
  idleLooks++;
  if (idleLooks < 40) return;
  clearInterval(timer);
  timer = undefined;
}
