import { isUtf8 } from 'node:buffer';

/**
 * Reads what servers answer, tolerantly where `interface.md` wavers (numbers as strings, ids as numbers) and
 * loudly where a value can't be what it should be: the error names the field.
 */
export class UnreadableAnswer extends Error {
  /** Dotted path of the field at fault; empty where the whole body is. */
  readonly field: string;

  constructor(field: string, problem: string) {
    super(field === '' ? problem : `${field} ${problem}`);
    this.name = 'UnreadableAnswer';
    this.field = field;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws UnreadableAnswer where the body is not one JSON object in UTF-8. */
export function parseJsonObject(body: Buffer): JsonObject {
  if (!isUtf8(body)) throw new UnreadableAnswer('', 'the answer is not text in UTF-8');
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('', whyNotJson(text));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableAnswer('', `the answer is ${shown(value)}, not an object`);
  }
  return value as JsonObject;
}

function whyNotJson(text: string): string {
  if (text.trim() === '') return 'the answer is empty';
  return /^\s*[{[]/.test(text)
    ? 'the answer is JSON that breaks off or is malformed'
    : 'the answer is not JSON';
}

/** Group B's wrapping of every answer. `code` 200 is success whatever HTTP says, anything else failure. */
export interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** @throws UnreadableAnswer naming `code` where it is missing or not a whole number. */
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
  if (data === undefined || data === null) throw new UnreadableAnswer('data', 'is missing');
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new UnreadableAnswer('data', `is ${shown(data)}, not an object`);
  }
  return data as JsonObject;
}

/** A whole number, also one written as a string. @throws UnreadableAnswer naming the field. */
export function integer(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '') throw new UnreadableAnswer(field, 'is missing');
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new UnreadableAnswer(field, `is ${shown(value)}, not a whole number`);
  }
  return number;
}

/** An identifier: text, or a whole number small enough to have survived JSON. @throws UnreadableAnswer */
export function identifier(value: unknown, field: string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (value === undefined || value === null || value === '') throw new UnreadableAnswer(field, 'is missing');
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1024) {
    throw new UnreadableAnswer(field, `is ${shown(value)}, not an identifier`);
  }
  return value.trim();
}

/** Text that may be missing: then empty. */
export function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/**
 * A value as an error message can show it: `"soon"`, `an array`, `null`. Short, and never cut: half a key
 * can't be recognised.
 */
export function shown(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value.length > 60 ? `a text of ${value.length} characters` : `“${value}”`;
  return String(value);
}
