/** Seconds by which a frame's time may be off its arrival before the sender's clock is read anew. */
const maxOffset = 0.5;
/** Share by which the two clocks are brought together with each frame. */
const pull = 0.01;
const step = 1e-4;

/**
 * Places a sender's frames on the studio's clock: as far apart as the sender says, so that the network's
 * jitter is gone, and never earlier than the one before.
 */
export class TrackerTime {
  #offset = Number.NaN;
  #last = Number.NEGATIVE_INFINITY;

  /** Another sender follows. */
  restart(): void {
    this.#offset = Number.NaN;
  }

  /** @param sent seconds of the sender's clock; null where it tells none @param now seconds of ours */
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
