/**
 * A slightly soft face is convincing, one that stutters or lags is not: when drawing takes too much of a
 * frame's time, the resolution is reduced. It goes by drawing time, so it acts before frames are late.
 */

/** Pixels of the canvas to one of the page, a side: at most, at least, and how far it goes at once. */
const bounds = { most: 1, least: 0.5, step: 0.1 } as const;
/**
 * The range by the person's choice: adaptive, always cheapest, or always sharpest.
 */
const wanted = {
  auto: [bounds.least, bounds.most],
  low: [bounds.least, bounds.least],
  high: [bounds.most, bounds.most],
} as const;
/** Number of drawings between two checks, and number of good checks in a row before the resolution rises. */
const drawings = 20;
const goodLooks = 3;
/**
 * Shares of a frame's time that drawing may take at the median: above the upper
 * one pixels yield, below the lower come back.
 */
const share = { upper: 0.7, lower: 0.4 } as const;

export class YieldingResolution {
  readonly #least: number;
  #now: number;
  #most: number;
  #wasRaised = false;
  #good = 0;
  readonly #took: number[] = [];

  constructor(quality: keyof typeof wanted = 'auto') {
    const [min, max] = wanted[quality];
    this.#least = min;
    this.#most = max;
    this.#now = max;
  }

  get now(): number {
    return this.#now;
  }

  /**
   * A frame was drawn and is there after so many milliseconds; `frameMs`
   * is what there is from one frame to the next.
   */
  took(milliseconds: number, frameMs: number): void {
    this.#took.push(milliseconds);
    if (this.#took.length < drawings) return;
    const median = this.#took.splice(0).sort((a, b) => a - b)[drawings / 2]!;
    if (median > share.upper * frameMs) this.#change(-bounds.step);
    else if (median > share.lower * frameMs) this.#good = 0;
    else if (++this.#good >= goodLooks) this.#change(bounds.step);
  }

  #change(by: number): void {
    this.#good = 0;
    // A resolution that failed repeatedly is not tried again: changing sharpness is visible.
    if (by < 0 && this.#wasRaised) this.#most = Math.max(this.#least, this.#now + by);
    this.#wasRaised = by > 0;
    const next = Math.min(this.#most, Math.max(this.#least, this.#now + by));
    this.#now = Math.round(next * 100) / 100;
  }
}
