/**
 * The face that is shown: a voice's or else idle motion, with an expression laid over it and eyes that follow
 * a target. All changes are faded.
 */
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { type FaceState, fadeTowards, restingFace } from '@likeness/proto/live/face_state.ts';
import type { IdleMotion } from './idle-motion.ts';
import { lookAt } from './look-at.ts';
import { turnHead } from './turn-head.ts';

export interface Wanted {
  /** The voice's face; null where none comes. */
  voice: FaceState | null;
  idle: boolean;
  /** Weights by channel; they leave room for what the voice does with the same channel. */
  expression: Readonly<Record<string, number>> | null;
  /** Radians to the head's own left, and upwards; null: wherever the face looks by itself. */
  gaze: { yaw: number; pitch: number } | null;
}

/** Milliseconds from one source of the face to the other. */
const fadeMs = 300;
/** Milliseconds in which expressions and eyes do most of their way. */
const expressionMs = 90;
const gazeMs = 70;
/** Longer gaps between frames count as so many milliseconds. */
const longestStep = 100;
/** Share of a look that the head turns; the eyes do the rest. */
const headShare = 0.35;

export class PerformedFace {
  readonly #idleMotion: IdleMotion;
  readonly #face: FaceState = restingFace();
  #voice: FaceState | null = null;
  /** Shares of each source, 0..1. */
  #voiceShare = 0;
  #idleShare: number | undefined;
  #gazeShare = 0;
  readonly #gaze = { yaw: 0, pitch: 0 };
  readonly #expressed = new Map<string, number>();
  #names: { of: readonly string[]; all: readonly string[] } = { of: [], all: arkitBlendshapeNames };
  #lastAt = Number.NaN;

  constructor(idleMotion: IdleMotion) {
    this.#idleMotion = idleMotion;
  }

  /**
   * The face to draw, in arrays that are used again; null while it is at rest. Call it with rising times.
   *
   * @param at milliseconds of the clock that idle motion goes by
   */
  at(at: number, { voice, idle, expression, gaze }: Wanted): FaceState | null {
    const passed = Math.min(longestStep, Math.max(0, at - this.#lastAt) || 0);
    this.#lastAt = at;
    if (voice) this.#voice = voice;
    const step = passed / fadeMs;
    this.#voiceShare = approach(this.#voiceShare, voice ? 1 : 0, step);
    this.#idleShare = approach(this.#idleShare ?? (idle ? 1 : 0), idle ? 1 : 0, step);
    this.#gazeShare = approach(this.#gazeShare, gaze ? 1 : 0, step);
    this.#express(expression ?? {}, passed);
    const shares = this.#voiceShare + this.#idleShare + this.#gazeShare;
    if (shares === 0 && this.#expressed.size === 0) return null;

    const face = this.#rested();
    if (this.#voiceShare < 1) fadeTowards(face, this.#idleMotion.at(at / 1000), this.#idleShare);
    if (this.#voice) fadeTowards(face, this.#voice, this.#voiceShare);
    for (const [name, weight] of this.#expressed) {
      const channel = face.channelNames.indexOf(name);
      if (channel >= 0) face.weights[channel]! += weight * (1 - face.weights[channel]!);
    }
    this.#moveGaze(gaze, passed);
    return face;
  }

  /** The face at rest, with the voice's channels and those that everything else here moves. */
  #rested(): FaceState {
    const names = this.#voice?.channelNames;
    if (names && this.#names.of !== names) {
      const missing = arkitBlendshapeNames.filter((name) => !names.includes(name));
      this.#names = { of: names, all: missing.length > 0 ? [...names, ...missing] : names };
    }
    const { all } = this.#names;
    const face = this.#face;
    if (face.weights.length !== all.length) face.weights = new Float32Array(all.length);
    const { channelNames: _names, weights: _weights, ...still } = restingFace();
    Object.assign(face, still, { channelNames: all });
    face.weights.fill(0);
    return face;
  }

  #express(wanted: Readonly<Record<string, number>>, passed: number): void {
    const follow = 1 - Math.exp(-passed / expressionMs);
    for (const name of new Set([...this.#expressed.keys(), ...Object.keys(wanted)])) {
      const now = this.#expressed.get(name) ?? 0;
      const next = now + ((wanted[name] ?? 0) - now) * follow;
      if (next < 0.002 && !wanted[name]) this.#expressed.delete(name);
      else this.#expressed.set(name, next);
    }
  }

  #moveGaze(gaze: Wanted['gaze'], passed: number): void {
    const follow = 1 - Math.exp(-passed / gazeMs);
    if (gaze) {
      this.#gaze.yaw += (gaze.yaw - this.#gaze.yaw) * follow;
      this.#gaze.pitch += (gaze.pitch - this.#gaze.pitch) * follow;
    }
    const share = this.#gazeShare;
    if (share === 0) return;
    const { yaw, pitch } = this.#gaze;
    const face = this.#face;
    const { leftYaw, leftPitch } = face.gaze;
    const eyes = share * (1 - headShare);
    lookAt(face, leftYaw * (1 - share) + yaw * eyes, leftPitch * (1 - share) + pitch * eyes);
    turnHead(face, { yaw: yaw * headShare * share, pitch: -pitch * headShare * share, roll: 0 });
  }
}

/** From `now` towards `to`, by `step` at most. */
const approach = (now: number, to: number, step: number): number =>
  now + Math.max(-step, Math.min(step, to - now));
