/**
 * Seconds by which a frame's time may differ from its arrival before the sender's clock is synchronized
 * again.
 */
const maxOffset = 0.5;
/** Fraction by which the two clocks are aligned with each frame. */
const pull = 0.01;
const step = 1e-4;

/**
 * Maps a sender's frames to the studio's clock. Keeps the sender's intervals, which removes the network's
 * jitter, and never goes back in time.
 */
export class TrackerTime {
  #offset = Number.NaN;
  #last = Number.NEGATIVE_INFINITY;

  /** Another sender follows. */
  restart(): void {
    this.#offset = Number.NaN;
  }

  /** @param sent seconds of the sender's clock; null if it sends none @param now seconds of ours */
  toLocalTime(sent: number | null, now: number): number {
    const off = sent === null ? Number.NaN : now - sent - this.#offset;
    if (sent === null) this.#offset = Number.NaN;
    else if (!(Math.abs(off) < maxOffset)) this.#offset = now - sent;
    else this.#offset += off * pull;
    const placed = sent === null ? now : sent + this.#offset;
    this.#last = Math.max(placed, this.#last + step);
    return this.#last;
  }
}
