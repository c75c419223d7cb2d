/** A face that is a little soft is believed, one that stutters is not: where frames are late, pixels get fewer. */

/** Pixels of the canvas to one of the page, a side: at most, at least, and how far it goes at once. */
const bounds = { most: 1, least: 0.6, step: 0.1 } as const;
/** Between which it goes by what the person wants: it yields, stays as it is cheapest, or as it is sharpest. */
const wanted = {
  auto: [bounds.least, bounds.most],
  low: [bounds.least, bounds.least],
  high: [bounds.most, bounds.most],
} as const;
/** Frames after which it is looked at. */
const frames = 60;
/** Share of the frames that must have been drawn in time; from the upper one on there may be room for more pixels. */
const inTime = { lower: 0.94, upper: 0.985 } as const;
/** Share of a frame's time that drawing may take where more pixels are tried. */
const room = 0.6;

export class YieldingResolution {
  readonly #least: number;
  #now: number;
  #most: number;
  #wasRaised = false;
  #asked = 0;
  #drawn = 0;
  #milliseconds = 0;

  constructor(quality: keyof typeof wanted = 'auto') {
    const [least, most] = wanted[quality];
    this.#least = least;
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** A frame is due; `wasDrawn` says whether the last one had been finished by then. */
  frame(wasDrawn: boolean, frameMs: number): void {
    this.#asked += 1;
    if (wasDrawn) this.#drawn += 1;
    if (this.#asked < frames) return;
    const share = this.#drawn / this.#asked;
    const each = this.#milliseconds / Math.max(1, this.#drawn);
    this.#asked = 0;
    this.#drawn = 0;
    this.#milliseconds = 0;
    if (share < inTime.lower) this.#change(-bounds.step);
    else if (share >= inTime.upper && each < room * frameMs) this.#change(bounds.step);
  }

  /** A frame was drawn in so many milliseconds. */
  took(milliseconds: number): void {
    this.#milliseconds += milliseconds;
  }

  #change(by: number): void {
    // What was tried once too many is not tried again: sharpness that comes and goes is seen.
    if (by < 0 && this.#wasRaised) this.#most = Math.max(this.#least, this.#now + by);
    this.#wasRaised = by > 0;
    const next = Math.min(this.#most, Math.max(this.#least, this.#now + by));
    this.#now = Math.round(next * 100) / 100;
  }
}
