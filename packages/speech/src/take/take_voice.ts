import { hopSamples } from '../mel.ts';
import { LoudnessFollower, PitchFollower } from '../prosody.ts';

/** The analysis of a whole recording: its mouth shapes. */
export interface HeardSound {
  /** Of 10 ms: ⌈samples / 160⌉. */
  readonly frames: number;
  /** [frames × 15], each frame's sum to 1 */
  readonly posteriors: Float32Array;
}

/** Prosody of the voice, 10 ms a frame. */
export interface VoiceProsody {
  /** 0..1 */
  readonly loudness: Float32Array;
  /** 1: too soft for any speech sound. */
  readonly faint: Uint8Array;
  /** Semitones above the speaker's running mean; NaN where unvoiced. */
  readonly pitch: Float32Array;
}

/** The analysis that a take's face needs besides its words. */
export interface TakeVoice extends HeardSound, VoiceProsody {
  /** [frames × 2] confidence that the lips meet, and that the teeth touch the lip: `HeardRows.contacts` */
  readonly contacts: Float32Array;
  /** Length of the audio. */
  readonly seconds: number;
}

/** Tracks the prosody of audio, block by block. */
export class ProsodyTrack {
  readonly #loudness = new LoudnessFollower();
  readonly #pitch = new PitchFollower();
  readonly #track: { loudness: number; faint: boolean; pitch: number }[] = [];

  /** @param sound at 16 kHz @param mels the log-mel frames that it completes */
  add(sound: Float32Array, mels: readonly Float32Array[]): void {
    this.#pitch.push(sound);
    for (const mel of mels) this.#step(mel);
  }

  #step(mel: Float32Array): void {
    const loudness = this.#loudness.step(mel);
    const pitch = this.#pitch.step(loudness) ?? Number.NaN;
    this.#track.push({ loudness, faint: this.#loudness.faint, pitch });
  }

  /** @param mels those of the sound's end */
  end(mels: readonly Float32Array[]): VoiceProsody {
    this.add(new Float32Array((mels.length + 2) * hopSamples), mels);
    return {
      loudness: Float32Array.from(this.#track, ({ loudness }) => loudness),
      faint: Uint8Array.from(this.#track, ({ faint }) => (faint ? 1 : 0)),
      pitch: Float32Array.from(this.#track, ({ pitch }) => pitch),
    };
  }
}
