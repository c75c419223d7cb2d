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
      return unsupported('its format chunk is cut off', '格式块不完整', field);
    case 'encoding':
      return unsupported(
        `WAV format ${stated?.tag} with ${stated?.bits} bits is not PCM of 8, 16, 24 or 32 bits nor float of 32 or 64`,
        `WAV 格式 ${stated?.tag}（${stated?.bits} 位）不是 8、16、24、32 位 PCM，也不是 32 或 64 位浮点`,
        field,
      );
    case 'too_many_chunks':
      return damaged('it has too many chunks', '数据块过多', field);
    case 'no_data':
      return damaged('it has no data chunk', '缺少数据块', field);
    default:
      return damaged('it has no format chunk', '缺少格式块', field);
  }
}

const damaged = (en: string, zh: string, field: string): Refusal =>
  new Refusal(
    400,
    'audio_unreadable',
    { en: `The WAV file is damaged: ${en}.`, zh: `WAV 文件已损坏：${zh}。` },
    { field },
  );

/**
 * @throws {Refusal} 400 `audio_unsupported` for a rate or a number of channels that the engine doesn't take.
 */
export function checkFormat(format: AudioFormat, field = 'data'): AudioFormat {
  if (!isHeardRate(format.sampleRate)) {
    throw unsupported(
      `its sample rate is ${format.sampleRate} Hz; ${minSampleRate} to ${maxSampleRate} Hz are taken`,
      `采样率为 ${format.sampleRate} Hz；可接受 ${minSampleRate} 至 ${maxSampleRate} Hz`,
      field,
    );
  }
  if (format.channels < 1 || format.channels > maxChannels) {
    throw unsupported(
      `it has ${format.channels} channels; 1 to ${maxChannels} are taken`,
      `声道数为 ${format.channels}；可接受 1 至 ${maxChannels} 个`,
      field,
    );
  }
  return format;
}

function unsupported(en: string, zh: string, field: string): Refusal {
  return new Refusal(
    400,
    'audio_unsupported',
    { en: `The audio can’t be used: ${en}.`, zh: `音频无法使用：${zh}。` },
    { field },
  );
}
