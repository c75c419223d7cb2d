import { frameBytes, mixToMono, readWav, type Sound } from '#proto/wav.ts';

/** Allowed sample rates, hertz. */
const rates = { least: 1000, most: 384_000 };
/** Longest sound, seconds (the engine's limit for one voice), and most samples in memory (two gigabytes). */
const mostSeconds = 3 * 3600;
const mostSamples = 2 ** 29;

/**
 * Reads a WAV file with any number of channels as a take's sound.
 *
 * @throws Error that says what is wrong with it
 */
export function readWavSound(file: Uint8Array): Sound {
  const audio = readWav(file);
  const { sampleRate, channels } = audio.format;
  if (channels < 1 || sampleRate < rates.least || sampleRate > rates.most)
    throw new Error(`The WAV file's format (${channels} channels, ${sampleRate} Hz) can't be read.`);
  if (audio.bytes.length / frameBytes(audio.format) > Math.min(mostSamples, mostSeconds * sampleRate))
    throw new Error('The WAV file is longer than three hours.');
  return mixToMono(audio);
}
