import { frameBytes, mixToMono, readWav, type Sound } from '#proto/wav.ts';

/** Hertz that a sound may have. */
const rates = { least: 1000, most: 384_000 };
/** Seconds of a sound, and samples of it in memory: what the engine takes of one voice, and two gigabytes. */
const mostSeconds = 3 * 3600;
const mostSamples = 2 ** 29;

/**
 * Reads a WAV file of any channels as a sound that a take may have.
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
