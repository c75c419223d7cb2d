/** One step of a path through the words: an entry into a phone, linked backwards. */
export interface TrailStep {
  /** A state of the word graph. */
  readonly state: number;
  /** Frame in which it was entered. */
  readonly frame: number;
}

/** No step before. */
export const trailStart = -1;

/**
 * Back-pointers of all living paths. Paths share nearly all of their past. When the store is full, entries
 * that no living path uses are removed, so memory depends on the living paths, not on frames times states.
 */
export class Trail {
  #before: Int32Array;
  #state: Int32Array;
  #frame: Int32Array;
  #size = 0;
  /** Maximum number of steps ever stored, for tests. */
  capacity: number;

  constructor(capacity = 1 << 18) {
    this.capacity = capacity;
    this.#before = new Int32Array(capacity);
    this.#state = new Int32Array(capacity);
    this.#frame = new Int32Array(capacity);
  }

  /** Whether there is room for `more` steps. */
  hasRoom(more: number): boolean {
    return this.#size + more <= this.capacity;
  }

  add(before: number, state: number, frame: number): number {
    const at = this.#size++;
    this.#before[at] = before;
    this.#state[at] = state;
    this.#frame[at] = frame;
    return at;
  }

  /**
   * Drops all steps that no root leads to, and grows if that freed little.
   *
   * @param roots last steps of living paths; updated to the steps' new positions
   */
  sweep(roots: readonly Int32Array[], room: number): void {
    const kept = new Int32Array(this.#size);
    for (const list of roots) {
      for (const root of list) {
        for (let at = root; at >= 0 && kept[at] === 0; at = this.#before[at] as number) kept[at] = 1;
      }
    }
    let size = 0;
    for (let at = 0; at < this.#size; at++) {
      if (kept[at] === 0) continue;
      const before = this.#before[at] as number;
      this.#before[size] = before < 0 ? trailStart : (kept[before] as number) - 1;
      this.#state[size] = this.#state[at] as number;
      this.#frame[size] = this.#frame[at] as number;
      kept[at] = ++size;
    }
    this.#size = size;
    for (const list of roots) {
      for (let i = 0; i < list.length; i++) {
        const root = list[i] as number;
        if (root >= 0) list[i] = (kept[root] as number) - 1;
      }
    }
    while (this.capacity < 2 * (size + room)) this.#grow();
  }

  /** @returns the path that ended in `last`, first step first */
  follow(last: number): TrailStep[] {
    const steps: TrailStep[] = [];
    for (let at = last; at >= 0; at = this.#before[at] as number) {
      steps.push({ state: this.#state[at] as number, frame: this.#frame[at] as number });
    }
    return steps.reverse();
  }

  #grow(): void {
    this.capacity *= 2;
    const longer = (old: Int32Array): Int32Array => {
      const made = new Int32Array(this.capacity);
      made.set(old);
      return made;
    };
    this.#before = longer(this.#before);
    this.#state = longer(this.#state);
    this.#frame = longer(this.#frame);
  }
}
