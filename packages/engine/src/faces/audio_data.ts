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

/**
 * Decodes base64 strictly (RFC 4648 §4, plus line breaks and spaces). Node's own decoder skips unknown
 * characters, so a wrong encoding would become noise.
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
    throw notBase64(t('refusal.base64_character', { position: body + 1, sign: JSON.stringify(sign) }));
  }
  if (compact.length % 4 !== 0) {
    throw notBase64(t('refusal.base64_length', { length: compact.length }));
  }
  return Buffer.from(compact, 'base64');
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
