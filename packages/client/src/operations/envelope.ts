import { isUtf8 } from 'node:buffer';
import { type Sentence, t } from '@likeness/messages';

/**
 * Reads servers' answers: tolerant where `interface.md` is inconsistent (numbers as strings, ids as numbers),
 * strict otherwise, with errors that name the field.
 */
export class UnreadableAnswer extends Error {
  /** Dotted path of the field at fault; empty for the whole body. */
  readonly field: string;
  readonly userMessage: Sentence;

  /** @param problem - The rest of a sentence, after the field if one is named. */
  constructor(field: string, problem: Sentence) {
    const message = field === '' ? problem : t('answer.at', { field, problem });
    super(message.text);
    this.name = 'UnreadableAnswer';
    this.field = field;
    this.userMessage = message;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws UnreadableAnswer if the body is not one JSON object in UTF-8. */
export function parseJsonObject(body: Buffer): JsonObject {
  if (!isUtf8(body)) throw new UnreadableAnswer('', t('answer.not_utf8'));
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('', whyNotJson(text));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableAnswer('', t('answer.whole_no_object', { value: shownInBoth(value) }));
  }
  return value as JsonObject;
}

function whyNotJson(text: string): Sentence {
  if (text.trim() === '') return t('answer.empty');
  return /^\s*[{[]/.test(text) ? t('answer.json_broken') : t('answer.not_json');
}

/**
 * Group B's wrapping of every answer. `code` 200 is success, whatever the HTTP status; anything else is a
 * failure.
 */
export interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** @throws UnreadableAnswer naming `code` if it is missing or not a whole number. */
export function readEnvelope(answer: JsonObject): Envelope {
  const code = integer(answer.code, 'code');
  const { message } = answer;
  return {
    code,
    message: typeof message === 'string' ? message : message == null ? '' : String(JSON.stringify(message)),
    data: answer.data,
  };
}

/** The payload of an answer. @throws UnreadableAnswer naming `data`. */
export function dataOf(answer: { data?: unknown }): JsonObject {
  const { data } = answer;
  if (data === undefined || data === null) throw new UnreadableAnswer('data', t('answer.missing'));
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new UnreadableAnswer('data', t('answer.no_object', { value: shownInBoth(data) }));
  }
  return data as JsonObject;
}

/** A whole number, also one written as a string. @throws UnreadableAnswer naming the field. */
export function integer(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '')
    throw new UnreadableAnswer(field, t('answer.missing'));
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new UnreadableAnswer(field, t('answer.no_whole_number', { value: shownInBoth(value) }));
  }
  return number;
}

/** An identifier: text, or a whole number small enough to have survived JSON. @throws UnreadableAnswer */
export function identifier(value: unknown, field: string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (value === undefined || value === null || value === '')
    throw new UnreadableAnswer(field, t('answer.missing'));
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1024) {
    throw new UnreadableAnswer(field, t('answer.no_identifier', { value: shownInBoth(value) }));
  }
  return value.trim();
}

/** Returns text that may be missing; then it is empty. */
export function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns a value in both languages, as `shown`. */
export function shownInBoth(value: unknown): string | { en: string; zh: string } {
  if (value === null) return 'null';
  if (Array.isArray(value)) return { en: 'an array', zh: '数组' };
  if (typeof value === 'object') return { en: 'an object', zh: '对象' };
  if (typeof value !== 'string') return String(value);
  const { length } = value;
  return length > 60 ? { en: `a text of ${length} characters`, zh: `${length} 个字符的文本` } : `“${value}”`;
}

/**
 * Formats a value for an error message: `"soon"`, `an array`, `null`. Short, but never truncated, because
 * half a key can't be recognised.
 */
export function shown(value: unknown): string {
  const both = shownInBoth(value);
  return typeof both === 'string' ? both : both.en;
}
