/** Queue of samples to send, in their original blocks. */
export class SampleQueue {
  readonly #blocks: Float32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Number of blocks: each needs memory, however short it is. */
  get blocks(): number {
    return this.#blocks.length;
  }

  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    this.#blocks.push(samples);
    this.#length += samples.length;
  }

  /** Takes at most this many samples from the front. */
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

  /** Drops all but the newest samples. @returns how many were dropped */
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
