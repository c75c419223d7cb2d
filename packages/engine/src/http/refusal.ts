import type { Text } from './language.ts';

export interface RefusalOptions {
  /** The part of the request at fault, such as `sex` or `data`. */
  field?: string;
  /** Which of several in that part, from 1. */
  number?: number;
  /** Response headers besides the usual, such as `retry-after`. */
  headers?: Record<string, string>;
}

/**
 * What the service answers when it says no: thrown anywhere while a request is handled, written by
 * `refusal_answers.ts` as the envelope (Group B) or as `{ code, message }` (everything else).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** HTTP status, and the envelope's `code` in Group B. */
  readonly status: number;
  /** A word for programs, lower case with underscores; listed in `/openapi.json`. */
  readonly reason: string;
  readonly text: Text;
  readonly field: string | undefined;
  readonly number: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    reason: string,
    text: Text,
    { field, number, headers = {} }: RefusalOptions = {},
  ) {
    super(text.en);
    this.status = status;
    this.reason = reason;
    this.text = text;
    this.field = field;
    this.number = number;
    this.headers = headers;
  }
}
