import { inEnglish, type Said } from '@likeness/messages';
import type { StudioErrorCode } from '@likeness/messages/failure_codes.ts';

/** What a person is told when something can't be done: what happened, what to do, whether to try again. */
export interface FailureOptions {
  /** What the person can do about it. One sentence, imperative. */
  hint?: Said;
  /** True where the same call may succeed later without any change. */
  retryable?: boolean;
  /** True where it stays so until a person does what the hint says. */
  needsPerson?: boolean;
  /** The input field at fault, for `invalid_input`. */
  field?: string;
  cause?: unknown;
}

/**
 * The one error that rooms throw on purpose. `main/ipc` turns it into a `StudioError` value at the border;
 * any other Error that reaches the border is a defect and becomes `internal`.
 */
export class Failure extends Error {
  readonly code: StudioErrorCode;
  /** What is told to a person, in any language; `message` is the same in English, for logs. */
  readonly said: Said;
  readonly advice: Said;
  /** `advice` in English. */
  readonly hint: string;
  readonly retryable: boolean;
  readonly needsPerson: boolean;
  readonly field: string | undefined;

  /** @param said - A sentence of the table (`say('…')`). */
  constructor(code: StudioErrorCode, said: Said, options: FailureOptions = {}) {
    super(inEnglish(said), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.said = said;
    this.advice = options.hint ?? '';
    this.hint = inEnglish(this.advice);
    this.retryable = options.retryable ?? false;
    this.needsPerson = options.needsPerson ?? false;
    this.field = options.field;
  }
}

/** What a person is told of anything thrown; another error's own message goes as it is. */
export const saidOf = (error: unknown): Said =>
  error instanceof Failure ? error.said : error instanceof Error ? error.message : String(error);
