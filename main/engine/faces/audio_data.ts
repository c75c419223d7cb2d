import { Refusal } from '../http/refusal.ts';

/** How samples lie in bytes. Little endian throughout. */
export type SampleEncoding = 'u8' | 's16le' | 's24le' | 's32le' | 'f32le' | 'f64le';

/** How a run of audio is to be read. */
export interface AudioFormat {
  /** Hertz. */
  sampleRate: number;
  channels: number;
  encoding: SampleEncoding;
}

/** Audio as it came, with what is needed to read it. */
export interface AudioData {
  format: AudioFormat;
  /** Whole sample frames, interleaved. A view, not a copy. */
  bytes: Buffer;
}

const sampleBytes: Record<SampleEncoding, number> = {
  u8: 1,
  s16le: 2,
  s24le: 3,
  s32le: 4,
  f32le: 4,
  f64le: 8,
};

export const leastSampleRate = 8000;
export const mostSampleRate = 96_000;
export const mostChannels = 8;

/** Bytes of one sample of every channel. */
export const frameBytes = ({ channels, encoding }: AudioFormat): number => channels * sampleBytes[encoding];

/** Seconds of audio in that many bytes. */
export const audioSeconds = (format: AudioFormat, bytes: number): number =>
  bytes / frameBytes(format) / format.sampleRate;

/**
 * Decodes base64 strictly (RFC 4648 §4; line breaks and spaces are allowed, nothing else is): Node's own
 * decoder skips what it doesn't know, and a slip in the caller's encoding would become noise.
 *
 * @throws {Refusal} 400 `audio_not_base64`
 */
export function decodeBase64(text: string): Buffer {
  const compact = /[\s]/.test(text) ? text.replaceAll(/[ \t\r\n]+/g, '') : text;
  const bad = compact.search(/[^A-Za-z0-9+/]/);
  const body = bad < 0 ? compact.length : bad;
  const padding = compact.slice(body);
  if (padding !== '' && padding !== '=' && padding !== '==') {
    const sign = compact.slice(body, body + 1);
    throw notBase64(
      `character ${body + 1} is ${JSON.stringify(sign)}`,
      `第 ${body + 1} 个字符为 ${JSON.stringify(sign)}`,
    );
  }
  if (compact.length % 4 !== 0) {
    throw notBase64(
      `its length, ${compact.length} characters, is not a multiple of 4; it may be cut off or lack its "=" padding`,
      `长度 ${compact.length} 个字符不是 4 的倍数；可能被截断或缺少 "=" 填充`,
    );
  }
  return Buffer.from(compact, 'base64');
}

function notBase64(en: string, zh: string): Refusal {
  return new Refusal(
    400,
    'audio_not_base64',
    { en: `"data" is not base64 text: ${en}.`, zh: `"data" 不是 base64 文本：${zh}。` },
    { field: 'data' },
  );
}

export const isWav = (bytes: Buffer): boolean =>
  bytes.length >= 12 &&
  /^(RIFF|RF64)$/.test(bytes.toString('latin1', 0, 4)) &&
  bytes.toString('latin1', 8, 12) === 'WAVE';

/**
 * Reads a WAV container (RIFF or RF64; PCM of 8 to 32 bits, float of 32 or 64). A data chunk that claims
 * more than there is, as streaming writers leave it, is read as far as it goes.
 *
 * @throws {Refusal} 400 `audio_unreadable` or `audio_unsupported`
 */
export function readWav(bytes: Buffer): AudioData {
  let format: AudioFormat | undefined;
  let chunks = 0;
  // A body of nothing but empty chunks is millions of them.
  for (let at = 12; at + 8 <= bytes.length && chunks < mostChunks; chunks++) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const start = at + 8;
    if (id === 'fmt ') format = readWavFormat(bytes.subarray(start, Math.min(start + size, bytes.length)));
    if (id === 'data') {
      if (!format) break;
      const there = Math.min(size, bytes.length - start);
      return { format, bytes: bytes.subarray(start, start + there - (there % frameBytes(format))) };
    }
    // Chunks lie on even bytes.
    at = start + size + (size % 2);
  }
  throw new Refusal(
    400,
    'audio_unreadable',
    {
      en: `The WAV file is damaged: it has no ${format ? 'data' : 'format'} chunk.`,
      zh: `WAV 文件已损坏：缺少${format ? '数据' : '格式'}块。`,
    },
    { field: 'data' },
  );
}

/** Chunks of a WAV file that are gone through for its data. */
const mostChunks = 1000;

const wavePcm = 1;
const waveFloat = 3;
const waveExtensible = 0xfffe;

function readWavFormat(chunk: Buffer): AudioFormat {
  if (chunk.length < 16) {
    throw unsupported('its format chunk is cut off', '格式块不完整');
  }
  const bits = chunk.readUInt16LE(14);
  let tag = chunk.readUInt16LE(0);
  // The subformat's GUID begins with the tag that a plain file would have.
  if (tag === waveExtensible && chunk.length >= 26) tag = chunk.readUInt16LE(24);
  const encoding = (
    tag === wavePcm
      ? { 8: 'u8', 16: 's16le', 24: 's24le', 32: 's32le' }
      : tag === waveFloat
        ? { 32: 'f32le', 64: 'f64le' }
        : {}
  ) as Record<number, SampleEncoding>;
  const found = encoding[bits];
  if (!found) {
    throw unsupported(
      `WAV format ${tag} with ${bits} bits is not PCM of 8, 16, 24 or 32 bits nor float of 32 or 64`,
      `WAV 格式 ${tag}（${bits} 位）不是 8、16、24、32 位 PCM，也不是 32 或 64 位浮点`,
    );
  }
  return checkFormat({
    sampleRate: chunk.readUInt32LE(4),
    channels: chunk.readUInt16LE(2),
    encoding: found,
  });
}

/** @throws {Refusal} 400 `audio_unsupported` for a rate or a number of channels that the engine doesn't take. */
export function checkFormat(format: AudioFormat): AudioFormat {
  if (format.sampleRate < leastSampleRate || format.sampleRate > mostSampleRate) {
    throw unsupported(
      `its sample rate is ${format.sampleRate} Hz; ${leastSampleRate} to ${mostSampleRate} Hz are taken`,
      `采样率为 ${format.sampleRate} Hz；可接受 ${leastSampleRate} 至 ${mostSampleRate} Hz`,
    );
  }
  if (format.channels < 1 || format.channels > mostChannels) {
    throw unsupported(
      `it has ${format.channels} channels; 1 to ${mostChannels} are taken`,
      `声道数为 ${format.channels}；可接受 1 至 ${mostChannels} 个`,
    );
  }
  return format;
}

function unsupported(en: string, zh: string): Refusal {
  return new Refusal(
    400,
    'audio_unsupported',
    { en: `The audio can’t be used: ${en}.`, zh: `音频无法使用：${zh}。` },
    { field: 'data' },
  );
}

/**
 * Samples as floats, −1..1, interleaved. A value that is not finite becomes silence, for it would stay in
 * every filter behind it.
 *
 * @param bytes A whole number of sample frames.
 */
export function toSamples({ format, bytes }: AudioData): Float32Array {
  const size = sampleBytes[format.encoding];
  const samples = new Float32Array(bytes.length / size);
  const read = readers[format.encoding];
  for (let i = 0; i < samples.length; i++) {
    const value = read(bytes, i * size);
    samples[i] = Number.isFinite(value) ? value : 0;
  }
  return samples;
}

const readers: Record<SampleEncoding, (bytes: Buffer, at: number) => number> = {
  u8: (bytes, at) => (bytes[at]! - 128) / 128,
  s16le: (bytes, at) => bytes.readInt16LE(at) / 32_768,
  s24le: (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
  s32le: (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
  f32le: (bytes, at) => bytes.readFloatLE(at),
  f64le: (bytes, at) => bytes.readDoubleLE(at),
};
