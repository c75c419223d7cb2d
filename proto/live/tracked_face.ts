import type { FaceStreamFrame } from '../face_stream_protocol.ts';
import { blendFrames, type FaceState, fadeTowards, restingFace } from './face_state.ts';
import { FrameTrack, PlayoutClock } from './playout.ts';

/** Milliseconds without a frame after which the tracker is gone, and of the fade between it and the voice. */
const silence = 400;
const fadeMs = 200;
/** Share of the frames that must be in time: a camera's face is wanted soon rather than even. */
const inTime = 0.6;

/**
 * The face of a camera's tracker (a phone, another program), laid over the voice's face where it is there.
 * Times in milliseconds of the caller's clock.
 */
export class TrackedFace {
  readonly #track = new FrameTrack();
  readonly #clock = new PlayoutClock(inTime);
  readonly #tracked = restingFace();
  readonly #shown = restingFace();
  #share = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  begin(channelNames: readonly string[]): void {
    this.#track.channelNames = channelNames;
    this.#track.clear();
    this.#clock.reset();
  }

  push(frame: FaceStreamFrame, at: number): void {
    this.#track.push({ frame, askedAt: at, answeredAt: at, arrivedAt: at });
    this.#clock.arrived(frame.timeCode, at);
  }

  /** Whether a tracker sends. */
  isThere(at: number): boolean {
    return this.#clock.isLive(at, silence);
  }

  /** The voice's face with the tracker's over it. Call it with increasing times. */
  over(voice: FaceState | null, at: number): FaceState | null {
    const isThere = this.isThere(at);
    const step = Math.min(1, Math.max(0, at - this.#lastAt) / fadeMs);
    this.#lastAt = at;
    this.#share = Math.min(1, Math.max(0, this.#share + (isThere ? step : -step)));
    if (this.#share === 0) return voice;
    const around = this.#track.around(this.#clock.timeAt(at));
    if (!around) return voice;
    blendFrames(this.#tracked, this.#track.channelNames, around);
    if (!voice) return isThere ? this.#tracked : null;
    // The voice's own is another's to write in.
    this.#shown.channelNames = voice.channelNames;
    this.#shown.weights = Float32Array.from(voice.weights);
    this.#shown.translation = [...voice.translation];
    this.#shown.rotation = [...voice.rotation];
    this.#shown.gaze = { ...voice.gaze };
    fadeTowards(this.#shown, this.#tracked, this.#share);
    return this.#shown;
  }
}
