import { type KeyedMessage, t } from '@likeness/messages';
import { heardRates, isHeardRate } from '@likeness/proto/sound_limits.ts';
import {
  type AudioData,
  type AudioFormat,
  readWav,
  readWavHead,
  WavError,
  type WavHead,
} from '@likeness/proto/wav.ts';
import { Refusal } from '../http/refusal.ts';

export const minSampleRate = heardRates.min;
export const maxSampleRate = heardRates.max;
export const maxChannels = 8;

/** Bytes decoded before other requests run. */
const decodedChunkBytes = 1024 * 1024;

/**
 * Decodes a JSON string of base64, strictly (RFC 4648 §4, plus line breaks and spaces): Node's own decoder skips
 * unknown characters, so a wrong encoding would become noise.
 *
 * @param json The string as it was sent, with its quotes
 * @throws {Refusal} 400 `audio_not_base64`
 */
export async function decodeBase64(json: Uint8Array): Promise<Buffer> {
  const compact = new CompactBase64(json.length);
  for (let from = 1; from < json.length - 1; ) {
    from = compact.push(json, from, Math.min(json.length - 1, from + decodedChunkBytes));
    if (from < json.length - 1) await new Promise(setImmediate);
  }
  const { length } = compact;
  if (length % 4 !== 0) throw notBase64(t('refusal.base64_length', { length }));
  const decoded: Buffer[] = [];
  for (let from = 0; from < length; from += decodedChunkBytes) {
    if (from > 0) await new Promise(setImmediate);
    decoded.push(compact.decode(from, Math.min(length, from + decodedChunkBytes)));
  }
  return decoded.length === 1 ? decoded[0]! : Buffer.concat(decoded);
}

/** Base64 text without white space and escapes, every character checked. */
class CompactBase64 {
  readonly #bytes: Buffer;
  length = 0;
  #padding = 0;

  constructor(maxLength: number) {
    this.#bytes = Buffer.allocUnsafe(maxLength);
  }

  /** @returns The index after the last byte that was read. */
  push(json: Uint8Array, from: number, to: number): number {
    let at = from;
    while (at < to) {
      let byte = json[at++]!;
      if (byte === backslash) [byte, at] = readEscape(json, at);
      const kind = base64Kinds[byte];
      if (kind === 'space') continue;
      if (kind === 'padding') this.#padding += 1;
      if (kind === undefined || this.#padding > 2 || (this.#padding > 0 && kind === 'digit')) {
        const sign = JSON.stringify(String.fromCharCode(byte));
        throw notBase64(t('refusal.base64_character', { position: this.length + 1, sign }));
      }
      this.#bytes[this.length++] = byte;
    }
    return at;
  }

  decode(from: number, to: number): Buffer {
    return Buffer.from(this.#bytes.toString('latin1', from, to), 'base64');
  }
}

const backslash = 0x5c;
const escaped = new Map(
  [
    ['/', '/'],
    ['n', '\n'],
    ['r', '\r'],
    ['t', '\t'],
  ].map(([name, character]) => [codeOf(name!), codeOf(character!)]),
);

/**
 * Reads a JSON escape after its backslash: some writers escape the slash, others the plus as `\u002B`.
 *
 * @returns The character, or the backslash if base64 has no such character; and the index after it.
 */
function readEscape(json: Uint8Array, at: number): [byte: number, at: number] {
  const name = json[at] ?? 0;
  if (name !== codeOf('u')) return [escaped.get(name) ?? backslash, at + 1];
  const digits = Buffer.from(json.subarray(at + 1, at + 5)).toString('latin1');
  const code = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : backslash;
  return [code < 128 ? code : backslash, at + 5];
}

/** By character code. */
const base64Kinds: ('digit' | 'space' | 'padding' | undefined)[] = [];
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  base64Kinds[codeOf(character)] = 'digit';
for (const character of ' \t\r\n') base64Kinds[codeOf(character)] = 'space';
base64Kinds[codeOf('=')] = 'padding';

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

const notBase64 = (text: KeyedMessage): Refusal =>
  new Refusal(400, 'audio_not_base64', text, { field: 'data' });

/**
 * Reads a WAV file sent as a request's audio.
 *
 * @throws {Refusal} 400 `audio_unreadable` or `audio_unsupported`
 */
export const readWavRequest = (bytes: Buffer): AudioData =>
  refusing('data', () => {
    const audio = readWav(bytes);
    checkFormat(audio.format);
    return audio;
  });

/**
 * Reads the header of a WAV file sent as a request's `file`.
 *
 * @throws {Refusal} 400 `audio_unreadable` or `audio_unsupported`
 */
export const readWavHeadRequest = (bytes: Uint8Array, fileBytes: number): WavHead =>
  refusing('file', () => {
    const head = readWavHead(bytes, fileBytes);
    checkFormat(head.format, 'file');
    return head;
  });

function refusing<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WavError ? refusalOf(error, field) : error;
  }
}

function refusalOf({ fault, stated }: WavError, field: string): Refusal {
  switch (fault) {
    case 'format_cut_off':
      return unsupported(t('refusal.wav_format_cut_off'), field);
    case 'encoding':
      return unsupported(
        t('refusal.wav_encoding', { tag: String(stated?.tag), bits: String(stated?.bits) }),
        field,
      );
    default:
      return new Refusal(400, 'audio_unreadable', t('refusal.wav_damaged', { fault }), { field });
  }
}

/**
 * @throws {Refusal} 400 `audio_unsupported` for a rate or a number of channels that the engine doesn't take.
 */
export function checkFormat(format: AudioFormat, field = 'data'): AudioFormat {
  if (!isHeardRate(format.sampleRate)) {
    throw unsupported(
      t('refusal.sample_rate', { rate: format.sampleRate, min: minSampleRate, max: maxSampleRate }),
      field,
    );
  }
  if (format.channels < 1 || format.channels > maxChannels) {
    throw unsupported(t('refusal.channels', { count: format.channels, max: maxChannels }), field);
  }
  return format;
}

const unsupported = (text: KeyedMessage, field: string): Refusal =>
  new Refusal(400, 'audio_unsupported', text, { field });
