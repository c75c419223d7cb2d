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

/** Mono audio in a WAV file of floats, the format of takes. */
export interface SoundFile {
  path: string;
  /** Hertz. */
  sampleRate: number;
  /** How many there are. */
  samples: number;
}

export const secondsOf = ({ samples, sampleRate }: Omit<SoundFile, 'path'>): number => samples / sampleRate;

/** Maximum offset of a WAV file's samples, bytes: pictures and notes may precede them. */
const headBytes = 4 * 1024 * 1024;
/** Read at a time, sample frames. */
const blockFrames = 65_536;

/** A WAV file after its header was read. */
export interface OpenWav extends Pick<WavHead, 'format'> {
  /** Complete sample frames in the file. */
  samples: number;
  /**
   * Yields the mix of all channels, some seconds at a time. The file stays open until the end.
   *
   * @param range divisor of the samples; default: 1
   */
  blocks: (range?: number) => AsyncGenerator<Float32Array>;
  /** The divisor that normalizes samples to −1..1; a foreign file may contain integers as floats. */
  range: () => Promise<number>;
}

/**
 * Reads a WAV file in blocks, so that hours of audio never fill the memory.
 *
 * @returns null if it is not a WAV file
 * @throws the system's errors; {@link SoundTooLongError}; Error that describes the problem of the file
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

/** Opens a take's audio. @throws as {@link openWav}; WavError if it is not a WAV file */
export async function openTakeSound(path: string): Promise<OpenWav> {
  const wav = await openWav(path);
  if (!wav) throw new WavError('not_wav', 'It is not a WAV file.');
  return wav;
}

/**
 * Divisor that normalizes a file's samples to −1..1: some float files contain integers. Reads all samples.
 */
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
 * Writes audio block by block as a take's WAV file.
 *
 * @param path of a new file
 * @param max maximum samples; more throw {@link SoundTooLongError}
 * @throws the system's errors; then the partial file remains
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
      // All supported machines are little endian.
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
