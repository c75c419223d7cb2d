import { blendFrames, type FaceState, restingFace } from '#proto/live/face_state.ts';
import type { PlayableFace } from '#proto/take_stream.ts';

/** A face that goes on in time. */
export interface FaceSource {
  /**
   * The face at a moment of the monotonic clock, milliseconds; null where there is none. It is written over
   * by the next call, which must not be earlier.
   */
  faceAt(at: number): FaceState | null;
}

export interface TakeSourceOptions {
  face: PlayableFace;
  /** Of its sound: the face rests where it is shorter. */
  seconds: number;
  /** Seconds from its beginning, at the time `startAt`. */
  from: number;
  startAt: number;
  loop: boolean;
}

/** A take that is played: its place is read off the clock, so it never drifts from its sound. */
export class TakeSource implements FaceSource {
  readonly #options: TakeSourceOptions;
  readonly #face = restingFace();
  #index = 0;

  constructor(options: TakeSourceOptions) {
    this.#options = options;
  }

  /** Seconds from the take's beginning; with `loop` it goes round. */
  placeAt(at: number): number {
    const { seconds, from, startAt, loop } = this.#options;
    const place = from + (at - startAt) / 1000;
    return loop && seconds > 0 ? place % seconds : Math.min(place, seconds);
  }

  isOver(at: number): boolean {
    const { seconds, from, startAt, loop } = this.#options;
    return !loop && from + (at - startAt) / 1000 >= seconds;
  }

  faceAt(at: number): FaceState | null {
    const { frames, channelNames } = this.#options.face;
    const place = this.placeAt(at);
    if (frames.length === 0) return null;
    if (frames[this.#index]!.timeCode > place) this.#index = 0;
    while (this.#index + 1 < frames.length && frames[this.#index + 1]!.timeCode <= place) this.#index += 1;
    const from = frames[this.#index]!;
    const to = frames[this.#index + 1] ?? from;
    const span = to.timeCode - from.timeCode;
    const mix = span > 0 ? Math.min(1, Math.max(0, (place - from.timeCode) / span)) : 0;
    blendFrames(this.#face, channelNames, { from: { frame: from }, to: { frame: to }, mix });
    return this.#face;
  }
}

/** For the test of a target: a mouth that opens and closes once a second. */
export class TestSource implements FaceSource {
  readonly #face: FaceState = {
    ...restingFace(),
    channelNames: ['jawOpen', 'eyeBlinkLeft', 'eyeBlinkRight'],
    weights: new Float32Array(3),
  };

  faceAt(at: number): FaceState {
    const turn = (at / 1000) * 2 * Math.PI;
    this.#face.weights.set([
      0.4 - 0.4 * Math.cos(turn),
      ...[0, 1].map(() => Math.max(0, Math.sin(turn)) ** 8),
    ]);
    return this.#face;
  }
}
