import { arkitCount } from '../face_frame.ts';
import { Liveliness, type LivelinessStyle, type Pose } from '../liveliness.ts';
import { visemeCount } from '../speech_model.ts';
import type { TakeVoice } from './take_voice.ts';

/** Eyes, brows and head between two frames. */
export interface LivelyStretch {
  /** [frames × 52], the mouth's channels 0 */
  readonly weights: Float32Array;
  readonly poses: readonly Pose[];
}

/** Frames of 10 ms between two stored states. */
const stride = 500;
const plain: LivelinessStyle = { brows: 1, blinks: 1, gaze: 1, head: 1 };

/**
 * Movement besides speech, over a whole take. Each moment depends on the one before, so the state is stored
 * every five seconds: a recomputed part fits its surroundings.
 */
export class TakeLiveliness {
  readonly #voice: TakeVoice;
  /** State before frame `k · stride`. */
  readonly #kept: Liveliness[];

  constructor(voice: TakeVoice, seed: number) {
    this.#voice = voice;
    this.#kept = [new Liveliness(seed, plain)];
  }

  /** @param from frames of 10 ms @param to the frame after the last */
  stretch(from: number, to: number): LivelyStretch {
    const before = Math.min(this.#kept.length - 1, Math.floor(from / stride));
    const lively = (this.#kept[before] as Liveliness).copy();
    const weights = new Float32Array((to - from) * arkitCount);
    const passed = new Float32Array(arkitCount);
    const poses: Pose[] = [];
    for (let i = before * stride; i < to; i++) {
      if (i === this.#kept.length * stride) this.#kept.push(lively.copy());
      const row = i < from ? passed : weights.subarray((i - from) * arkitCount, (i - from + 1) * arkitCount);
      const pose = this.#step(lively, i, row);
      if (i >= from) poses.push(pose);
    }
    return { weights, poses };
  }

  #step(lively: Liveliness, i: number, into: Float32Array): Pose {
    const { posteriors, loudness, pitch } = this.#voice;
    const height = pitch[i] as number;
    return lively.step(
      1 - (posteriors[i * visemeCount] as number),
      loudness[i] as number,
      Number.isNaN(height) ? undefined : height,
      into,
    );
  }
}
