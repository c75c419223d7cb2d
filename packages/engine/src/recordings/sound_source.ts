import { open, stat } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { type AudioFormat, audioSeconds, frameBytes, isWav, toSamples } from '@likeness/proto/wav.ts';
import { checkFormat, readWavHeadRequest } from '../faces/audio_data.ts';
import { Refusal } from '../http/refusal.ts';

/** Audio in a file, not read yet. */
export interface SoundSource {
  readonly path: string;
  readonly format: AudioFormat;
  /** Bytes: offset of the first sample, and whole sample frames from there on. */
  readonly from: number;
  readonly bytes: number;
}

/** A WAV file's samples must begin within these bytes: pictures and notes may precede them. */
const headBytes = 4 * 1024 * 1024;
/** Block to read at a time, seconds. */
const blockSeconds = 1;

/**
 * Finds the samples of an audio file.
 *
 * @param raw format of the samples in a file without a container
 * @throws {Refusal} 400 `audio_unreadable`, `audio_unsupported`, `audio_empty`
 */
export async function openSound(path: string, raw: AudioFormat | null): Promise<SoundSource> {
  const { size } = await stat(path);
  const head = await readPart(path, 0, Math.min(size, headBytes));
  if (isWav(head)) {
    const { format, from, bytes } = readWavHeadRequest(head, size);
    return checked({ path, format, from, bytes });
  }
  if (size === 0) throw empty();
  if (!raw) {
    throw new Refusal(400, 'audio_unreadable', t('refusal.file_not_wav'), { field: 'file' });
  }
  return checked({ path, format: checkFormat(raw, 'sampleRate'), from: 0, bytes: size });
}

function checked(source: SoundSource): SoundSource {
  const bytes = source.bytes - (source.bytes % frameBytes(source.format));
  if (bytes === 0) throw empty();
  return { ...source, bytes };
}

function empty(): Refusal {
  return new Refusal(400, 'audio_empty', t('refusal.recording_empty'), { field: 'file' });
}

export const soundSeconds = ({ format, bytes }: SoundSource): number => audioSeconds(format, bytes);

/** Yields a source's samples in blocks of a second, interleaved. */
export async function* samplesOf({ path, format, from, bytes }: SoundSource): AsyncGenerator<Float32Array> {
  const block = Math.round(blockSeconds * format.sampleRate) * frameBytes(format);
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(block);
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(block, bytes - at), from + at);
      const whole = bytesRead - (bytesRead % frameBytes(format));
      if (whole === 0) return;
      yield toSamples({ format, bytes: buffer.subarray(0, whole) });
      at += whole;
    }
  } finally {
    await file.close();
  }
}

async function readPart(path: string, from: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(length);
    const { bytesRead } = await file.read(buffer, 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
