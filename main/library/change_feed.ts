import type { EventPayload, Library, ModelCard } from '#contract';

/** Most models that one event carries; beyond, the page asks again for what it shows. */
const mostModels = 200;
/** Milliseconds between two events: ten a second. */
const pause = 100;

export interface ChangeFeed {
  changed(ids: readonly string[]): void;
  removed(ids: readonly string[]): void;
  /** Collections or saved searches are other than before. */
  shelves(): void;
  /** Libraries themselves changed. */
  libraries(): void;
  /** Sends what is left, and nothing after it. */
  close(): void;
}

/** Gathers changes, so that ten thousand of them are ten events a second and not ten thousand. */
export function createChangeFeed(options: {
  card: (id: string) => ModelCard | null;
  libraries: () => Library[];
  emit: (payload: EventPayload<'library', 'changed'>) => void;
}): ChangeFeed {
  const changed = new Set<string>();
  const removed = new Set<string>();
  let shelves = false;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const send = (): void => {
    timer = null;
    const stale = changed.size > mostModels || removed.size > mostModels;
    const models = stale
      ? []
      : [...changed].map(options.card).filter((card): card is ModelCard => card !== null);
    options.emit({
      models,
      removed: stale ? [] : [...removed],
      stale,
      libraries: options.libraries(),
      shelves,
    });
    changed.clear();
    removed.clear();
    shelves = false;
  };
  const soon = (): void => {
    if (!closed) timer ??= setTimeout(send, pause);
  };

  return {
    changed(ids) {
      for (const id of ids) {
        changed.add(id);
        removed.delete(id);
      }
      if (ids.length > 0) soon();
    },
    removed(ids) {
      for (const id of ids) {
        removed.add(id);
        changed.delete(id);
      }
      if (ids.length > 0) soon();
    },
    shelves() {
      shelves = true;
      soon();
    },
    libraries: soon,
    close() {
      closed = true;
      if (timer === null) return;
      clearTimeout(timer);
      send();
    },
  };
}
