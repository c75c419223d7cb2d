/** Milliseconds over which a rate is measured. */
const span = 1000;

/** Computes a counter's rate per second. */
export class TrafficRate {
  readonly #samples: { at: number; count: number }[] = [];

  /** @param at monotonic milliseconds @returns the rate per second, since the sample a second ago */
  sample(count: number, at: number): number {
    this.#samples.push({ at, count });
    while (this.#samples.length > 2 && this.#samples[1]!.at <= at - span) this.#samples.shift();
    const first = this.#samples[0]!;
    return at > first.at ? Math.round(((count - first.count) * 10_000) / (at - first.at)) / 10 : 0;
  }
}
