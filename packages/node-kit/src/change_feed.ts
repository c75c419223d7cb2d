import { type Backoff, backoffPause } from './backoff.ts';
import { isDiskTrouble } from './error_codes.ts';
import { Failure } from './failure.ts';

/** Maximum records that one event names; beyond that, the page reloads its data. */
const maxRecords = 200;
/** Milliseconds between two events: ten a second. */
const pause = 100;
/** Milliseconds until changes that could not be sent are sent again. */
const retryBackoff: Backoff = { first: 1000, longest: 60_000 };

/** Ids of one kind of record; no id is in both lists. */
export interface ChangedIds {
  changed: readonly string[];
  removed: readonly string[];
}

export interface ChangeFeed<Kind extends string> {
  changed(kind: Kind, ids: readonly string[]): void;
  removed(kind: Kind, ids: readonly string[]): void;
  /** Something else in the event changed, such as its totals. */
  touch(): void;
  /** Sends what is pending, and nothing after that. */
  close(): void;
}

/**
 * Batches changes, so that ten thousand of them become ten events a second.
 *
 * @param send - Receives a batch. `stale`: it was too large to list, and the lists are empty. It may read the
 * disk: if it throws, the batch is sent again.
 * @param onDefect - Receives what `send` throws, except a failure and trouble of the disk, which are expected.
 */
export function createChangeFeed<Kind extends string>(
  kinds: readonly Kind[],
  send: (changes: Readonly<Record<Kind, ChangedIds>>, stale: boolean) => void,
  onDefect: (error: unknown) => void,
): ChangeFeed<Kind> {
  const gathered = new Map(
    kinds.map((kind) => [kind, { changed: new Set<string>(), removed: new Set<string>() }]),
  );
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let failures = 0;

  const flush = (): void => {
    timer = null;
    const sets = [...gathered.values()].flatMap(({ changed, removed }) => [changed, removed]);
    const stale = sets.some((set) => set.size > maxRecords);
    const listed = (set: Set<string>): string[] => (stale ? [] : [...set]);
    const changes = [...gathered].map(([kind, { changed, removed }]) => [
      kind,
      { changed: listed(changed), removed: listed(removed) },
    ]);
    try {
      send(Object.fromEntries(changes) as Record<Kind, ChangedIds>, stale);
      for (const set of sets) set.clear();
      failures = 0;
    } catch (error) {
      // Thrown from a timer, it would end the process.
      if (!(error instanceof Failure) && !isDiskTrouble(error)) onDefect(error);
      failures += 1;
      if (!closed) timer = setTimeout(flush, backoffPause(failures, retryBackoff));
    }
  };
  const touch = (): void => {
    if (!closed) timer ??= setTimeout(flush, pause);
  };
  const note = (kind: Kind, to: 'changed' | 'removed', ids: readonly string[]): void => {
    if (ids.length === 0) return;
    const sets = gathered.get(kind)!;
    for (const id of ids) {
      sets[to].add(id);
      sets[to === 'changed' ? 'removed' : 'changed'].delete(id);
    }
    touch();
  };

  return {
    changed: (kind, ids) => note(kind, 'changed', ids),
    removed: (kind, ids) => note(kind, 'removed', ids),
    touch,
    close() {
      closed = true;
      if (timer === null) return;
      clearTimeout(timer);
      flush();
    },
  };
}
