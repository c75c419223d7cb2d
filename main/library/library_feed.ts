import { createChangeFeed } from '@likeness/node-kit/change_feed.ts';
import type { EventPayload, Library, ModelCard } from '#contract';

export interface LibraryFeed {
  changed(ids: readonly string[]): void;
  removed(ids: readonly string[]): void;
  /** Collections or saved searches changed. */
  collections(): void;
  /** Libraries themselves changed. */
  libraries(): void;
  /** Sends the remaining changes, and nothing after them. */
  close(): void;
}

/** Notifies the page of changes in the libraries. */
export function createLibraryFeed(options: {
  card: (id: string) => ModelCard | null;
  libraries: () => Library[];
  emit: (payload: EventPayload<'library', 'changed'>) => void;
  onDefect: (error: unknown) => void;
}): LibraryFeed {
  let collections = false;
  const feed = createChangeFeed(
    ['model'],
    ({ model }, stale) => {
      options.emit({
        models: model.changed.map(options.card).filter((card) => card !== null),
        removed: [...model.removed],
        stale,
        libraries: options.libraries(),
        collections,
      });
      collections = false;
    },
    options.onDefect,
  );
  return {
    changed: (ids) => feed.changed('model', ids),
    removed: (ids) => feed.removed('model', ids),
    collections() {
      collections = true;
      feed.touch();
    },
    libraries: feed.touch,
    close: feed.close,
  };
}
