import { unlessGone } from '@likeness/node-kit/failure.ts';
import type { CallInput, CallOutput, Take, TakeQuery, TakeSelection } from '#contract';
import type { TakeRecord } from '../take_record.ts';
import type { Takes } from '../takes.ts';
import { type FoundTakes, findTakes } from './take_search.ts';

const maxTags = 50;
/** Maximum number of bulk changes that can be undone. */
const maxUndone = 200;

/** The list of takes: search and bulk changes. */
export class TakeList {
  readonly #takes: Takes;
  readonly #clock: () => number;
  /** Previous states of each bulk change, by its number. */
  readonly #before = new Map<number, readonly Pick<TakeRecord, 'id' | 'rating' | 'tags'>[]>();
  #steps = 0;
  /** The last query's result, whose pages are requested one after the other. */
  #found: { of: readonly Take[]; text: string; found: FoundTakes } | null = null;
  #all: readonly Take[] | null = null;

  /** @param clock milliseconds since 1970 */
  constructor(takes: Takes, clock: () => number) {
    this.#takes = takes;
    this.#clock = clock;
  }

  /** Takes changed. */
  changed(): void {
    this.#all = null;
  }

  find(query: TakeQuery): FoundTakes {
    this.#all ??= this.#takes.list();
    const text = JSON.stringify(query);
    if (this.#found?.of !== this.#all || this.#found.text !== text) {
      this.#found = { of: this.#all, text, found: findTakes(this.#all, query, this.#clock()) };
    }
    return this.#found.found;
  }

  search({ query, offset, limit }: CallInput<'takes', 'search'>): CallOutput<'takes', 'search'> {
    const { takes, problems } = this.find(query);
    return {
      takes: takes.slice(offset, offset + limit),
      total: takes.length,
      problems: [...problems],
      all: this.#all?.length ?? 0,
    };
  }

  /** Most used first. */
  tags(): string[] {
    const counts = new Map<string, number>();
    for (const { tags } of this.#takes.list())
      for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([tag]) => tag);
  }

  idsOf(selection: TakeSelection): string[] {
    return 'ids' in selection ? selection.ids : this.find(selection.query).takes.map(({ id }) => id);
  }

  /** @returns how many changed, and the number to undo it by @throws Failure `storage` */
  async edit({
    selection,
    changes,
  }: CallInput<'takes', 'editMany'>): Promise<CallOutput<'takes', 'editMany'>> {
    const { rating, addTags = [], removeTags = [] } = changes;
    const removed = new Set(removeTags);
    const before = await this.#takes.editMany(this.idsOf(selection), (record) => {
      const tags = [...new Set([...record.tags.filter((tag) => !removed.has(tag)), ...addTags])].slice(
        0,
        maxTags,
      );
      const next = { rating: rating ?? record.rating, tags };
      return next.rating === record.rating && tags.join('\n') === record.tags.join('\n') ? null : next;
    });
    if (before.length === 0) return { changed: 0, step: this.#steps };
    this.#steps += 1;
    this.#before.set(
      this.#steps,
      before.map(({ id, rating, tags }) => ({ id, rating, tags })),
    );
    this.#before.delete(this.#steps - maxUndone);
    return { changed: before.length, step: this.#steps };
  }

  /** Undoes a bulk change, once. @returns how many changed @throws Failure `storage` */
  async undoEdit(step: number): Promise<number> {
    const takes = this.#before.get(step) ?? [];
    this.#before.delete(step);
    const before = new Map(takes.map(({ id, rating, tags }) => [id, { rating, tags }]));
    const changed = await this.#takes.editMany([...before.keys()], ({ id }) => before.get(id) ?? null);
    return changed.length;
  }

  /**
   * @param leave called for each before it moves
   * @returns the moved ones @throws Failure `storage`
   */
  async trash(selection: TakeSelection, leave: (id: string) => Promise<void>): Promise<string[]> {
    const gone: string[] = [];
    for (const id of this.idsOf(selection)) {
      await leave(id);
      if (await unlessGone(() => this.#takes.trash(id))) gone.push(id);
    }
    return gone;
  }

  /** @returns how many were restored @throws Failure `storage` */
  async restore(ids: readonly string[]): Promise<number> {
    let restored = 0;
    for (const id of ids) if (await unlessGone(() => this.#takes.restore(id))) restored++;
    return restored;
  }
}
