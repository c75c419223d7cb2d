import { framesAround } from '@likeness/proto/face/frames_around.ts';
import { blendFrames, type FaceState, restingFace } from '@likeness/proto/live/face_state.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';

/** A face that changes over time. */
export interface FaceSource {
  /**
   * Returns the face at a time of the monotonic clock, milliseconds; null if there is none. The next call
   * overwrites it and must not be earlier.
   */
  faceAt(at: number): FaceState | null;
}

export interface TakeSourceOptions {
  face: PlayableFace;
  /** Duration of its audio: the face rests after its own end. */
  seconds: number;
  /** Position in seconds at the time `startAt`. */
  from: number;
  startAt: number;
  loop: boolean;
  /** Playback speed; 0: paused. Default: 1. */
  speed?: number;
}

/** A take that is played: its position follows the clock, so it never drifts from its audio. */
export class TakeSource implements FaceSource {
  #options: TakeSourceOptions;
  readonly #face = restingFace();

  constructor(options: TakeSourceOptions) {
    this.#options = options;
  }

  /** Seconds from the take's start; wraps around with `loop`. */
  secondsAt(at: number): number {
    const { seconds, from, startAt, loop, speed = 1 } = this.#options;
    const position = from + ((at - startAt) / 1000) * speed;
    return loop && seconds > 0 ? position % seconds : Math.min(position, seconds);
  }

  /** Seeks to another position, at the time `startAt`. */
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

/** For a target's test: a mouth that opens and closes once a second. */
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
