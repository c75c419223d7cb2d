import { readRates } from '@likeness/proto/sound_limits.ts';
import { type AudioFormat, frameBytes, mixToMono, readWav, type Sound } from '@likeness/proto/wav.ts';

/**
 * Maximum audio duration, seconds (the engine's limit for one session), and maximum samples in memory (two
 * gigabytes).
 */
const maxSeconds = 3 * 3600;
const maxSamples = 2 ** 29;

export class SoundTooLongError extends Error {
  override name = 'SoundTooLongError';

  constructor() {
    super('The sound is longer than three hours.');
  }
}

/**
 * Checks that a WAV file can become a take's audio.
 *
 * @param samples of each channel
 * @throws {SoundTooLongError}
 * @throws Error that describes the problem
 */
export function checkWav({ sampleRate, channels }: AudioFormat, samples: number): void {
  if (channels < 1 || sampleRate < readRates.min || sampleRate > readRates.max)
    throw new Error(`The WAV file's format (${channels} channels, ${sampleRate} Hz) can't be read.`);
  if (samples > Math.min(maxSamples, maxSeconds * sampleRate)) throw new SoundTooLongError();
}

/**
 * Reads a WAV file with any number of channels as a take's audio.
 *
 * @throws as {@link checkWav}
 */
export function readWavSound(file: Uint8Array): Sound {
  const audio = readWav(file);
  checkWav(audio.format, audio.bytes.length / frameBytes(audio.format));
  return mixToMono(audio);
}
