import { type FileHandle, open } from 'node:fs/promises';
import { MonoMixer } from '@likeness/proto/mono_mixer.ts';
import { peakOf, sampleRange } from '@likeness/proto/sound_limits.ts';
import {
  frameBytes,
  isWav,
  readWavHead,
  toSamples,
  WavError,
  type WavHead,
  wavHead,
} from '@likeness/proto/wav.ts';
import { checkWav, SoundTooLongError } from './wav_file.ts';

/** Sound of one channel in a WAV file of floats, as takes have it. */
export interface SoundFile {
  path: string;
  /** Hertz. */
  sampleRate: number;
  /** How many there are. */
  samples: number;
}

export const secondsOf = ({ samples, sampleRate }: Omit<SoundFile, 'path'>): number => samples / sampleRate;

/** Bytes in which a WAV file's samples must have begun: pictures and notes may stand before them. */
const headBytes = 4 * 1024 * 1024;
/** Read at a time, sample frames. */
const blockFrames = 65_536;

/** A WAV file whose head has been read. */
export interface OpenWav extends Pick<WavHead, 'format'> {
  /** Whole sample frames that are there. */
  samples: number;
  /**
   * All channels as one, some seconds at a time. The file stays open until the last.
   *
   * @param range what the samples are divided by; default: 1
   */
  blocks: (range?: number) => AsyncGenerator<Float32Array>;
  /** The range that brings them to −1..1; another file's than a take's may have whole numbers as floats. */
  range: () => Promise<number>;
}

/**
 * Reads a WAV file piece by piece: hours of sound are never in memory.
 *
 * @returns null for what is no WAV file
 * @throws the system's errors; {@link SoundTooLongError}; Error that says what is wrong with the file
 */
export async function openWav(path: string): Promise<OpenWav | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = await readPart(file, 0, Math.min(size, headBytes));
    if (!isWav(head)) return null;
    const { format, from, bytes } = readWavHead(head, size);
    const width = frameBytes(format) || 1;
    const samples = Math.floor(bytes / width);
    checkWav(format, samples);
    const sound = { format, from, bytes: samples * width };
    return {
      format,
      samples,
      blocks: (range = 1) => blocksOf(path, sound, range),
      range: () => rangeOf(path, sound),
    };
  } finally {
    await file.close();
  }
}

/** A take's own sound. @throws as {@link openWav}; WavError for what is none */
export async function openTakeSound(path: string): Promise<OpenWav> {
  const wav = await openWav(path);
  if (!wav) throw new WavError('not_wav', 'It is not a WAV file.');
  return wav;
}

/** Divisor that brings a file's samples to −1..1: some float files hold whole numbers. Reads all samples. */
async function rangeOf(path: string, head: WavHead): Promise<number> {
  const { encoding } = head.format;
  if (encoding !== 'f32le' && encoding !== 'f64le') return 1;
  let peak = 0;
  for await (const block of interleavedBlocks(path, head)) peak = Math.max(peak, peakOf(block));
  return sampleRange(peak);
}

async function* blocksOf(path: string, head: WavHead, range: number): AsyncGenerator<Float32Array> {
  const { channels } = head.format;
  const mixer = new MonoMixer(channels);
  for await (const block of interleavedBlocks(path, head)) {
    const mixed = channels === 1 ? block : mixer.push(block);
    yield range === 1 ? mixed : mixed.map((sample) => sample / range);
  }
}

async function* interleavedBlocks(
  path: string,
  { format, from, bytes }: WavHead,
): AsyncGenerator<Float32Array> {
  const file = await open(path);
  try {
    const width = frameBytes(format);
    const buffer = Buffer.allocUnsafeSlow(blockFrames * width);
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, bytes - at), from + at);
      const whole = bytesRead - (bytesRead % width);
      if (whole === 0) return;
      yield toSamples({ format, bytes: buffer.subarray(0, whole) });
      at += whole;
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes sound that comes block by block as a take's WAV file.
 *
 * @param path of a file that is not there yet
 * @param max samples, beyond which it is {@link SoundTooLongError}
 * @throws the system's errors; then what was written is still there
 */
export async function writeMonoWav(
  path: string,
  sampleRate: number,
  blocks: AsyncIterable<Float32Array>,
  max = Number.POSITIVE_INFINITY,
): Promise<SoundFile> {
  const file = await open(path, 'wx', 0o600);
  try {
    const encoding = 'f32le';
    await file.write(wavHead(sampleRate, 0, encoding));
    let samples = 0;
    for await (const block of blocks) {
      samples += block.length;
      if (samples > max) throw new SoundTooLongError();
      // Every machine that this runs on is little endian.
      await writeWhole(file, new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
    }
    await file.write(wavHead(sampleRate, samples, encoding), 0, undefined, 0);
    return { path, sampleRate, samples };
  } finally {
    await file.close();
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
}

async function readPart(file: FileHandle, from: number, length: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await file.read(buffer, 0, length, from);
  return buffer.subarray(0, bytesRead);
}
