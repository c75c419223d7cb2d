/** How long the rest takes, by how long what is drawn took. Frames that were there already took nothing. */
export class FilmTimer {
  #first: { done: number; at: number } | null = null;

  /** @param now milliseconds @returns seconds; null while it is not known */
  left(done: number, frames: number, now: number): number | null {
    this.#first ??= { done, at: now };
    const drawn = done - this.#first.done;
    if (drawn < settled) return null;
    return ((now - this.#first.at) / 1000 / drawn) * (frames - done);
  }
}

/** Frames after which it is known how long the rest takes: the first ones set everything up. */
const settled = 5;
