import { framesAround } from '@likeness/proto/face/frames_around.ts';
import { blendFrames, type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

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
  /** Seconds of it a second; 0: it stands still. Default: 1. */
  speed?: number;
}

/** A take that is played: its place is read off the clock, so it never drifts from its sound. */
export class TakeSource implements FaceSource {
  #options: TakeSourceOptions;
  readonly #face = restingFace();

  constructor(options: TakeSourceOptions) {
    this.#options = options;
  }

  /** Seconds from the take's beginning; with `loop` it goes round. */
  secondsAt(at: number): number {
    const { seconds, from, startAt, loop, speed = 1 } = this.#options;
    const position = from + ((at - startAt) / 1000) * speed;
    return loop && seconds > 0 ? position % seconds : Math.min(position, seconds);
  }

  /** Goes on from elsewhere, at the time `startAt`. */
  move(to: { from: number; startAt: number; speed: number }): void {
    this.#options = { ...this.#options, ...to };
  }

  faceAt(at: number): FaceState | null {
    const { frames, channelNames } = this.#options.face;
    const around = framesAround(frames, this.secondsAt(at));
    if (!around) return null;
    const { from, to, mix } = around;
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
