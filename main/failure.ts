import type { StudioErrorCode } from '#contract';

/** What a person is told when something can't be done: what happened, what to do, whether to try again. */
export interface FailureOptions {
  /** What the person can do about it. One sentence, imperative. */
  hint?: string;
  /** True where the same call may succeed later without any change. */
  retryable?: boolean;
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
  readonly hint: string;
  readonly retryable: boolean;
  readonly field: string | undefined;

  constructor(code: StudioErrorCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.hint = options.hint ?? '';
    this.retryable = options.retryable ?? false;
    this.field = options.field;
  }
}
