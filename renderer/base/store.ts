import { useSyncExternalStore } from 'react';

/**
 * A value that React subscribes to and that other code reads and sets: state that outlives the component that
 * shows it.
 */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Called after each change. Returns the unsubscribe function. */
  subscribe(watcher: () => void): () => void;
  use(): T;
  /** A selected part: the component re-renders only when that part has changed. */
  use<Part>(pick: (value: T) => Part): Part;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const watchers = new Set<() => void>();
  const get = (): T => value;
  const subscribe = (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    get,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const watcher of watchers) watcher();
    },
    subscribe,
    use: <Part = T>(pick?: (value: T) => Part) =>
      useSyncExternalStore(subscribe, () => (pick ? pick(value) : (value as unknown as Part))),
  };
}
