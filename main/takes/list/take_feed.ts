import { createChangeFeed } from '@likeness/node-kit/change_feed.ts';
import type { EventPayload, Take } from '#contract';

export interface TakeFeed {
  changes(changes: { changed: readonly string[]; removed: readonly string[] }): void;
  /** Sends the remaining changes, and nothing after them. */
  close(): void;
}

/** Notifies the page of changes to takes, at most ten times a second. */
export function createTakeFeed(options: {
  /** Returns those of these ids that are listed. */
  some: (ids: readonly string[]) => Take[];
  emit: (payload: EventPayload<'takes', 'changed'>) => void;
  onDefect: (error: unknown) => void;
}): TakeFeed {
  const feed = createChangeFeed(
    ['take'],
    ({ take }, stale) =>
      options.emit({ takes: options.some(take.changed), removed: [...take.removed], stale }),
    options.onDefect,
  );
  return {
    changes({ changed, removed }) {
      feed.changed('take', changed);
      feed.removed('take', removed);
    },
    close: feed.close,
  };
}
