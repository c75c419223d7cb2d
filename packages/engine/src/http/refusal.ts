import { type Both, inBoth, type KeyedMessage } from '@likeness/messages';

export interface RefusalOptions {
  /** The part of the request at fault, such as `sex` or `data`. */
  field?: string;
  /** Its number among several such parts, from 1. */
  number?: number;
  /** Response headers besides the usual, such as `retry-after`. */
  headers?: Record<string, string>;
}

/**
 * An error answer of the service. Thrown anywhere while a request is handled; `refusal_answers.ts` writes it
 * as the envelope (Group B) or as `{ code, message }` (everything else).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** HTTP status, and the envelope's `code` in Group B. */
  readonly status: number;
  /** Machine-readable reason in lower case with underscores; listed in `/openapi.json`. */
  readonly reason: string;
  readonly text: Both;
  readonly field: string | undefined;
  readonly number: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    reason: string,
    text: KeyedMessage | Both,
    { field, number, headers = {} }: RefusalOptions = {},
  ) {
    const both = 'key' in text ? inBoth(text) : text;
    super(both.en);
    this.status = status;
    this.reason = reason;
    this.text = both;
    this.field = field;
    this.number = number;
    this.headers = headers;
  }
}
