/**
 * Chooses between two faces: the built-in engine's, which comes at once, and the server's, which is better
 * but later. Frames are played by one clock, with cross-fades between the faces. Times in milliseconds of the
 * clock that the caller uses throughout, unless said.
 */

import { blendFrames, type FaceState, fadeTowards, restingFace } from './face_state.ts';
import type { Tier } from './live_message.ts';
import { FrameTrack, PlayoutClock, type TimedFrame } from './playout.ts';

/** Milliseconds without a frame of the server's after which its face is given up. */
const serverSilence = 1500;
/** Milliseconds from one tier's face to the other's. */
const fadeMs = 250;
/** Milliseconds of the fade from an interrupted face to what follows. */
const interruptMs = 80;
/** Milliseconds by which the server's newest frame may be behind what is shown. */
const slack = 50;

/**
 * Share of the built-in engine's frames that must be in time. They come evenly, a few milliseconds apart, so
 * showing the newest instead of a late one is not visible. Waiting for half of them added some 15 ms (P95) on
 * a busy machine, where arrival times vary by tens of milliseconds.
 */
const localInTime = 0.1;

export class LocalRemoteBlend {
  readonly #tracks: Record<Tier, FrameTrack> = { local: new FrameTrack(), server: new FrameTrack() };
  readonly #clocks: Record<Tier, PlayoutClock> = {
    local: new PlayoutClock(localInTime),
    server: new PlayoutClock(),
  };
  readonly #face = restingFace();
  readonly #serverFace = restingFace();
  #mix = 0;
  #lastAt = 0;
  /** The face that was interrupted, and when; null when it has passed into what followed. */
  #interrupted: { face: FaceState; at: number } | null = null;
  /** Frames before this time belong to an interrupted part; seconds. */
  #notBefore = Number.NEGATIVE_INFINITY;

  /** Share of the server's face in what is shown, 0..1. */
  get serverShare(): number {
    return this.#mix;
  }

  /** A header came: the frames that follow have these channels. */
  begin(tier: Tier, channelNames: readonly string[]): void {
    this.#tracks[tier].channelNames = channelNames;
  }

  push(tier: Tier, timed: TimedFrame, at: number): void {
    const { timeCode } = timed.frame;
    if (timeCode < this.#notBefore) return;
    this.#tracks[tier].push(timed);
    this.#clocks[tier].arrived(timeCode, at);
  }

  /**
   * Discards frames from before `seconds` in the stream, present and future. The face fades to rest, or to
   * what follows.
   */
  interrupt(seconds: number, at: number): void {
    this.#interrupted = this.faceAt(at) && { face: copyOf(this.#face), at };
    this.#notBefore = seconds;
    this.#mix = 0;
    this.#tracks.local.clear();
    this.#tracks.server.clear();
  }

  /**
   * The face to show, and the frame that it mostly comes from; null while there is none. Call it with
   * increasing times.
   */
  faceAt(at: number): { face: FaceState; from: TimedFrame | null } | null {
    const { local, server } = this.#clocks;
    const follows = server.isLive(at, serverSilence);
    // The server's frames come later: playout is delayed until they are in time, and catches up when they
    // stop.
    const target = follows ? Math.max(local.target || 0, server.target) : local.target;
    const time = local.timeAt(at, target);
    if (Number.isNaN(time)) return null;
    const around = this.#tracks.local.around(time);
    if (!around) return this.#afterInterrupted(at) ? { face: this.#face, from: null } : null;
    blendFrames(this.#face, this.#tracks.local.channelNames, around);

    const ofServer = follows ? this.#tracks.server.around(time) : null;
    const inTime =
      ofServer !== null &&
      ofServer.from.frame.timeCode <= time &&
      this.#tracks.server.newest >= time - slack / 1000;
    const passed = Math.max(0, at - this.#lastAt);
    this.#lastAt = at;
    this.#mix += Math.max(-passed / fadeMs, Math.min(passed / fadeMs, (inTime ? 1 : 0) - this.#mix));
    if (ofServer) blendFrames(this.#serverFace, this.#tracks.server.channelNames, ofServer);
    if (this.#mix > 0) fadeTowards(this.#face, this.#serverFace, this.#mix);
    this.#fadeFromInterrupted(at);
    return { face: this.#face, from: this.#mix > 0.5 && ofServer ? ofServer.from : around.from };
  }

  /**
   * Writes the fade from an interrupted face to rest.
   * @returns false when the fade is over and nothing follows
   */
  #afterInterrupted(at: number): boolean {
    const was = this.#interrupted;
    if (!was) return false;
    const { channelNames, weights } = was.face;
    const rest = restingFace();
    Object.assign(this.#face, { ...rest, channelNames, weights: new Float32Array(weights.length) });
    return this.#fadeFromInterrupted(at);
  }

  #fadeFromInterrupted(at: number): boolean {
    const was = this.#interrupted;
    if (!was) return false;
    const left = 1 - (at - was.at) / interruptMs;
    if (left <= 0) this.#interrupted = null;
    else fadeTowards(this.#face, was.face, left);
    return left > 0;
  }
}

const copyOf = ({ channelNames, weights, translation, rotation, gaze }: FaceState): FaceState => ({
  channelNames,
  weights: weights.slice(),
  translation: [...translation],
  rotation: [...rotation],
  gaze: { ...gaze },
});
