/**
 * Loudness and pitch of the voice, every 10 ms; they drive brows, nods and the size of the mouth.
 */
import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';
import { hopSamples, melReachSamples } from './mel.ts';

/** Prosody of one 10 ms frame. */
export interface Prosody {
  /** Loudness within the speaker's own range, 0 (24 dB below their loud syllables, or silence) to 1. */
  readonly loudness: number;
  /** Too quiet for any speech sound. */
  readonly faint: boolean;
  /** Semitones above the speaker's running mean pitch; undefined where unvoiced. */
  readonly pitch: number | undefined;
}

/** Range below the loudest syllables that counts as speech, dB. */
const loudRange = 24;
/**
 * Further below them is only breath and room noise, dB; the faintest f of flite kal16 and awb is at 28.
 */
const faintBelow = 32;
/** Nothing below this is speech, dB of summed mel power (a full-scale sine is +40). */
const silenceLevel = -22;
/**
 * At the start the voice's loudness is unknown, and the breath before the first word would look like an f. So
 * assume the loudness of most recordings (dB) until the audio is louder than breath, or for one second
 * (frames).
 */
const expectedPeak = 35;
const noBreath = 10;
const expecting = 100;
/** Loudest-syllable follower: up within a syllable, down within a phrase; per-frame shares at 100 Hz. */
const peakAttack = 1 - Math.exp(-1 / 10);
const peakRelease = 1 - Math.exp(-1 / 800);

export class LoudnessFollower {
  #peak = silenceLevel;
  #faint = true;
  /** Remaining frames for which the expected loudness applies. */
  #expecting = expecting;

  /** {@link Prosody.faint} of the last frame. */
  get faint(): boolean {
    return this.#faint;
  }

  carry(state: StateCarrier): void {
    this.#peak = state.number(this.#peak);
    this.#faint = state.flag(this.#faint);
    this.#expecting = state.number(this.#expecting);
  }

  /** @param mel ln power of the bands @returns 0..1 */
  step(mel: Float32Array): number {
    let power = 0;
    for (const band of mel) power += Math.exp(band);
    const level = 10 * Math.log10(power + 1e-9);
    const rate = level > this.#peak ? peakAttack : peakRelease;
    this.#peak = Math.max(silenceLevel, this.#peak + (level - this.#peak) * rate);
    if (level > noBreath) this.#expecting = 0;
    const peak = this.#expecting > 0 ? Math.max(expectedPeak, this.#peak) : this.#peak;
    if (this.#expecting > 0 && level > silenceLevel) this.#expecting--;
    this.#faint = level < peak - faintBelow;
    if (level < silenceLevel) return 0;
    return Math.min(1, Math.max(0, (level - this.#peak + loudRange) / loudRange));
  }
}

/** Pitch is searched in sound thinned to 4 kHz. */
const thinning = 4;
const thinHop = hopSamples / thinning;
const thinReach = melReachSamples / thinning;
/** Periods searched at 4 kHz: 400 Hz down to 61 Hz. */
const shortestPeriod = 10;
const longestPeriod = 66;
const correlationWindow = 120;
/** Normalised correlation from which a frame is voiced. */
const voicedFrom = 0.6;
/** The mean pitch follows with 4 s of voiced frames. */
const meanRate = 1 / 400;

export class PitchFollower {
  #thin = new Float32Array(4096);
  #length = 0;
  #start = 0;
  #sum = 0;
  #summed = 0;
  #frame = 0;
  #mean = 0;
  #voicedFrames = 0;

  /** Takes the 16 kHz samples that the mel stream takes. */
  push(sound: Float32Array): void {
    if (this.#length + sound.length / thinning + 1 > this.#thin.length) this.#makeRoom(sound.length);
    for (let i = 0; i < sound.length; i++) {
      this.#sum += sound[i] as number;
      if (++this.#summed === thinning) {
        this.#thin[this.#length++] = this.#sum / thinning;
        this.#sum = 0;
        this.#summed = 0;
      }
    }
  }

  /** Semitones above the running mean for the next frame, or undefined where it is not voiced. */
  step(loudness: number): number | undefined {
    const end = this.#frame * thinHop + thinReach - this.#start;
    this.#frame++;
    const from = end - correlationWindow;
    if (loudness < 0.15 || from - longestPeriod < 0 || end > this.#length) return undefined;
    const thin = this.#thin;
    let own = 1e-9;
    for (let i = from; i < end; i++) own += (thin[i] as number) ** 2;
    let other = 1e-9;
    for (let i = from - shortestPeriod; i < end - shortestPeriod; i++) other += (thin[i] as number) ** 2;
    let best = 0;
    let period = 0;
    for (let lag = shortestPeriod; lag <= longestPeriod; lag++) {
      let product = 0;
      for (let i = from; i < end; i++) product += (thin[i] as number) * (thin[i - lag] as number);
      const correlation = product / Math.sqrt(own * other);
      // a multiple of the period correlates as well: the shorter one stands unless clearly beaten
      if (correlation > best * 1.06) {
        best = correlation;
        period = lag;
      }
      const leaving = thin[end - 1 - lag] as number;
      const entering = thin[from - 1 - lag] as number;
      other += entering * entering - leaving * leaving;
      if (other < 1e-9) other = 1e-9;
    }
    if (best < voicedFrom) return undefined;
    const semitones = 12 * Math.log2(4000 / period / 100);
    this.#voicedFrames++;
    this.#mean += (semitones - this.#mean) * Math.max(meanRate, 1 / this.#voicedFrames);
    return semitones - this.#mean;
  }

  carry(state: StateCarrier): void {
    this.#makeRoom(0);
    const carried = state.floats(this.#thin.subarray(0, this.#length));
    if (carried.length > this.#thin.length) this.#thin = new Float32Array(2 * carried.length);
    this.#thin.set(carried);
    this.#length = carried.length;
    this.#start = state.number(this.#start);
    this.#sum = state.number(this.#sum);
    this.#summed = state.number(this.#summed);
    this.#frame = state.number(this.#frame);
    this.#mean = state.number(this.#mean);
    this.#voicedFrames = state.number(this.#voicedFrames);
  }

  #makeRoom(coming: number): void {
    const keepFrom = Math.max(
      0,
      this.#frame * thinHop + thinReach - this.#start - correlationWindow - longestPeriod - 1,
    );
    this.#thin.copyWithin(0, keepFrom, this.#length);
    this.#length -= keepFrom;
    this.#start += keepFrom;
    if (this.#length + coming / thinning + 1 > this.#thin.length) {
      const grown = new Float32Array(2 * (this.#length + coming));
      grown.set(this.#thin.subarray(0, this.#length));
      this.#thin = grown;
    }
  }
}
