import { readFile, writeFile } from 'node:fs/promises';
import { contactColumns } from '@likeness/speech/full_pass_stream.ts';
import { visemeCount } from '@likeness/speech/speech_model.ts';
import type { ContactThresholds } from '@likeness/speech/take/lip_contacts.ts';
import type { TakeVoice } from '@likeness/speech/take/take_voice.ts';

/** The cached analysis of a recording, without its audio. */
export interface KeptVoice {
  readonly voice: TakeVoice;
  /** Thresholds of the network that analysed it. */
  readonly thresholds: ContactThresholds;
}

const headFloats = 4;

/** Writes half floats: a posterior is accurate to a thousandth of itself, and an hour takes 14 MB. */
export async function writeVoice(path: string, { voice, thresholds }: KeptVoice): Promise<void> {
  const { frames, seconds, posteriors, contacts, loudness, pitch, faint } = voice;
  const { closureThreshold, lipTeethThreshold } = thresholds;
  const parts = [
    new Float64Array([frames, seconds, closureThreshold, lipTeethThreshold]),
    new Float16Array(posteriors),
    new Float16Array(contacts),
    new Float16Array(loudness),
    new Float16Array(pitch),
    faint,
  ];
  const bytes = parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  await writeFile(path, bytes, { mode: 0o600 });
}

/** @throws the system's error, `ENOENT` if it is no longer cached */
export async function readVoice(path: string): Promise<KeptVoice> {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
  const [frames = 0, seconds = 0, closureThreshold = 1, lipTeethThreshold = 1] = new Float64Array(
    bytes,
    0,
    headFloats,
  );
  let at = headFloats * 8;
  const floats = (count: number): Float32Array => {
    const half = new Float16Array(bytes, at, count);
    at += 2 * count;
    return new Float32Array(half);
  };
  return {
    voice: {
      frames,
      seconds,
      posteriors: floats(frames * visemeCount),
      contacts: floats(frames * contactColumns.length),
      loudness: floats(frames),
      pitch: floats(frames),
      faint: new Uint8Array(bytes, at, frames),
    },
    thresholds: { closureThreshold, lipTeethThreshold },
  };
}
