import type { FullPassModel } from '../full_pass_model.ts';
import { FullPassStream, type HeardRows } from '../full_pass_stream.ts';
import { joinedFloats } from '../joined_floats.ts';
import { hopSamples, MelStream } from '../mel.ts';
import type { NoiseSuppression } from '../noise/noise_suppression.ts';
import { ProsodyTrack, type TakeVoice } from './take_voice.ts';

/** Analyses a whole recording, block by block. An hour needs some 50 MB. */
export class VoiceAnalyser {
  readonly #noise: NoiseSuppression | null;
  readonly #mel = new MelStream();
  readonly #prosody = new ProsodyTrack();
  readonly #network: FullPassStream;
  readonly #posteriors: Float32Array[] = [];
  readonly #contacts: Float32Array[] = [];
  #samples = 0;

  /** @param noise suppresses noise before the analysis; null: no suppression */
  constructor(model: FullPassModel, noise: NoiseSuppression | null = null) {
    this.#network = new FullPassStream(model);
    this.#noise = noise;
  }

  /** @param sound mono at 16 kHz, −1..1, any length */
  push(sound: Float32Array): void {
    this.#samples += sound.length;
    this.#hear(this.#noise?.push(sound) ?? sound);
  }

  /** Nothing may be pushed afterwards. @param seconds length of the recording, if known more exactly */
  end(seconds = this.#samples / (100 * hopSamples)): TakeVoice {
    if (this.#noise) this.#hear(this.#noise.end());
    const last = this.#mel.end(0);
    this.#keep(this.#network.push(last));
    this.#keep(this.#network.end());
    const prosody = this.#prosody.end(last);
    return {
      ...prosody,
      frames: prosody.loudness.length,
      posteriors: joinedFloats(...this.#posteriors),
      contacts: joinedFloats(...this.#contacts),
      seconds,
    };
  }

  #hear(sound: Float32Array): void {
    const mels = this.#mel.push(sound);
    this.#prosody.add(sound, mels);
    this.#keep(this.#network.push(mels));
  }

  #keep({ posteriors, contacts }: HeardRows): void {
    this.#posteriors.push(posteriors);
    this.#contacts.push(contacts);
  }
}
