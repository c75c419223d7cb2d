/** Milliseconds that values stay without a further head of their photo: a built head has some 60 MB. */
const keptFor = 60_000;

/**
 * Values of stages for the next head of the same photo: somebody who tries looks changes little from one head to the
 * next. Of a photo's first head nothing is kept unless it is a preview, so that a batch costs no memory.
 */
export class StageCache {
  #photo = '';
  #isKeeping = false;
  readonly #kept = new Map<string, { readonly inputs: string; readonly value: Promise<unknown> }>();
  #expiry: NodeJS.Timeout | undefined;

  /**
   * @param photo - Digest of all that the head is made from, apart from its options.
   * @param isPreview - Others of this photo will follow.
   */
  begin(photo: string, isPreview = false): void {
    const isKnown = photo === this.#photo;
    if (!isKnown) this.#kept.clear();
    this.#isKeeping = isKnown || isPreview;
    this.#photo = photo;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#kept.clear(), keptFor).unref();
  }

  /** The stage's last value if its inputs are the same, otherwise a new one. Nobody may change it. */
  get<Value>(stage: string, inputs: readonly unknown[], make: () => Promise<Value>): Promise<Value> {
    const key = JSON.stringify(inputs);
    const kept = this.#kept.get(stage);
    if (kept && kept.inputs === key) return kept.value as Promise<Value>;
    this.#kept.delete(stage);
    const value = make();
    if (this.#isKeeping) {
      this.#kept.set(stage, { inputs: key, value });
      value.catch(() => this.#kept.delete(stage));
    }
    return value;
  }
}
