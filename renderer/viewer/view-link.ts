/** A view of a head independent of its size: lengths are shares of the distance that shows the whole head. */
export interface View {
  /** Radians. */
  azimuth: number;
  polar: number;
  closeness: number;
  at: readonly [number, number, number];
}

/** Keeps several views of heads turned alike: the one that is moved leads, the others follow. */
export class ViewLink {
  readonly #listeners = new Map<unknown, (view: View) => void>();
  #leader: unknown;

  /** From now on the others follow this one. */
  lead(one: unknown): void {
    this.#leader = one;
  }

  /** Heard only from the leader: those who follow move, too, and must not lead it back. */
  publish(from: unknown, view: View): void {
    if (from !== this.#leader) return;
    for (const [one, listener] of this.#listeners) if (one !== from) listener(view);
  }

  /** @returns The end of listening. */
  listen(as: unknown, listener: (view: View) => void): () => void {
    this.#listeners.set(as, listener);
    return () => this.#listeners.delete(as);
  }
}
