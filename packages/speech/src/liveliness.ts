/**
 * Movement besides speech: blinks, gaze, brows, head and breath, every 10 ms, from prosody and a seed.
 *
 * The rates are those of people in conversation: 15–25 blinks a minute, more at the ends of phrases; gaze
 * shifts every one to three seconds. Heads move with stressed syllables; breathing has 14 breaths a minute.
 */

import { type ArkitBlendshapeName, arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { blinkSquint, easedLid, eyeLook, lidSeconds } from '@likeness/proto/face/eye_movement.ts';
import { seededRandom } from '@likeness/proto/seeded_random.ts';
import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';

/** Gains; 1 is the default strength, 0 is off. */
export interface LivelinessStyle {
  readonly brows: number;
  readonly blinks: number;
  readonly gaze: number;
  readonly head: number;
}

/**
 * Head and eyes at one moment. Angles in radians, translation in metres, as in proto/face_animation.proto.
 */
export interface Pose {
  headPitch: number;
  headYaw: number;
  headRoll: number;
  /** x y z */
  headX: number;
  headY: number;
  headZ: number;
  gazeYaw: number;
  gazePitch: number;
}

const frame = 0.01;
const degree = Math.PI / 180;

/** Frames from open lid to closed, closed, and open again. */
const lidClosing = Math.round(lidSeconds.closing / frame);
const lidClosed = Math.round(lidSeconds.closed / frame);
const lidOpening = Math.round(lidSeconds.opening / frame);

export class Liveliness {
  readonly #seed: number;
  readonly #style: LivelinessStyle;
  #draw: () => number;
  /** Number of random numbers drawn so far. */
  #drawn = 0;
  readonly #random = (): number => {
    this.#drawn++;
    return this.#draw();
  };
  #n = 0;
  #blinkAt: number;
  #blinkFrame = -1;
  #doubleBlink = false;
  #gazeAt: number;
  readonly #gaze = new Spring(0.045, 0.9);
  readonly #gazeUp = new Spring(0.045, 0.9);
  #gazeYaw = 0;
  #gazePitch = 0;
  readonly #browInner = new Spring(0.16, 1);
  readonly #browOuter = new Spring(0.16, 1);
  readonly #browDown = new Spring(0.2, 1);
  readonly #nod = new Spring(0.16, 0.75);
  readonly #turn = new Spring(0.45, 1);
  readonly #tilt = new Spring(0.5, 1);
  #turnTo = 0;
  #tiltTo = 0;
  #turnAt: number;
  #speech = 0;
  #phraseFrames = 0;
  #slowLoudness = 0;
  #nodTo = 0;
  #nodRest = 0;
  #flash = 0;
  readonly #drift: Drift;
  readonly #breathPhase: number;
  readonly #breathRate: number;
  /** Faces are not symmetric: one brow and one lid move slightly earlier. */
  readonly #side: number;

  constructor(seed: number, style: LivelinessStyle) {
    this.#seed = seed;
    this.#style = style;
    this.#draw = seededRandom(seed);
    const random = this.#random;
    this.#blinkAt = this.#in(0.6, 2.4);
    this.#gazeAt = this.#in(0.5, 1.6);
    this.#turnAt = this.#in(0.8, 2.5);
    this.#drift = new Drift(random);
    this.#breathPhase = random() * 2 * Math.PI;
    this.#breathRate = (2 * Math.PI) / (3.8 + random() * 0.9);
    this.#side = random() * 2 - 1;
  }

  /**
   * Writes eyes, brows, nose and squint into `weights` [52] and gives the pose.
   *
   * @param speaking 0..1, 1 − posterior of silence @param loudness 0..1
   * @param pitch semitones above the speaker's mean, or undefined where unvoiced
   */
  step(speaking: number, loudness: number, pitch: number | undefined, weights: Float32Array): Pose {
    const was = this.#speech;
    this.#speech += (speaking - this.#speech) * (speaking > this.#speech ? 0.12 : 0.05);
    const active = this.#speech;
    if (active > 0.5) this.#phraseFrames++;
    // the end of a phrase: blink, look, settle the head
    if (was >= 0.5 && active < 0.5) {
      if (this.#phraseFrames > 60) {
        if (this.#random() < 0.55) this.#blinkAt = Math.min(this.#blinkAt, this.#in(0.02, 0.25));
        this.#turnAt = Math.min(this.#turnAt, this.#in(0.1, 0.4));
      }
      this.#phraseFrames = 0;
    }
    this.#stress(loudness, pitch, active);
    const pose = this.#pose(active);
    this.#eyes(weights, pose);
    this.#brows(weights, active);
    weights[arkitBlendshapeIndex.noseSneerLeft] = 0.02 * active * loudness;
    weights[arkitBlendshapeIndex.noseSneerRight] = 0.02 * active * loudness;
    this.#n++;
    return pose;
  }

  /** Returns an independent copy that continues from here: recomputing a part of a take starts from it. */
  copy(): Liveliness {
    const copy = new Liveliness(this.#seed, this.#style);
    copy.#drawn = this.#drawn;
    copy.#draw = seededRandom(this.#seed, this.#drawn);
    copy.#n = this.#n;
    copy.#blinkAt = this.#blinkAt;
    copy.#blinkFrame = this.#blinkFrame;
    copy.#doubleBlink = this.#doubleBlink;
    copy.#gazeAt = this.#gazeAt;
    copy.#gazeYaw = this.#gazeYaw;
    copy.#gazePitch = this.#gazePitch;
    copy.#turnTo = this.#turnTo;
    copy.#tiltTo = this.#tiltTo;
    copy.#turnAt = this.#turnAt;
    copy.#speech = this.#speech;
    copy.#phraseFrames = this.#phraseFrames;
    copy.#slowLoudness = this.#slowLoudness;
    copy.#nodTo = this.#nodTo;
    copy.#nodRest = this.#nodRest;
    copy.#flash = this.#flash;
    copy.#gaze.goOnFrom(this.#gaze);
    copy.#gazeUp.goOnFrom(this.#gazeUp);
    copy.#browInner.goOnFrom(this.#browInner);
    copy.#browOuter.goOnFrom(this.#browOuter);
    copy.#browDown.goOnFrom(this.#browDown);
    copy.#nod.goOnFrom(this.#nod);
    copy.#turn.goOnFrom(this.#turn);
    copy.#tilt.goOnFrom(this.#tilt);
    return copy;
  }

  /** The state must come from the same seed. */
  carry(state: StateCarrier): void {
    const drawn = state.number(this.#drawn);
    if (drawn !== this.#drawn) this.#draw = seededRandom(this.#seed, drawn);
    this.#drawn = drawn;
    this.#n = state.number(this.#n);
    this.#blinkAt = state.number(this.#blinkAt);
    this.#blinkFrame = state.number(this.#blinkFrame);
    this.#doubleBlink = state.flag(this.#doubleBlink);
    this.#gazeAt = state.number(this.#gazeAt);
    this.#gazeYaw = state.number(this.#gazeYaw);
    this.#gazePitch = state.number(this.#gazePitch);
    this.#turnTo = state.number(this.#turnTo);
    this.#tiltTo = state.number(this.#tiltTo);
    this.#turnAt = state.number(this.#turnAt);
    this.#speech = state.number(this.#speech);
    this.#phraseFrames = state.number(this.#phraseFrames);
    this.#slowLoudness = state.number(this.#slowLoudness);
    this.#nodTo = state.number(this.#nodTo);
    this.#nodRest = state.number(this.#nodRest);
    this.#flash = state.number(this.#flash);
    const brows = [this.#browInner, this.#browOuter, this.#browDown];
    for (const spring of [this.#gaze, this.#gazeUp, ...brows, this.#nod, this.#turn, this.#tilt]) {
      spring.carry(state);
    }
  }

  /** A frame number some seconds ahead. */
  #in(from: number, to: number): number {
    return this.#n + Math.round((from + (to - from) * this.#random()) / frame);
  }

  /**
   * Stressed syllables: loudness that stands out of the phrase, or a high pitch, nods and lifts the brows.
   */
  #stress(loudness: number, pitch: number | undefined, active: number): void {
    this.#slowLoudness += (loudness - this.#slowLoudness) * 0.02;
    const stands = loudness - this.#slowLoudness;
    const high = pitch === undefined ? 0 : Math.max(0, pitch - 1.5) / 6;
    if (this.#nodRest > 0) this.#nodRest--;
    else if (active > 0.5 && stands > 0.22 + 0.1 * this.#random()) {
      this.#nodTo = (1.1 + 2.2 * Math.min(1, stands * 1.6) * (0.5 + this.#random())) * degree;
      this.#nodRest = 32 + Math.round(50 * this.#random());
      if (this.#random() < 0.35 + high) this.#flash = 0.18 + 0.3 * Math.min(1, high + stands * 0.5);
    }
    this.#nodTo *= 0.93;
    this.#flash *= 0.975;
    const lift = Math.min(0.55, Math.min(0.35, high * 0.5) + this.#flash);
    this.#browInner.step(lift * 0.8);
    this.#browOuter.step(lift);
    this.#browDown.step(pitch !== undefined && pitch < -3 && loudness > 0.7 ? 0.16 : 0);
    this.#nod.step(this.#nodTo);
  }

  #pose(active: number): Pose {
    const random = this.#random;
    const lively = 0.45 + 0.55 * active;
    if (this.#n >= this.#turnAt) {
      this.#turnTo = (random() * 2 - 1) * 4.2 * degree * lively;
      this.#tiltTo = (random() * 2 - 1) * 2.4 * degree * lively;
      this.#turnAt = this.#in(active > 0.5 ? 0.8 : 1.8, active > 0.5 ? 2.6 : 5);
    }
    if (this.#n >= this.#gazeAt) {
      // mostly at the listener, now and then aside
      const aside = random() < (active > 0.5 ? 0.35 : 0.3);
      const reach = aside ? 1 : 0.16;
      this.#gazeYaw = (random() * 2 - 1) * 9 * degree * reach;
      this.#gazePitch = (random() * 2 - 1.15) * 5 * degree * reach;
      this.#gazeAt = this.#in(aside ? 0.35 : 0.8, aside ? 1.1 : 3);
      const far = Math.abs(this.#gazeYaw - this.#gaze.value) > 6 * degree;
      if (far && random() < 0.4) this.#blinkAt = Math.min(this.#blinkAt, this.#n);
    }
    const t = this.#n * frame;
    const drift = this.#drift.at(t);
    const breath = Math.sin(this.#breathPhase + this.#breathRate * t);
    const head = this.#style.head;
    const yaw = (this.#turn.step(this.#turnTo) + drift[0] * 0.9 * degree * lively) * head;
    const pitch =
      (this.#nod.value + (drift[1] * 0.8 * lively - 0.25 * breath - 0.4 * this.#browOuter.value) * degree) *
      head;
    const roll = (this.#tilt.step(this.#tiltTo) + drift[2] * 0.6 * degree * lively) * head;
    // eyes hold their target while the head turns (most of it)
    const gaze = this.#style.gaze;
    return {
      headPitch: pitch,
      headYaw: yaw,
      headRoll: roll,
      headX: yaw * 0.02 + drift[3] * 0.0008 * head,
      headY: (breath * 0.0011 - pitch * 0.01) * head,
      headZ: (drift[4] * 0.0012 + this.#nod.value * 0.03) * head,
      gazeYaw: this.#gaze.step(this.#gazeYaw) * gaze - 0.75 * yaw * gaze,
      gazePitch: this.#gazeUp.step(this.#gazePitch) * gaze + 0.75 * pitch * gaze,
    };
  }

  #eyes(weights: Float32Array, pose: Pose): void {
    const gaze = eyeLook({ yaw: pose.gazeYaw, pitch: pose.gazePitch });
    for (const [name, weight] of gaze) set(weights, name, weight);
    const down = gaze.at(-1)![1];

    if (this.#blinkFrame < 0 && this.#n >= this.#blinkAt) this.#blinkFrame = 0;
    let lid = 0;
    if (this.#blinkFrame >= 0) {
      lid = lidAt(this.#blinkFrame);
      if (++this.#blinkFrame > lidClosing + lidClosed + lidOpening) {
        this.#blinkFrame = -1;
        this.#doubleBlink = !this.#doubleBlink && this.#random() < 0.08;
        // skewed as people's are: many short waits, few long ones; shorter while speaking
        const wait = this.#doubleBlink
          ? 0.08
          : 0.7 - Math.log(1 - 0.98 * this.#random()) * (this.#speech > 0.5 ? 2 : 2.7);
        this.#blinkAt = this.#n + Math.round(wait / frame);
      }
    }
    const droop = 0.25 * down;
    const closed = Math.min(1, lid * this.#style.blinks + droop * (1 - lid));
    set(weights, 'eyeBlinkLeft', closed);
    set(weights, 'eyeBlinkRight', Math.min(1, closed * (1 + 0.03 * this.#side)));
    const squint = blinkSquint * lid * this.#style.blinks;
    set(weights, 'eyeSquintLeft', squint + 0.03);
    set(weights, 'eyeSquintRight', squint + 0.03);
    const wide = 0.25 * Math.max(0, this.#browOuter.value) * this.#style.brows * (1 - lid);
    set(weights, 'eyeWideLeft', wide);
    set(weights, 'eyeWideRight', wide);
  }

  #brows(weights: Float32Array, active: number): void {
    const gain = this.#style.brows;
    const drift = this.#drift.at(this.#n * frame + 40);
    const idle = 0.025 + 0.02 * drift[0];
    const outer = Math.max(0, this.#browOuter.value + idle);
    set(weights, 'browInnerUp', clamp(gain * (this.#browInner.value + idle)));
    set(weights, 'browOuterUpLeft', clamp(gain * outer * (1 + 0.2 * this.#side)));
    set(weights, 'browOuterUpRight', clamp(gain * outer * (1 - 0.2 * this.#side)));
    const down = clamp(gain * (this.#browDown.value * active + 0.02 * Math.max(0, drift[1])));
    set(weights, 'browDownLeft', down);
    set(weights, 'browDownRight', down);
  }
}

function lidAt(blinkFrame: number): number {
  if (blinkFrame < lidClosing) return easedLid(blinkFrame / lidClosing);
  if (blinkFrame < lidClosing + lidClosed) return 1;
  return easedLid(1 - (blinkFrame - lidClosing - lidClosed) / lidOpening);
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}

function set(weights: Float32Array, name: ArkitBlendshapeName, value: number): void {
  weights[arkitBlendshapeIndex[name]] = value;
}

/** Second-order follower stepped at 100 Hz. */
class Spring {
  value = 0;
  #speed = 0;
  readonly #stiffness: number;
  readonly #damping: number;

  /** @param time seconds to settle, roughly @param damping 1 is critical, less swings */
  constructor(time: number, damping: number) {
    const omega = 2 / time;
    this.#stiffness = omega * omega;
    this.#damping = 2 * damping * omega;
  }

  carry(state: StateCarrier): void {
    this.value = state.number(this.value);
    this.#speed = state.number(this.#speed);
  }

  goOnFrom(other: Spring): void {
    this.value = other.value;
    this.#speed = other.#speed;
  }

  step(target: number): number {
    // semi-implicit Euler, twice a frame: stable for the times used here
    for (let half = 0; half < 2; half++) {
      this.#speed += ((target - this.value) * this.#stiffness - this.#speed * this.#damping) * (frame / 2);
      this.value += this.#speed * (frame / 2);
    }
    return this.value;
  }
}

/** Five slow wanderings of about ±1: sums of three sines whose periods share no multiple. */
class Drift {
  readonly #waves: { rate: number; phase: number; size: number }[][];

  constructor(random: () => number) {
    this.#waves = Array.from({ length: 5 }, () =>
      [0.07, 0.19, 0.43].map((hertz, k) => ({
        rate: 2 * Math.PI * hertz * (0.8 + 0.4 * random()),
        phase: 2 * Math.PI * random(),
        size: [0.55, 0.3, 0.15][k] as number,
      })),
    );
  }

  at(seconds: number): [number, number, number, number, number] {
    return this.#waves.map((waves) =>
      waves.reduce((sum, { rate, phase, size }) => sum + size * Math.sin(rate * seconds + phase), 0),
    ) as [number, number, number, number, number];
  }
}
