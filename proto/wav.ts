import { MonoMixer } from './mono_mixer.ts';

/** WAV, the container of the sound that the interface takes and that takes keep. Little endian throughout. */

export type SampleEncoding = 'u8' | 's16le' | 's24le' | 's32le' | 'f32le' | 'f64le';

/** Format of audio samples. */
export interface AudioFormat {
  /** Hertz. */
  sampleRate: number;
  channels: number;
  encoding: SampleEncoding;
}

/** Audio in its original encoding, with the data to decode it. */
export interface AudioData {
  format: AudioFormat;
  /** Whole sample frames, interleaved. A view, not a copy. */
  bytes: Uint8Array;
}

/** Sound of one channel, −1..1. */
export interface Sound {
  /** Hertz. */
  sampleRate: number;
  samples: Float32Array;
}

const sampleBytes: Readonly<Record<SampleEncoding, number>> = {
  u8: 1,
  s16le: 2,
  s24le: 3,
  s32le: 4,
  f32le: 4,
  f64le: 8,
};

const readers: Readonly<Record<SampleEncoding, (view: DataView, at: number) => number>> = {
  u8: (view, at) => (view.getUint8(at) - 128) / 128,
  s16le: (view, at) => view.getInt16(at, true) / 32_768,
  s24le: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  s32le: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  f32le: (view, at) => view.getFloat32(at, true),
  f64le: (view, at) => view.getFloat64(at, true),
};

/** Bytes of one sample of every channel. */
export const frameBytes = ({ channels, encoding }: Omit<AudioFormat, 'sampleRate'>): number =>
  channels * sampleBytes[encoding];

/** Seconds of audio in that many bytes. */
export const audioSeconds = (format: AudioFormat, bytes: number): number =>
  bytes / frameBytes(format) / format.sampleRate;

export type WavFault =
  | 'not_wav'
  | 'too_many_chunks'
  | 'no_format'
  | 'no_data'
  | 'format_cut_off'
  | 'encoding';

/** A fault of a WAV file, as a sentence and as one of a closed list. */
export class WavError extends Error {
  readonly fault: WavFault;
  /** The stated sample format, if that is the fault. */
  readonly stated: { tag: number; bits: number } | undefined;

  constructor(fault: WavFault, message: string, stated?: { tag: number; bits: number }) {
    super(message);
    this.name = 'WavError';
    this.fault = fault;
    this.stated = stated;
  }
}

/** Most chunks examined to find the sound: a file of empty chunks could have millions. */
const maxChunks = 1000;

const wavePcm = 1;
const waveFloat = 3;
const waveExtensible = 0xfffe;
/** Placeholder size: RF64 gives the real one elsewhere, streaming writers never do. */
const sizeElsewhere = 0xffffffff;
/** Bytes in which lost samples are looked for. */
const searchedBytes = 4 * 1024 * 1024;
const knownChunks: ReadonlySet<string> = new Set(
  'data|fmt |LIST|fact|bext|iXML|cue |smpl|inst|JUNK|junk|PAD |FLLR|id3 |ID3 |_PMX|axml|chna|cart|ds64|levl|DISP|PEAK|acid|strc|umid|minf|elm1|regn'.split(
    '|',
  ),
);

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

export const isWav = (bytes: Uint8Array): boolean =>
  bytes.length >= 12 && /^(RIFF|RF64)$/.test(textAt(bytes, 0)) && textAt(bytes, 8) === 'WAVE';

/** Where the sound lies in a WAV file. */
export interface WavHead {
  format: AudioFormat;
  /** Offset of the first sample, bytes. */
  from: number;
  /** Bytes of samples; Infinity where the head leaves that open, and the file's size is not known. */
  bytes: number;
}

/**
 * Reads a WAV file as far as its samples begin: RIFF, or RF64 of EBU Tech 3306; PCM of 8 to 32 bits, float of
 * 32 or 64. Rate and channels are as the file states them: they may be 0. Where the writer never came back to
 * its head (a size of 0, or more than there is) all that follows is sound.
 *
 * @param bytes the file's beginning, or all of it
 * @param fileBytes size of the file; without it the samples may end before the head says
 * @throws WavError
 */
export function readWavHead(bytes: Uint8Array, fileBytes = Number.POSITIVE_INFINITY): WavHead {
  if (!isWav(bytes)) throw new WavError('not_wav', 'It is not a WAV file.');
  const view = viewOf(bytes);
  let format: AudioFormat | undefined;
  let dataBytes = 0;
  for (let at = 12, chunks = 0; at + 8 <= bytes.length; chunks++) {
    if (chunks === maxChunks) throw new WavError('too_many_chunks', 'The WAV file has too many parts.');
    const id = textAt(bytes, at);
    const size = view.getUint32(at + 4, true);
    const chunk = bytes.subarray(at + 8, at + 8 + size);
    if (id === 'ds64' && chunk.length >= 16) dataBytes = Number(viewOf(chunk).getBigUint64(8, true));
    if (id === 'fmt ') format = readFormat(chunk);
    if (id === 'data') {
      if (!format) break;
      return samplesAt(bytes, at, { format, dataBytes, fileBytes });
    }
    at = nextChunk(bytes, at + 8 + size, size % 2 === 1);
  }
  const lost = format ? lostSamples(bytes, fileBytes) : -1;
  if (format && lost >= 0) return samplesAt(bytes, lost, { format, dataBytes, fileBytes });
  throw new WavError(format ? 'no_data' : 'no_format', 'The WAV file has no sound in it.');
}

/** @param at the data chunk's @param dataBytes of ds64; 0: not stated */
function samplesAt(
  bytes: Uint8Array,
  at: number,
  { format, dataBytes, fileBytes }: { format: AudioFormat; dataBytes: number; fileBytes: number },
): WavHead {
  const from = at + 8;
  const size = viewOf(bytes).getUint32(at + 4, true);
  const isOpen = (size === sizeElsewhere && dataBytes === 0) || (size === 0 && isUnfinished(bytes, from));
  const claimed = isOpen ? Number.POSITIVE_INFINITY : size === sizeElsewhere ? dataBytes : size;
  return { format, from, bytes: Math.min(claimed, Math.max(0, fileBytes - from)) };
}

/** Whether an empty data chunk was never finished: the file's own size ends there, or no chunk follows. */
function isUnfinished(bytes: Uint8Array, from: number): boolean {
  const riffBytes = viewOf(bytes).getUint32(4, true);
  return riffBytes === sizeElsewhere || 8 + riffBytes <= from || !knownChunks.has(textAt(bytes, from));
}

/** Chunks lie on even bytes; some writers leave the byte between away, or write one too many. */
function nextChunk(bytes: Uint8Array, end: number, isOdd: boolean): number {
  const expected = isOdd ? end + 1 : end;
  if (knownChunks.has(textAt(bytes, expected))) return expected;
  const other = isOdd ? end : end + 1;
  return knownChunks.has(textAt(bytes, other)) ? other : expected;
}

/** Where a data chunk stands that no other one leads to, since one before it states a wrong size. −1: nowhere. */
function lostSamples(bytes: Uint8Array, fileBytes: number): number {
  const view = viewOf(bytes);
  const end = Math.min(bytes.length - 8, searchedBytes);
  for (let at = bytes.indexOf(0x64, 12); at >= 0 && at <= end; at = bytes.indexOf(0x64, at + 1)) {
    if (textAt(bytes, at) !== 'data') continue;
    const size = view.getUint32(at + 4, true);
    if (size > 0 && (size === sizeElsewhere || at + 8 + size <= Math.min(fileBytes, 2 ** 32))) return at;
  }
  return -1;
}

/**
 * Reads a WAV file, as {@link readWavHead} does. A data chunk that claims more than there is, as streaming
 * writers leave it, is read as far as it goes.
 *
 * @throws WavError
 */
export function readWav(bytes: Uint8Array): AudioData {
  const { format, from, bytes: there } = readWavHead(bytes, bytes.length);
  const sound = bytes.subarray(from, from + there);
  return { format, bytes: sound.subarray(0, sound.length - (sound.length % (frameBytes(format) || 1))) };
}

function readFormat(chunk: Uint8Array): AudioFormat {
  if (chunk.length < 16) throw new WavError('format_cut_off', "The WAV file's format is cut off.");
  const view = viewOf(chunk);
  const code = view.getUint16(0, true);
  // The extensible form has the real code at the start of its sub-format.
  const tag = code === waveExtensible && chunk.length >= 26 ? view.getUint16(24, true) : code;
  const bits = view.getUint16(14, true);
  const encoding = encodingOf(tag, bits);
  if (!encoding) {
    throw new WavError('encoding', `The WAV file's format (code ${tag}, ${bits} bits) can't be read.`, {
      tag,
      bits,
    });
  }
  return { sampleRate: view.getUint32(4, true), channels: view.getUint16(2, true), encoding };
}

function encodingOf(tag: number, bits: number): SampleEncoding | undefined {
  const pcm: Record<number, SampleEncoding> = { 8: 'u8', 16: 's16le', 24: 's24le', 32: 's32le' };
  const float: Record<number, SampleEncoding> = { 32: 'f32le', 64: 'f64le' };
  if (tag === wavePcm) return pcm[bits];
  return tag === waveFloat ? float[bits] : undefined;
}

/**
 * Samples as floats, −1..1, interleaved. A value that is not finite becomes silence, for it would stay in
 * every filter behind it.
 */
export function toSamples({ format, bytes }: AudioData): Float32Array {
  const size = sampleBytes[format.encoding];
  const samples = new Float32Array(bytes.length / size);
  const read = readers[format.encoding];
  const view = viewOf(bytes);
  for (let i = 0; i < samples.length; i++) {
    const value = read(view, i * size);
    samples[i] = Number.isFinite(value) ? value : 0;
  }
  return samples;
}

/** All channels as one, as {@link MonoMixer} does; a value that is not finite counts as silence of its channel. */
export function mixToMono(audio: AudioData): Sound {
  const { sampleRate, channels } = audio.format;
  const samples = toSamples(audio);
  return { sampleRate, samples: channels === 1 ? samples : new MonoMixer(channels).push(samples) };
}

/** Encoding of written WAV files: float for storage, 16 bits for the interface. */
export type WrittenEncoding = 's16le' | 'f32le';

/** Bytes before the samples in the files that are written here. */
export const wavHeadBytes: Readonly<Record<WrittenEncoding, number>> = { s16le: 44, f32le: 58 };

/**
 * The head of a mono WAV file. Float has the longer format chunk and the `fact` chunk that the format asks
 * for.
 *
 * @param samples 0 while it is still recorded
 */
export function wavHead(
  sampleRate: number,
  samples: number,
  encoding: WrittenEncoding,
): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(wavHeadBytes[encoding]);
  const view = new DataView(head.buffer);
  const width = sampleBytes[encoding];
  const isFloat = encoding === 'f32le';
  const bytes = Math.min(samples * width, 0xffffffff - head.length);
  let at = 0;
  const text = (word: string): void => {
    for (const letter of word) view.setUint8(at++, letter.charCodeAt(0));
  };
  const u16 = (value: number): void => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const u32 = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  text('RIFF');
  u32(head.length - 8 + bytes);
  text('WAVEfmt ');
  u32(isFloat ? 18 : 16);
  u16(isFloat ? waveFloat : wavePcm);
  u16(1);
  u32(sampleRate);
  u32(sampleRate * width);
  u16(width);
  u16(width * 8);
  if (isFloat) {
    u16(0);
    text('fact');
    u32(4);
    u32(samples);
  }
  text('data');
  u32(bytes);
  return head;
}

/** A whole mono WAV file; samples beyond −1..1 are clipped where it is of 16 bits. */
export function encodeWav(
  { sampleRate, samples }: Sound,
  encoding: WrittenEncoding = 'f32le',
): Uint8Array<ArrayBuffer> {
  const head = wavHead(sampleRate, samples.length, encoding);
  const file = new Uint8Array(head.length + samples.length * sampleBytes[encoding]);
  file.set(head);
  if (encoding === 'f32le') {
    // Every machine that this runs on is little endian.
    file.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), head.length);
    return file;
  }
  const view = new DataView(file.buffer, head.length);
  for (let i = 0; i < samples.length; i++) {
    const sample = Math.max(-1, Math.min(1, samples[i]!));
    view.setInt16(i * 2, Math.round(sample * 32_767), true);
  }
  return file;
}
