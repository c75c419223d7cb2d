import { isUtf8 } from 'node:buffer';
import { inEnglish, type Message, t, type Value } from '@likeness/messages';

/**
 * Reads servers' answers: tolerant where `interface.md` is inconsistent (numbers as strings, ids as numbers),
 * strict otherwise, with errors that name the field.
 */
export class UnreadableAnswer extends Error {
  /** Dotted path of the field at fault; empty for the whole body. */
  readonly field: string;
  readonly problem: FieldProblem | BodyProblem;
  /** For the sentence about the problem. */
  readonly values: Readonly<Record<string, Value>>;

  constructor(
    field: string,
    problem: FieldProblem | BodyProblem,
    values: Readonly<Record<string, Value>> = {},
  ) {
    super(`${field} ${problem}`.trim());
    this.name = 'UnreadableAnswer';
    this.field = field;
    this.problem = problem;
    this.values = values;
  }
}

/** Branches of `upstream.answered_but`: what is wrong with a field. */
type FieldProblem =
  | 'missing'
  | 'other_model'
  | 'no_object'
  | 'no_whole_number'
  | 'no_identifier'
  | 'no_address'
  | 'status_unknown'
  | 'link_missing'
  | 'encoding';

/** Branches of `upstream.answered_but`: what is wrong with the whole body. */
type BodyProblem =
  | 'not_utf8'
  | 'empty'
  | 'json_broken'
  | 'not_json'
  | 'whole_no_object'
  | 'not_protobuf'
  | 'page_not_file'
  | 'file_packed'
  | 'file_no_glb'
  | 'file_version'
  | 'file_empty'
  | 'file_cut'
  | 'file_header';

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws UnreadableAnswer if the body is not one JSON object in UTF-8. */
export function parseJsonObject(body: Buffer): JsonObject {
  if (!isUtf8(body)) throw new UnreadableAnswer('', 'not_utf8');
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('', whyNotJson(text));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableAnswer('', 'whole_no_object', { value: described(value) });
  }
  return value as JsonObject;
}

function whyNotJson(text: string): BodyProblem {
  if (text.trim() === '') return 'empty';
  return /^\s*[{[]/.test(text) ? 'json_broken' : 'not_json';
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
  if (data === undefined || data === null) throw new UnreadableAnswer('data', 'missing');
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new UnreadableAnswer('data', 'no_object', { value: described(data) });
  }
  return data as JsonObject;
}

/** A whole number, also one written as a string. @throws UnreadableAnswer naming the field. */
export function integer(value: unknown, field: string): number {
  if (value === undefined || value === null || value === '') throw new UnreadableAnswer(field, 'missing');
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new UnreadableAnswer(field, 'no_whole_number', { value: described(value) });
  }
  return number;
}

/** An identifier: text, or a whole number small enough to have survived JSON. @throws UnreadableAnswer */
export function identifier(value: unknown, field: string): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (value === undefined || value === null || value === '') throw new UnreadableAnswer(field, 'missing');
  if (typeof value !== 'string' || value.trim() === '' || value.length > 1024) {
    throw new UnreadableAnswer(field, 'no_identifier', { value: described(value) });
  }
  return value.trim();
}

/** Returns text that may be missing; then it is empty. */
export function optionalText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Describes a value: `“soon”`, an array, `null`. Short, but never truncated, because half a key can't be recognised. */
export function described(value: unknown): Message {
  if (Array.isArray(value)) return t('answer_value.array');
  if (typeof value === 'object' && value !== null) return t('answer_value.object');
  if (typeof value !== 'string') return String(value);
  return value.length > 60 ? t('answer_value.long_text', { length: value.length }) : `“${value}”`;
}

/** The same for a program's warnings, in English. */
export const shown = (value: unknown): string => inEnglish(described(value));
