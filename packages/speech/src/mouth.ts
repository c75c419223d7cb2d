/**
 * Converts viseme posteriors to mouth, jaw, tongue and cheek weights, every 10 ms.
 *
 * The whole posterior drives the face, not its winner: that is co-articulation. Bilabial closures and
 * lip-to-teeth contacts are separate events, with a threshold and a length.
 */
import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';
import {
  ffViseme,
  jawOpen,
  jawScale,
  makeClosure,
  makeTeethContact,
  maxNearing,
  mouthChannels,
  mouthClose,
  ppViseme,
  roundingScale,
  softJaw,
  softRounding,
} from './mouth_shapes.ts';
import { type SpeechModel, visemeCount } from './speech_model.ts';

/** Gains of the mouth; 1 is the default strength. */
export interface MouthStyle {
  readonly jaw: number;
  readonly mouth: number;
}

/**
 * Smoothing over the last frames of 10 ms, newest first. The jaw has the spread of a 100 ms mean (σ 30 ms)
 * but must not come late, so the weights decay from the newest. A triangle that leaves the jaw as calm (nine
 * frames) opens it 27 ms later, and follows captured jaws less well.
 */
const slowKernel = decay(3, 12);
/** Lips move forward and back more slowly than the jaw: by 100 to 60 (speech.md). */
const roundingKernel = decay(5, 20);
const quickKernel = triangle(3);

/** Minimum length of a closure, frames: shorter ones vanish between frames of 30 fps. */
const minClosure = 4;
/** A closure ends below this share of its threshold. */
const closureRelease = 0.6;
/** Frames from open to closed and back. */
const closing = 2;
const opening = 4;

export class Mouth {
  readonly #style: MouthStyle;
  readonly #closure: ContactEvent;
  readonly #teeth: ContactEvent;
  /** Ring of the last posteriors and loudnesses. */
  readonly #past: Moment[] = [];
  readonly #quick = new Float32Array(visemeCount);
  readonly #forJaw = new Float32Array(visemeCount);
  readonly #forRounding = new Float32Array(visemeCount);

  constructor(model: SpeechModel, style: MouthStyle) {
    this.#style = style;
    this.#closure = new ContactEvent(model.closureThreshold);
    this.#teeth = new ContactEvent(model.lipTeethThreshold);
  }

  /**
   * Replaces the posterior of a past frame after later audio has improved it. Jaw and lips average several
   * frames, so correcting the older ones adds no latency.
   *
   * @param age frames before the next step's, from 1 @param posterior [15]
   */
  revise(age: number, posterior: Float32Array): void {
    const moment = this.#past[age - 1];
    if (moment) this.#past[age - 1] = { ...moment, posterior };
  }

  /**
   * Writes the mouth's channels into `weights` [52], visemes into `visemes` [15].
   *
   * @param posterior [15] @param loudness 0..1
   * @param faint too soft for speech: a breath, which sounds like f
   */
  step(
    posterior: Float32Array,
    loudness: number,
    weights: Float32Array,
    visemes: Float32Array,
    faint = false,
  ): void {
    const past = this.#past;
    past.unshift({ posterior, loudness });
    if (past.length > roundingKernel.length) past.pop();

    const quick = this.#smooth(quickKernel, this.#quick, 1);
    visemes.set(quick);
    // Each frame opens the mouth by its own loudness: averaging loudness and visemes separately would add
    // delay.
    const smoothed = {
      jaw: this.#smooth(slowKernel, this.#forJaw, softJaw),
      round: this.#smooth(roundingKernel, this.#forRounding, softRounding),
      lip: quick,
    };
    const gains = {
      jaw: jawScale * this.#style.jaw,
      round: roundingScale * this.#style.mouth,
      lip: (0.6 + 0.4 * (softJaw + (1 - softJaw) * this.#loudness())) * this.#style.mouth,
    };
    for (const { channel, kind, byViseme } of mouthChannels) {
      weights[channel] = dot(smoothed[kind], byViseme) * gains[kind];
    }

    // lips that round over an open jaw never shut
    weights[mouthClose] = Math.min(weights[mouthClose] as number, 0.85 * (weights[jawOpen] as number));

    makeTeethContact(weights, this.#teeth.step(faint ? 0 : (visemes[ffViseme] as number)));
    makeClosure(weights, this.#closure.step(visemes[ppViseme] as number));
  }

  carry(state: StateCarrier): void {
    this.#closure.carry(state);
    this.#teeth.carry(state);
    this.#past.length = state.number(this.#past.length);
    for (let k = 0; k < this.#past.length; k++) {
      const moment = this.#past[k];
      const posterior = state.floats(moment?.posterior ?? new Float32Array(0));
      this.#past[k] = { posterior, loudness: state.number(moment?.loudness ?? 0) };
    }
  }

  /**
   * Weighted mean of the last posteriors, into `out`.
   *
   * @param soft weight of a silent frame relative to a loud one
   */
  #smooth(kernel: Float32Array, out: Float32Array, soft: number): Float32Array {
    out.fill(0);
    let weight = 0;
    for (let k = 0; k < kernel.length && k < this.#past.length; k++) {
      const { posterior, loudness } = this.#past[k] as Moment;
      const share = kernel[k] as number;
      const counts = share * (soft + (1 - soft) * loudness);
      for (let v = 0; v < visemeCount; v++) {
        out[v] = (out[v] as number) + counts * (posterior[v] as number);
      }
      weight += share;
    }
    for (let v = 0; v < visemeCount; v++) out[v] = (out[v] as number) / weight;
    return out;
  }

  /** Mean of the last loudnesses. */
  #loudness(): number {
    let [sum, weight] = [0, 0];
    for (let k = 0; k < slowKernel.length && k < this.#past.length; k++) {
      const share = slowKernel[k] as number;
      sum += share * (this.#past[k] as Moment).loudness;
      weight += share;
    }
    return sum / weight;
  }
}

interface Moment {
  readonly posterior: Float32Array;
  readonly loudness: number;
}

/**
 * A lip contact. It begins when two frames together pass a threshold, because the network often takes an n or
 * l for an m in one frame. It ends below a lower threshold, and lasts at least {@link minClosure}.
 */
export class ContactEvent {
  readonly #threshold: number;
  #on = false;
  #contactFrames = 0;
  #amount = 0;
  #last = 0;

  constructor(threshold: number) {
    this.#threshold = threshold;
  }

  /** Whether there is contact now. */
  get on(): boolean {
    return this.#on;
  }

  carry(state: StateCarrier): void {
    this.#on = state.flag(this.#on);
    this.#contactFrames = state.number(this.#contactFrames);
    this.#amount = state.number(this.#amount);
    this.#last = state.number(this.#last);
  }

  /** @returns 0 (apart) .. 1 (in contact) */
  step(posterior: number): number {
    if (this.#on) {
      this.#contactFrames++;
      if (this.#contactFrames >= minClosure && posterior < this.#threshold * closureRelease) this.#on = false;
    } else if (Math.min(posterior, this.#last) >= this.#threshold) {
      this.#on = true;
      this.#contactFrames = 0;
    }
    this.#last = posterior;
    this.#amount = this.#on
      ? Math.min(1, this.#amount + 1 / closing)
      : Math.max(0, this.#amount - 1 / opening);
    // what stays below the threshold brings the lips near: half sure of an m is half shut
    const nearing = maxNearing * Math.min(1, posterior / this.#threshold) ** 1.25;
    return Math.max(this.#amount * this.#amount * (3 - 2 * this.#amount), nearing);
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function triangle(length: number): Float32Array {
  const half = (length + 1) / 2;
  return Float32Array.from({ length }, (_, i) => half - Math.abs(i + 1 - half));
}

/** @param time frames in which a share falls to 1/e */
function decay(time: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => Math.exp(-i / time));
}
