import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { packedFaceFile } from '@likeness/proto/face/packed_face_file.ts';
import { PackedTakeReader } from '@likeness/proto/packed_take.ts';
import { emptyPeaks, peakSamples, peaksFileHead, writePeaks } from '@likeness/proto/sound_peaks.ts';
import { frameBytes, mixToMono, readWavHead } from '@likeness/proto/wav.ts';

/** Paths are absolute. */
export interface ViewTask {
  /** `face`: packed from a file of arrivals; `peaks`: from a WAV file. */
  kind: 'face' | 'peaks';
  from: string;
  /** Output path; an existing file is overwritten. */
  to: string;
}

/** Bytes per read. */
const piece = 1 << 20;
/** Maximum offset of the samples in a WAV file, bytes. */
const headBytes = 65_536;

/** Writes the page's view of a take's file. @throws WavError, or read and write errors */
export function makeView({ kind, from, to }: ViewTask): void {
  const input = openSync(from, 'r');
  try {
    const output = openSync(to, 'w', 0o600);
    try {
      const pieces = kind === 'face' ? faceView(input) : [peaksFileHead, peaksView(input)];
      for (const bytes of pieces) writeAll(output, bytes);
    } finally {
      closeSync(output);
    }
  } finally {
    closeSync(input);
  }
}

function faceView(input: number): Iterable<Uint8Array> {
  const reader = new PackedTakeReader();
  for (const bytes of piecesOf(input, 0, piece)) reader.push(bytes);
  return packedFaceFile(reader.finish());
}

function peaksView(input: number): Uint8Array {
  const head = Buffer.alloc(headBytes);
  const got = readSync(input, head, 0, headBytes, 0);
  const { format, from, bytes } = readWavHead(head.subarray(0, got), fstatSync(input).size);
  const width = frameBytes(format);
  const peaks = emptyPeaks(Math.floor(bytes / width));
  let peak = 0;
  // Reads only complete peaks.
  for (const block of piecesOf(input, from, Math.ceil(piece / (peakSamples * width)) * peakSamples * width)) {
    const whole = block.subarray(0, block.length - (block.length % width));
    peak = writePeaks(peaks, peak, mixToMono({ format, bytes: whole }).samples);
  }
  return new Uint8Array(peaks.buffer);
}

/**
 * Reads a file from an offset to its end; all blocks but the last have `size` bytes. Each is a separate
 * buffer.
 */
function* piecesOf(input: number, from: number, size: number): Generator<Uint8Array> {
  for (let at = from; ; at += size) {
    const bytes = new Uint8Array(size);
    let got = 0;
    while (got < size) {
      const count = readSync(input, bytes, got, size - got, at + got);
      if (count === 0) break;
      got += count;
    }
    if (got > 0) yield bytes.subarray(0, got);
    if (got < size) return;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
