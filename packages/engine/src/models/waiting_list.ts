import type { ModelRecord } from './model_record.ts';

type Waiting = Pick<ModelRecord, 'id' | 'owner' | 'priority' | 'createdAt'>;

/**
 * The waiting models. Higher priorities go first. Within a priority, owners take turns, each with their
 * oldest model: an owner of one head waits for at most one head per other owner.
 */
export class WaitingList<T extends Waiting = Waiting> {
  /** By priority, then by owner; the owner whose turn is next comes first. */
  readonly #levels = new Map<number, Map<string | null, T[]>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  countOf(owner: string | null): number {
    let count = 0;
    for (const owners of this.#levels.values()) count += owners.get(owner)?.length ?? 0;
    return count;
  }

  /** In no particular order. */
  *all(): Generator<T> {
    for (const owners of this.#levels.values()) for (const own of owners.values()) yield* own;
  }

  add(model: T): void {
    const owners = this.#levels.get(model.priority) ?? new Map<string | null, T[]>();
    this.#levels.set(model.priority, owners);
    const own = owners.get(model.owner);
    if (own) own.push(model);
    else owners.set(model.owner, [model]);
    this.#count += 1;
  }

  /** Puts a taken model back as its owner's next. */
  putBack(model: T): void {
    const own = this.#levels.get(model.priority)?.get(model.owner);
    if (!own) {
      this.add(model);
      return;
    }
    own.unshift(model);
    this.#count += 1;
  }

  /** @param passed Ids to skip because they can't be made now. @returns null if no other model waits */
  next(passed: ReadonlySet<string>): T | null {
    for (const model of this.#inOrder()) if (!passed.has(model.id)) return model;
    return null;
  }

  *#inOrder(): Generator<T> {
    for (const priority of [...this.#levels.keys()].toSorted((a, b) => b - a)) {
      const queues = [...this.#levels.get(priority)!.values()];
      const longest = queues.reduce((max, { length }) => Math.max(max, length), 0);
      for (let round = 0; round < longest; round++) {
        for (const queue of queues) if (round < queue.length) yield queue[round]!;
      }
    }
  }

  /** Removes a model that is made now: its owner's next turn comes after the other owners'. */
  take(model: T): void {
    if (!this.remove(model)) return;
    const owners = this.#levels.get(model.priority);
    const own = owners?.get(model.owner);
    if (!owners || !own) return;
    owners.delete(model.owner);
    owners.set(model.owner, own);
  }

  /** @returns false if it isn't waiting. */
  remove({ id, owner, priority }: Omit<Waiting, 'createdAt'>): boolean {
    const owners = this.#levels.get(priority);
    const own = owners?.get(owner);
    const index = own ? own.findIndex((one) => one.id === id) : -1;
    if (!owners || !own || index < 0) return false;
    own.splice(index, 1);
    this.#count -= 1;
    if (own.length === 0) owners.delete(owner);
    if (owners.size === 0) this.#levels.delete(priority);
    return true;
  }

  /** Number of models that are made before this one; 0 if it isn't waiting. */
  ahead({ id, owner, priority }: Omit<Waiting, 'createdAt'>): number {
    const owners = this.#levels.get(priority);
    const index = owners?.get(owner)?.findIndex((one) => one.id === id) ?? -1;
    if (!owners || index < 0) return 0;
    let ahead = 0;
    for (const [level, others] of this.#levels) {
      if (level > priority) for (const queue of others.values()) ahead += queue.length;
    }
    let isBefore = true;
    for (const [other, queue] of owners) {
      if (other === owner) {
        ahead += index;
        isBefore = false;
      } else ahead += Math.min(queue.length, isBefore ? index + 1 : index);
    }
    return ahead;
  }

  /** Empties the list. @returns The waiting models, in order. */
  clear(): T[] {
    const all = [...this.#inOrder()];
    this.#levels.clear();
    this.#count = 0;
    return all;
  }
}
