import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Piece } from '@likeness/proto/takes/edits/take_edits.ts';
import { frameBytes, mixToMono, readWavHead, wavHead } from '@likeness/proto/wav.ts';
import { playedSound } from './sound_pieces.ts';
import { createTimeStretch, type ReadSamples } from './time_stretch.ts';

/** Paths are absolute. */
export interface SoundOrder {
  /** A WAV file. */
  from: string;
  /** Output path; an existing file is overwritten. */
  to: string;
  pieces: readonly Piece[];
}

/** Maximum offset of the samples in a WAV file, bytes. */
const headBytes = 65_536;

/**
 * Writes the edited audio of a take, as mono float. Works in blocks: three hours need no more memory than a
 * minute.
 *
 * @throws WavError, or read and write errors
 */
export async function renderSound({ from, to, pieces }: SoundOrder): Promise<void> {
  const input = openSync(from, 'r');
  try {
    const { sampleRate, read } = openSound(input);
    const isRetimed = pieces.some(({ speed }) => speed !== 1);
    const stretch = isRetimed ? await createTimeStretch(sampleRate) : null;
    const output = openSync(to, 'w', 0o600);
    try {
      writeAll(output, wavHead(sampleRate, 0, 'f32le'), null);
      let samples = 0;
      for (const block of playedSound(read, pieces, sampleRate, stretch)) {
        writeAll(output, new Uint8Array(block.buffer, block.byteOffset, block.byteLength), null);
        samples += block.length;
      }
      writeAll(output, wavHead(sampleRate, samples, 'f32le'), 0);
    } finally {
      closeSync(output);
    }
  } finally {
    closeSync(input);
  }
}

/** Reads any range of a WAV file as one channel; silence beyond its ends. */
function openSound(file: number): { sampleRate: number; read: ReadSamples } {
  const head = Buffer.alloc(headBytes);
  const got = readSync(file, head, 0, headBytes, 0);
  const { format, from: begin, bytes } = readWavHead(head.subarray(0, got), fstatSync(file).size);
  const width = frameBytes(format);
  const read: ReadSamples = (from, to) => {
    const samples = new Float32Array(Math.max(0, to - from));
    const first = Math.max(0, from);
    const last = Math.min(to, Math.floor(bytes / width));
    if (last <= first) return samples;
    const content = Buffer.alloc((last - first) * width);
    const count = readSync(file, content, 0, content.length, begin + first * width);
    const whole = content.subarray(0, count - (count % width));
    samples.set(mixToMono({ format, bytes: whole }).samples, first - from);
    return samples;
  };
  return { sampleRate: format.sampleRate, read };
}

function writeAll(file: number, bytes: Uint8Array, at: number | null): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at === null ? null : at + done);
}
