/** Samples that wait to be sent, in the blocks in which they came. */
export class SampleQueue {
  readonly #blocks: Float32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Blocks that it holds: each takes room of its own, however short it is. */
  get blocks(): number {
    return this.#blocks.length;
  }

  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#blocks.push(samples);
    this.#length += samples.length;
  }

  /** Takes up to so many samples from the front. */
  take(max: number): Float32Array {
    const taken = new Float32Array(Math.min(max, this.#length));
    let at = 0;
    while (at < taken.length) {
      const block = this.#blocks[0]!;
      const part = block.subarray(0, taken.length - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === block.length) this.#blocks.shift();
      else this.#blocks[0] = block.subarray(part.length);
    }
    this.#length -= taken.length;
    return taken;
  }

  /** Forgets all but the newest so many samples. @returns how many were forgotten */
  keepNewest(max: number): number {
    const forgotten = Math.max(0, this.#length - max);
    if (max <= 0) this.clear();
    else if (forgotten > 0) this.take(forgotten);
    return forgotten;
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#length = 0;
  }
}
