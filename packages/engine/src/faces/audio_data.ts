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
import { isJsonSpace } from '../http/json_scan.ts';
import { Refusal } from '../http/refusal.ts';

export const minSampleRate = heardRates.min;
export const maxSampleRate = heardRates.max;
export const maxChannels = 8;

/**
 * Decodes a JSON string of base64 while it arrives, strictly (RFC 4648 §4, plus line breaks and spaces): Node's own
 * decoder skips unknown characters, so a wrong encoding would become noise.
 */
export class Base64Decoder {
  #decoded: Buffer;
  #length = 0;
  /** `none`: the value isn't a string, which the parser of the whole body refuses. */
  #position: 'before' | 'inside' | 'after' | 'none' = 'before';
  /** The beginning of an escape sequence, until it is complete. */
  #escape = '';
  /** Up to three characters, which don't make three bytes yet. */
  #rest = '';
  #characters = 0;
  #padding = 0;

  /** @param jsonBytes Of the whole string, if it is known: decoding then copies nothing twice. */
  constructor(jsonBytes = 0) {
    this.#decoded = Buffer.allocUnsafe(decodedBytes(jsonBytes));
  }

  /**
   * @param json The next bytes of the string as it was sent, with its quotes and white space around it
   * @throws {Refusal} 400 `audio_not_base64`
   */
  push(json: Buffer): void {
    let text = this.#rest;
    for (let i = 0; i < json.length; ) {
      const end = this.#isAmongDigits() ? endOfDigits(json, i) : i;
      if (end > i) {
        text += json.toString('latin1', i, end);
        this.#characters += end - i;
        i = end;
      } else {
        const byte = this.#nextCharacter(json[i++]!);
        if (byte !== null) text += String.fromCharCode(byte);
      }
    }
    const whole = text.length - (text.length % 4);
    this.#rest = text.slice(whole);
    const needed = this.#length + decodedBytes(whole);
    if (needed > this.#decoded.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.#decoded.copy(larger, 0, 0, this.#length);
      this.#decoded = larger;
    }
    this.#length += this.#decoded.write(text.slice(0, whole), this.#length, 'base64');
  }

  /**
   * @returns Empty if no string came.
   * @throws {Refusal} 400 `audio_not_base64`
   */
  end(): Buffer {
    if (this.#rest.length > 0) throw notBase64(t('refusal.base64_length', { length: this.#characters }));
    return this.#decoded.subarray(0, this.#length);
  }

  #isAmongDigits(): boolean {
    return this.#position === 'inside' && this.#escape === '' && this.#padding === 0;
  }

  /** @returns The character of base64 that this byte is or ends; null if none. */
  #nextCharacter(byte: number): number | null {
    if (this.#position !== 'inside') {
      if (isJsonSpace(byte) || this.#position === 'none') return null;
      if (this.#position === 'after') throw this.#wrongCharacter(byte);
      this.#position = byte === quote ? 'inside' : 'none';
      return null;
    }
    if (this.#escape !== '') {
      this.#escape += String.fromCharCode(byte);
      if (this.#escape[1] === 'u' && this.#escape.length < 6) return null;
      const character = escapedCharacter(this.#escape);
      this.#escape = '';
      return this.#checked(character);
    }
    if (byte === backslash) {
      this.#escape = '\\';
      return null;
    }
    if (byte === quote) {
      this.#position = 'after';
      return null;
    }
    return this.#checked(byte);
  }

  #checked(byte: number): number | null {
    const kind = base64Kinds[byte];
    if (kind === 'space') return null;
    if (kind === 'padding') this.#padding += 1;
    if (kind === undefined || this.#padding > 2 || (this.#padding > 0 && kind === 'digit')) {
      throw this.#wrongCharacter(byte);
    }
    this.#characters += 1;
    return byte;
  }

  #wrongCharacter(byte: number): Refusal {
    const sign = JSON.stringify(String.fromCharCode(byte));
    return notBase64(t('refusal.base64_character', { position: this.#characters + 1, sign }));
  }
}

const decodedBytes = (characters: number): number => Math.ceil(characters / 4) * 3;

const quote = 0x22;
const backslash = 0x5c;

const escapes: Readonly<Record<string, string>> = { '/': '/', n: '\n', r: '\r', t: '\t' };

/**
 * Reads a JSON escape: some writers escape the slash, others the plus as `\u002B`.
 *
 * @returns A backslash if base64 has no such character.
 */
function escapedCharacter(sequence: string): number {
  if (sequence[1] !== 'u') return codeOf(escapes[sequence[1]!] ?? '\\');
  const digits = sequence.slice(2);
  const code = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : backslash;
  return code < 128 ? code : backslash;
}

/** By character code. */
const base64Kinds: ('digit' | 'space' | 'padding' | undefined)[] = [];
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
  base64Kinds[codeOf(character)] = 'digit';
for (const character of ' \t\r\n') base64Kinds[codeOf(character)] = 'space';
base64Kinds[codeOf('=')] = 'padding';

/** A loop of its own: one that keeps state for each byte takes five times as long, and a caller may send 48 MiB. */
function endOfDigits(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end < bytes.length && isDigit[bytes[end]!] === 1) end += 1;
  return end;
}

/** 1 for a digit of base64, by byte. */
const isDigit = Uint8Array.from({ length: 256 }, (_, byte) => Number(base64Kinds[byte] === 'digit'));

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
