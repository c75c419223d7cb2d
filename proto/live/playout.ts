/**
 * The jitter buffer between frames' irregular arrival and the display's clock. Times in milliseconds unless
 * said.
 */

import { shareBetween } from '../face/frames_around.ts';
import type { FaceStreamFrame } from '../face_stream_protocol.ts';
import { percentile } from '../percentile.ts';

/**
 * When a frame's request was sent, when main received it, and when it arrived here. Milliseconds since 1970.
 */
export interface FrameTimes {
  askedAt: number;
  answeredAt: number;
  arrivedAt: number;
}

export interface TimedFrame extends FrameTimes {
  frame: FaceStreamFrame;
}

/** Seconds of frames kept behind what is shown. */
const keptSeconds = 8;

/** The frames of one tier, by time code. */
export class FrameTrack {
  readonly #frames: TimedFrame[] = [];
  channelNames: readonly string[] = [];

  get newest(): number {
    return this.#frames.at(-1)?.frame.timeCode ?? Number.NEGATIVE_INFINITY;
  }

  push(timed: TimedFrame): void {
    if (timed.frame.timeCode <= this.newest) return;
    this.#frames.push(timed);
    while (this.#frames.length > 2 && this.#frames[0]!.frame.timeCode < timed.frame.timeCode - keptSeconds)
      this.#frames.shift();
  }

  clear(): void {
    this.#frames.length = 0;
  }

  /**
   * The frames around a moment, seconds, and where between them it lies. The newest stands in for frames that
   * have not arrived.
   */
  around(time: number): { from: TimedFrame; to: TimedFrame; mix: number } | null {
    const frames = this.#frames;
    let at = frames.length - 1;
    while (at > 0 && frames[at]!.frame.timeCode > time) at--;
    const from = frames[at];
    if (!from) return null;
    const to = frames[at + 1] ?? from;
    return { from, to, mix: shareBetween(from.frame.timeCode, to.frame.timeCode, time) };
  }
}

/** Arrivals looked at. */
const windowMs = 3000;
/** How fast the delay may grow and shrink, milliseconds a millisecond. */
const growth = 0.5;
const shrinkage = 0.03;
/**
 * A delay much longer than it need be (the page was held up) shrinks by a part
 * of what is too much in so many milliseconds.
 */
const recoveryMs = 600;
/** Beyond this delay the face jumps to the present: catching up would be visible for seconds. */
const leapMs = 1200;

/**
 * How far behind the arrival clock the face is shown: as little as lets a share of the frames arrive in time.
 * The clocks of sound and screen drift apart; the window follows them.
 */
export class PlayoutClock {
  readonly #arrivals: { at: number; offset: number }[] = [];
  #target = Number.NaN;
  #offset = Number.NaN;
  #last = Number.NaN;
  readonly #share: number;

  /** @param share of the frames that must be in time, 0..1 */
  constructor(share = 0.95) {
    this.#share = share;
  }

  /** A frame of `timeCode` seconds arrived. */
  arrived(timeCode: number, at: number): void {
    const arrivals = this.#arrivals;
    arrivals.push({ at, offset: at - timeCode * 1000 });
    while (arrivals.length > 1 && arrivals[0]!.at < at - windowMs) arrivals.shift();
    this.#target = percentile(
      arrivals.map(({ offset }) => offset),
      this.#share,
    );
  }

  /** Whether frames came lately. */
  isLive(at: number, within: number): boolean {
    const last = this.#arrivals.at(-1);
    return last !== undefined && at - last.at < within;
  }

  /** Offset from time codes to the clock that lets frames arrive in time; NaN before the first. */
  get target(): number {
    return this.#target;
  }

  /** Seconds in the stream that are shown at a time; `target` may be another, later one's. */
  timeAt(now: number, target = this.#target): number {
    if (Number.isNaN(target)) return Number.NaN;
    if (Number.isNaN(this.#offset) || now - this.#last > 500) this.#offset = target;
    else {
      const passed = Math.max(0, now - this.#last);
      const off = target - this.#offset;
      const max = passed * Math.max(shrinkage, -off / recoveryMs);
      this.#offset += off < -leapMs ? off : Math.min(passed * growth, Math.max(-max, off));
    }
    this.#last = now;
    return (now - this.#offset) / 1000;
  }

  reset(): void {
    this.#arrivals.length = 0;
    this.#target = Number.NaN;
    this.#offset = Number.NaN;
  }
}
