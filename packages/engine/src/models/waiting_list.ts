import type { ModelRecord } from './model_record.ts';

type Waiting = Pick<ModelRecord, 'id' | 'owner' | 'priority' | 'createdAt'>;

/**
 * What waits to be made. Higher priorities go first; within one, owners take turns, each with their oldest: who
 * orders one head waits for one head of each of the others, however many those have ordered.
 */
export class WaitingList<T extends Waiting = Waiting> {
  /** By priority, then by owner: whose turn it is comes first. */
  readonly #levels = new Map<number, Map<string | null, T[]>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** In no order. */
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

  /** It was taken and is not made now: it is its owner's next again. */
  putBack(model: T): void {
    const own = this.#levels.get(model.priority)?.get(model.owner);
    if (!own) {
      this.add(model);
      return;
    }
    own.unshift(model);
    this.#count += 1;
  }

  /** @param passed Ids of those that can't be made now. @returns null where no other waits */
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

  /** It is made now: its owner's next turn comes after the others'. */
  take(model: T): void {
    if (!this.remove(model)) return;
    const owners = this.#levels.get(model.priority);
    const own = owners?.get(model.owner);
    if (!owners || !own) return;
    owners.delete(model.owner);
    owners.set(model.owner, own);
  }

  /** @returns false where it doesn't wait. */
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

  /** How many are made before it; 0 where it doesn't wait. */
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

  /** Empties it. @returns What waited, in order. */
  clear(): T[] {
    const all = [...this.#inOrder()];
    this.#levels.clear();
    this.#count = 0;
    return all;
  }
}
