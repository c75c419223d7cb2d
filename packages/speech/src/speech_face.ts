import { StreamMixer } from '@likeness/proto/mono_mixer.ts';
import { type StateCarrier, StateReader, StateWriter } from '@likeness/proto/speech/carried_state.ts';
import { engineRate, Resampler } from '@likeness/proto/speech/resampler.ts';
import { arkitCount, type FaceFrame, poseBetween } from './face_frame.ts';
import { Liveliness, type LivelinessStyle, type Pose } from './liveliness.ts';
import { hopSamples, MelStream } from './mel.ts';
import { Mouth, type MouthStyle } from './mouth.ts';
import { NoiseSuppression } from './noise/noise_suppression.ts';
import { LoudnessFollower, PitchFollower, type Prosody } from './prosody.ts';
import { type SpeechModel, visemeCount } from './speech_model.ts';
import { VisemeStream } from './viseme_stream.ts';

/** Gains by region; 1 is the default strength, 0 is off. */
export type SpeechFaceStyle = MouthStyle & LivelinessStyle;

const plainStyle: SpeechFaceStyle = { jaw: 1, mouth: 1, brows: 1, blinks: 1, gaze: 1, head: 1 };

/** Options of a face from speech. */
export interface SpeechFaceOptions {
  /** Hertz, 8,000..96,000. */
  sampleRate: number;
  /** 1..8, interleaved. */
  channels: number;
  /** Frames a second. @default 60 */
  frameRate?: 60 | 30;
  /** Seconds of audio after a frame's time that the frame waits for. @default 0.04 */
  lookahead?: 0 | 0.02 | 0.04 | 0.06;
  /** Suppresses noise first; frames come up to 22 ms later, with the same time codes. @default false */
  suppressNoise?: boolean;
  /** The same sound with the same seed gives the same take. @default 1 */
  seed?: number;
  style?: Partial<SpeechFaceStyle>;
}

/**
 * Turns one voice into one face. Frames depend only on the audio and the seed, not on how the audio was cut
 * into chunks.
 *
 * The face runs at 100 Hz inside and is interpolated to the frame rate. 20 ms of the lookahead compensate the
 * mouth's smoothing delay; the rest goes to the network.
 */
export class SpeechFace {
  readonly #frameRate: number;
  /** Null: one channel. */
  readonly #mixer: StreamMixer | null;
  readonly #resampler: Resampler;
  readonly #noise: NoiseSuppression | null;
  readonly #mel = new MelStream();
  readonly #pitch = new PitchFollower();
  readonly #loudness = new LoudnessFollower();
  readonly #visemes: VisemeStream;
  readonly #mouth: Mouth;
  readonly #liveliness: Liveliness;
  /** Lookahead of the network and time by which the face runs ahead, 10 ms frames. */
  readonly #networkDelay: number;
  readonly #advance: number;
  #samples = 0;
  #melFrame = 0;
  /** Prosody of mel frames whose posterior is not available yet. */
  readonly #waiting: Prosody[] = [];
  /** The newest and the last but one moment of the face. */
  #now: Moment | undefined;
  #before: Moment | undefined;
  #moment = -1;
  #frame = 0;
  #ended = false;

  constructor(model: SpeechModel, options: SpeechFaceOptions) {
    const { sampleRate, channels, frameRate = 60, lookahead = 0.04, seed = 1, style } = options;
    if (!(sampleRate >= 8000 && sampleRate <= 96_000)) {
      throw new RangeError(`A sample rate of ${sampleRate} Hz is not between 8,000 and 96,000`);
    }
    if (!(Number.isInteger(channels) && channels >= 1 && channels <= 8)) {
      throw new RangeError(`${channels} channels are not between 1 and 8`);
    }
    const frames = Math.round(lookahead * 100);
    this.#frameRate = frameRate;
    this.#advance = Math.min(2, frames);
    this.#networkDelay = frames - this.#advance;
    this.#mixer = channels > 1 ? new StreamMixer(channels, sampleRate) : null;
    this.#resampler = new Resampler(sampleRate);
    this.#noise = options.suppressNoise ? new NoiseSuppression() : null;
    this.#visemes = new VisemeStream(model, this.#networkDelay);
    const gains = { ...plainStyle, ...style };
    this.#mouth = new Mouth(model, gains);
    this.#liveliness = new Liveliness(seed, gains);
  }

  /** @param pcm interleaved samples, −1..1, any length @returns the frames that are now final, in order */
  push(pcm: Float32Array): FaceFrame[] {
    if (this.#ended) throw new Error('This voice has ended');
    return this.#hear(this.#resampler.push(this.#mixer?.push(pcm) ?? pcm));
  }

  /** @returns the frames up to the sound's end. Nothing may be pushed afterwards. */
  end(): FaceFrame[] {
    if (this.#ended) throw new Error('This voice has ended');
    this.#ended = true;
    const frames = this.#mixer ? this.#hear(this.#resampler.push(this.#mixer.end())) : [];
    frames.push(...this.#hear(this.#resampler.end()));
    if (this.#noise) frames.push(...this.#take(this.#noise.end()));
    const extra = this.#networkDelay + this.#advance + 2;
    this.#pitch.push(new Float32Array((extra + 2) * hopSamples));
    for (const mel of this.#mel.end(extra)) this.#step(mel, frames);
    return frames;
  }

  /** Returns the state: a face with the same options continues from it by `resume`. */
  state(): Uint8Array {
    const writer = new StateWriter();
    this.#carry(writer);
    return writer.bytes();
  }

  /** @param state of a face with the same options and code @throws {StateMismatch} for any other */
  resume(state: Uint8Array): void {
    const reader = new StateReader(state);
    this.#carry(reader);
    reader.end();
  }

  #carry(state: StateCarrier): void {
    this.#mixer?.carry(state);
    this.#resampler.carry(state);
    this.#noise?.carry(state);
    for (const part of [this.#mel, this.#pitch, this.#loudness, this.#visemes, this.#mouth, this.#liveliness])
      part.carry(state);
    this.#samples = state.number(this.#samples);
    this.#melFrame = state.number(this.#melFrame);
    this.#moment = state.number(this.#moment);
    this.#frame = state.number(this.#frame);
    this.#waiting.length = state.number(this.#waiting.length);
    for (let k = 0; k < this.#waiting.length; k++) {
      const { loudness = 0, faint = false, pitch } = this.#waiting[k] ?? {};
      // An unvoiced frame has no pitch.
      const carried = {
        loudness: state.number(loudness),
        faint: state.flag(faint),
        pitch: state.number(pitch ?? Number.NaN),
      };
      this.#waiting[k] = { ...carried, pitch: Number.isNaN(carried.pitch) ? undefined : carried.pitch };
    }
    this.#now = carryMoment(state, this.#now);
    this.#before = carryMoment(state, this.#before);
  }

  #hear(sound: Float32Array): FaceFrame[] {
    return this.#take(this.#noise?.push(sound) ?? sound);
  }

  /** @param sound after noise suppression */
  #take(sound: Float32Array): FaceFrame[] {
    this.#samples += sound.length;
    const frames: FaceFrame[] = [];
    this.#pitch.push(sound);
    for (const mel of this.#mel.push(sound)) this.#step(mel, frames);
    return frames;
  }

  #step(mel: Float32Array, frames: FaceFrame[]): void {
    const loudness = this.#loudness.step(mel);
    const { faint } = this.#loudness;
    this.#waiting.push({ loudness, faint, pitch: this.#pitch.step(loudness) });
    const [newest, ...older] = this.#visemes.step(mel);
    if (this.#melFrame++ < this.#networkDelay || !newest) return;
    for (const { age, posterior } of older) this.#mouth.revise(age, posterior);
    const prosody = this.#waiting.shift() as Prosody;
    this.#before = this.#now;
    this.#now = this.#makeMoment(newest.posterior, prosody);
    this.#moment++;
    // frame k lies at k / rate seconds and shows the moment `advance` later
    for (;;) {
      const scaled = this.#frame * 100;
      const whole = Math.floor(scaled / this.#frameRate);
      const part = (scaled - whole * this.#frameRate) / this.#frameRate;
      const needed = whole + this.#advance + (part > 0 ? 1 : 0);
      if (needed > this.#moment) break;
      if (this.#frame * engineRate >= this.#samples * this.#frameRate) break;
      frames.push(this.#makeFrame(part));
      this.#frame++;
    }
  }

  #makeMoment(posterior: Float32Array, { loudness, faint, pitch }: Prosody): Moment {
    const weights = new Float32Array(arkitCount + visemeCount);
    const arkit = weights.subarray(0, arkitCount);
    this.#mouth.step(posterior, loudness, arkit, weights.subarray(arkitCount), faint);
    const pose = this.#liveliness.step(1 - (posterior[0] as number), loudness, pitch, arkit);
    return { weights, pose };
  }

  /** @param part fraction of the way from the last moment but one to the newest; 0 means the newest itself */
  #makeFrame(part: number): FaceFrame {
    const now = this.#now as Moment;
    const from = part === 0 ? now : (this.#before ?? now);
    const mix = (a: number, b: number): number => a + (b - a) * part;
    const weights = new Float32Array(now.weights.length);
    for (let i = 0; i < weights.length; i++) {
      const weight = mix(from.weights[i] as number, now.weights[i] as number);
      weights[i] = Math.min(1, Math.max(0, weight));
    }
    return { timeCode: this.#frame / this.#frameRate, weights, ...poseBetween(from.pose, now.pose, part) };
  }
}

interface Moment {
  readonly weights: Float32Array;
  readonly pose: Pose;
}

function carryMoment(state: StateCarrier, moment: Moment | undefined): Moment | undefined {
  const weights = state.floats(moment?.weights ?? new Float32Array(0));
  const pose = { ...(moment?.pose ?? noPose) };
  for (const key of Object.keys(noPose) as (keyof Pose)[]) pose[key] = state.number(pose[key]);
  return weights.length === 0 ? undefined : { weights, pose };
}

const noPose = {
  headPitch: 0,
  headYaw: 0,
  headRoll: 0,
  headX: 0,
  headY: 0,
  headZ: 0,
  gazeYaw: 0,
  gazePitch: 0,
} satisfies Pose;
