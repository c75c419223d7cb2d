import { createChangeFeed } from '@likeness/node-kit/change_feed.ts';
import type { EventPayload, Take } from '#contract';

export interface TakeFeed {
  changes(changes: { changed: readonly string[]; removed: readonly string[] }): void;
  /** Sends what is left, and nothing after it. */
  close(): void;
}

/** Tells the page what changed among the takes, ten times a second at most. */
export function createTakeFeed(options: {
  /** Those of these that are listed. */
  some: (ids: readonly string[]) => Take[];
  emit: (payload: EventPayload<'takes', 'changed'>) => void;
}): TakeFeed {
  const feed = createChangeFeed(['take'], ({ take }, stale) =>
    options.emit({ takes: options.some(take.changed), removed: [...take.removed], stale }),
  );
  return {
    changes({ changed, removed }) {
      feed.changed('take', changed);
      feed.removed('take', removed);
    },
    close: feed.close,
  };
}
