/** Something with a deadline that moves. */
export interface Watched {
  /** Looks whether its time is up. */
  check(now: number): void;
}

/** Milliseconds between two looks: how late a timeout may be noticed. */
const interval = 25;

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let idleLooks = 0;

/**
 * Checks everything that is under way at a steady beat, for as long as something is. One beat for all, since
 * a timer of its own for each request, restarted at each piece of an answer, costs more than a piece.
 */
export function watch(item: Watched): void {
  watched.add(item);
  idleLooks = 0;
  // Not to keep the process alive: the socket does that.
  timer ??= setInterval(look, interval).unref();
}

export function unwatch(item: Watched): void {
  watched.delete(item);
}

function look(): void {
  const now = performance.now();
  for (const item of watched) item.check(now);
  // The beat outlives the last request for a while: the next one mostly comes soon.
  if (watched.size > 0) return;
  idleLooks++;
  if (idleLooks < 40) return;
  clearInterval(timer);
  timer = undefined;
}
