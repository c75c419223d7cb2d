import { useSyncExternalStore } from 'react';
import { onStudioBack } from '../../base/connection.ts';
import { createStore, type Store } from '../../base/store.ts';
import { asFailure, type StudioFailure } from '../../base/studio.ts';

export interface Found<T> {
  items: T[];
  total: number;
}

/** State of a list that is loaded page by page. */
export interface Listed<T, Q> {
  /**
   * The latest query; `shown` is the query of the present items, which stay until the new answer.
   */
  query: Q;
  shown: Q;
  /** Undefined until the first answer. */
  total: number | undefined;
  loading: boolean;
  failure: StudioFailure | undefined;
  at(index: number): T | undefined;
}

const refreshMs = 300;
const nothing = { items: [], total: 0 };

/**
 * A list in main with a window in the page. Pages load on scroll, a new query replaces everything once its
 * first answer arrives, and late answers to old queries are dropped.
 */
export class LongList<T extends { id: string }, Q> {
  readonly #ask: (query: Q, offset: number, limit: number) => Promise<Found<T>>;
  readonly #follow: (list: LongList<T, Q>) => () => void;
  readonly #size: number;
  #watchers = 0;
  #unfollow: (() => void) | undefined;
  #pages = new Map<number, readonly T[]>();
  readonly #asked = new Set<number>();
  /** Items that changed while an answer was under way, by id; one map for each answer. */
  readonly #changedSince = new Set<Map<string, T>>();
  readonly #onRemoved: ((ids: readonly string[]) => void)[] = [];
  #turn = 0;
  #window: readonly [number, number] = [0, 0];
  #due: ReturnType<typeof setTimeout> | undefined;
  readonly #listed: Store<Listed<T, Q>>;

  /**
   * @param follow - Subscribes to what changes the list, while somebody looks at it; returns its end.
   * @param size - Items a page.
   */
  constructor(
    ask: (query: Q, offset: number, limit: number) => Promise<Found<T>>,
    first: Q,
    follow: (list: LongList<T, Q>) => () => void,
    size = 200,
  ) {
    this.#ask = ask;
    this.#follow = follow;
    this.#size = size;
    this.#listed = createStore({
      query: first,
      shown: first,
      total: undefined,
      loading: false,
      failure: undefined,
      at: this.at,
    });
  }

  readonly at = (index: number): T | undefined =>
    this.#pages.get(Math.floor(index / this.#size))?.[index % this.#size];

  get listed(): Listed<T, Q> {
    return this.#listed.get();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#watchers === 0) {
      const ends = [this.#follow(this), onStudioBack(() => this.refresh())];
      this.#unfollow = () => {
        for (const end of ends) end();
      };
      this.refresh();
    }
    this.#watchers += 1;
    const end = this.#listed.subscribe(listener);
    return () => {
      end();
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
      clearTimeout(this.#due);
      this.#due = undefined;
    };
  };

  #set(changes: Partial<Listed<T, Q>>): void {
    this.#listed.set({ ...this.listed, ...changes });
  }

  /** A new function each time, so that memos notice that its results have changed. */
  #freshAt(): (index: number) => T | undefined {
    return (index) => this.at(index);
  }

  /** Changes the query. The shown items stay until the answer arrives. */
  find(query: Q): void {
    this.#window = [0, 0];
    this.#reload(query);
  }

  /** Reloads the visible items. */
  refresh(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#reload();
  }

  /** Debounced `refresh`. */
  refreshSoon(): void {
    this.#due ??= setTimeout(() => this.refresh(), refreshMs);
  }

  #reload(query = this.listed.query): void {
    this.#turn += 1;
    const turn = this.#turn;
    const [from, to] = this.#window;
    const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    this.#asked.clear();
    for (const page of pages) this.#asked.add(page);
    this.#set({ query, loading: true });
    this.#load(query, pages).then(
      (answers) => {
        if (turn !== this.#turn) return;
        this.#pages = new Map(answers.map(({ items }, at) => [pages[at]!, items]));
        this.#set({
          shown: query,
          total: answers[0]?.total ?? 0,
          loading: false,
          failure: undefined,
          at: this.#freshAt(),
        });
      },
      (thrown: unknown) => {
        if (turn === this.#turn) this.#set({ loading: false, failure: asFailure(thrown) });
      },
    );
  }

  /** Asks for pages. Items that change meanwhile replace those of the answer, which may be older. */
  async #load(query: Q, pages: readonly number[]): Promise<Found<T>[]> {
    const changed = new Map<string, T>();
    this.#changedSince.add(changed);
    try {
      const found = await Promise.all(pages.map((page) => this.#ask(query, page * this.#size, this.#size)));
      return found.map(({ items, total }) => ({
        items: items.map((item) => changed.get(item.id) ?? item),
        total,
      }));
    } finally {
      this.#changedSince.delete(changed);
    }
  }

  /** Sets which items are on the screen (`last` included) and fetches missing ones. */
  setWindow(first: number, last: number): void {
    const from = Math.max(0, Math.floor(first / this.#size));
    const to = Math.max(from, Math.floor(last / this.#size));
    this.#window = [from, to];
    for (let page = from; page <= to; page += 1) this.#fetch(page).catch(() => undefined);
  }

  async #fetch(page: number): Promise<void> {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const turn = this.#turn;
    try {
      const [{ items, total } = nothing] = await this.#load(this.listed.query, [page]);
      if (turn !== this.#turn) return;
      this.#pages = new Map(this.#pages).set(page, items);
      this.#set({ total, failure: undefined, at: this.#freshAt() });
    } catch (thrown) {
      if (turn !== this.#turn) return;
      this.#asked.delete(page);
      this.#set({ failure: asFailure(thrown) });
    }
  }

  readonly onRemoved = (listener: (ids: readonly string[]) => void): void => {
    this.#onRemoved.push(listener);
  };

  /** Puts changed items into the answers that are under way, which may be older, and into nothing else. */
  overtake(changed: readonly T[]): void {
    for (const since of this.#changedSince) for (const item of changed) since.set(item.id, item);
  }

  /** Applies changed items. New or removed ones cause a reload. */
  patch(changed: readonly T[], removed: readonly string[], stale: boolean): void {
    if (changed.length === 0 && removed.length === 0 && !stale) return;
    if (removed.length > 0) for (const listener of this.#onRemoved) listener(removed);
    this.overtake(changed);
    const byId = new Map(changed.map((item) => [item.id, item]));
    let touched = false;
    const pages = new Map<number, readonly T[]>();
    for (const [page, items] of this.#pages) {
      const hit = items.some(({ id }) => byId.has(id));
      touched ||= hit;
      pages.set(page, hit ? items.map((item) => this.#take(byId, item)) : items);
    }
    if (touched) {
      this.#pages = pages;
      this.#set({ at: this.#freshAt() });
    }
    if (stale || removed.length > 0 || byId.size > 0) this.refreshSoon();
  }

  #take(byId: Map<string, T>, item: T): T {
    const changed = byId.get(item.id);
    byId.delete(item.id);
    return changed ?? item;
  }

  /** Ids from one index to another, both included, fetched where they are not here. */
  async idsBetween(one: number, other: number): Promise<string[]> {
    const [first, last] = one < other ? [one, other] : [other, one];
    const pages = new Set<number>();
    for (let index = first; index <= last; index += 1) pages.add(Math.floor(index / this.#size));
    await Promise.all([...pages].map((page) => this.#fetch(page)));
    const ids: string[] = [];
    for (let index = first; index <= last; index += 1) {
      const item = this.at(index);
      if (item) ids.push(item.id);
    }
    return ids;
  }

  /** Where an item is, of those that are here; -1 where it is not. */
  indexOf(id: string): number {
    for (const [page, items] of this.#pages) {
      const at = items.findIndex((item) => item.id === id);
      if (at >= 0) return page * this.#size + at;
    }
    return -1;
  }
}

export const useLongList = <T extends { id: string }, Q>(list: LongList<T, Q>): Listed<T, Q> =>
  useSyncExternalStore(list.subscribe, () => list.listed);
