import { readRates } from '@likeness/proto/sound_limits.ts';
import { type AudioFormat, frameBytes, mixToMono, readWav, type Sound } from '@likeness/proto/wav.ts';

/** Longest sound, seconds (the engine's limit for one voice), and most samples in memory (two gigabytes). */
const maxSeconds = 3 * 3600;
const maxSamples = 2 ** 29;

export class SoundTooLongError extends Error {
  override name = 'SoundTooLongError';

  constructor() {
    super('The sound is longer than three hours.');
  }
}

/**
 * Whether a WAV file's sound can be a take's.
 *
 * @param samples of each channel
 * @throws {SoundTooLongError}
 * @throws Error that says what is wrong with it
 */
export function checkWav({ sampleRate, channels }: AudioFormat, samples: number): void {
  if (channels < 1 || sampleRate < readRates.min || sampleRate > readRates.max)
    throw new Error(`The WAV file's format (${channels} channels, ${sampleRate} Hz) can't be read.`);
  if (samples > Math.min(maxSamples, maxSeconds * sampleRate)) throw new SoundTooLongError();
}

/**
 * Reads a WAV file with any number of channels as a take's sound.
 *
 * @throws as {@link checkWav}
 */
export function readWavSound(file: Uint8Array): Sound {
  const audio = readWav(file);
  checkWav(audio.format, audio.bytes.length / frameBytes(audio.format));
  return mixToMono(audio);
}
