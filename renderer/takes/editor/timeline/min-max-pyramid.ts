/** Values of a curve, or peaks of a sound. */
export type Values = Float32Array | Int16Array;

/**
 * Least and greatest of any stretch of values, in time that grows with the logarithm of its length: what a
 * column of a picture shows, at any zoom. A segment tree over blocks of values.
 */
export class MinMaxPyramid {
  /** Of one length always; after others were set or written, `update` takes them in. */
  values: Values;
  readonly #block: number;
  readonly #leaves: number;
  /** Nodes 1 … 2n − 1; node n + i is block i, node i stands over 2i and 2i + 1. */
  #low: Values;
  #high: Values;
  /** Last result of `range`; null: compute again. */
  #range: number | null = null;
  /** What `measure` found. */
  low = 0;
  high = 0;

  /** @param block values under one leaf: more than one where the tree would outweigh them */
  private constructor(values: Values, block: number, range: number | null) {
    this.#range = range;
    this.values = values;
    this.#block = block;
    this.#leaves = Math.ceil(values.length / block);
    this.#low = this.#high = new Float32Array(0);
  }

  /**
   * Returns a pyramid that builds its tree on the first query, since most curves of a take are never shown.
   *
   * @param range difference of maximum and minimum, if known
   */
  static of(values: Values, block = 1, range: number | null = null): MinMaxPyramid {
    return new MinMaxPyramid(values, block, range);
  }

  get #isMade(): boolean {
    return this.#low.length > 0;
  }

  #make(): void {
    const nodes = this.values instanceof Int16Array ? Int16Array : Float32Array;
    this.#low = new nodes(this.#leaves * 2);
    this.#high = new nodes(this.#leaves * 2);
    this.#readBlocks(0, this.#leaves);
    this.#joinAll();
  }

  /** Takes in that `values` have changed from `from` up to, not including, `to`. */
  update(from: number, to: number): void {
    this.#range = null;
    const start = Math.max(0, Math.floor(from / this.#block));
    const end = Math.min(this.#leaves, Math.ceil(to / this.#block));
    if (start >= end || !this.#isMade) return;
    this.#readBlocks(start, end);
    let left = start + this.#leaves;
    let right = end - 1 + this.#leaves;
    // From the right: near the root a node and what it stands over may be in the same stretch.
    while (right > 1) {
      left = Math.max(1, left >> 1);
      right >>= 1;
      for (let node = right; node >= left; node--) this.#join(node);
    }
  }

  /** Writes the least and the greatest of `from` … `to` − 1 into `low` and `high`; false if there is none. */
  measure(from: number, to: number): boolean {
    let at = Math.max(0, from);
    const end = Math.min(this.values.length, to);
    if (at >= end) return false;
    const block = this.#block;
    this.low = Number.POSITIVE_INFINITY;
    this.high = Number.NEGATIVE_INFINITY;
    const firstWhole = Math.ceil(at / block);
    const lastWhole = Math.floor(end / block);
    if (firstWhole >= lastWhole) {
      this.#scan(at, end);
      return true;
    }
    this.#scan(at, firstWhole * block);
    at = lastWhole * block;
    this.#scan(at, end);
    if (!this.#isMade) this.#make();
    this.#climb(firstWhole, lastWhole);
    return true;
  }

  /** How far apart its least and its greatest are, without a tree where there is none. */
  range(): number {
    if (this.#range !== null) return this.#range;
    const { length } = this.values;
    if (length === 0) return 0;
    if (this.#isMade) this.measure(0, length);
    else {
      this.low = Number.POSITIVE_INFINITY;
      this.high = Number.NEGATIVE_INFINITY;
      this.#scan(0, length);
    }
    this.#range = this.high - this.low;
    return this.#range;
  }

  #scan(from: number, to: number): void {
    const { values } = this;
    for (let at = from; at < to; at++) {
      const value = values[at]!;
      if (value < this.low) this.low = value;
      if (value > this.high) this.high = value;
    }
  }

  #climb(from: number, to: number): void {
    let left = from + this.#leaves;
    let right = to + this.#leaves;
    while (left < right) {
      if (left & 1) this.#include(left++);
      if (right & 1) this.#include(--right);
      left >>= 1;
      right >>= 1;
    }
  }

  #include(node: number): void {
    if (this.#low[node]! < this.low) this.low = this.#low[node]!;
    if (this.#high[node]! > this.high) this.high = this.#high[node]!;
  }

  #readBlocks(from: number, to: number): void {
    const { values } = this;
    const block = this.#block;
    for (let leaf = from; leaf < to; leaf++) {
      const end = Math.min(values.length, (leaf + 1) * block);
      let low = values[leaf * block]!;
      let high = low;
      for (let at = leaf * block + 1; at < end; at++) {
        const value = values[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.#low[leaf + this.#leaves] = low;
      this.#high[leaf + this.#leaves] = high;
    }
  }

  #joinAll(): void {
    for (let node = this.#leaves - 1; node > 0; node--) this.#join(node);
  }

  #join(node: number): void {
    this.#low[node] = Math.min(this.#low[2 * node]!, this.#low[2 * node + 1]!);
    this.#high[node] = Math.max(this.#high[2 * node]!, this.#high[2 * node + 1]!);
  }
}
