import { inEnglish, type Message } from '@likeness/messages';
import type { StudioErrorCode } from '@likeness/messages/failure_codes.ts';

/** The text of an error: the cause, the remedy, and whether to try again. */
export interface FailureOptions {
  /** The remedy. One sentence, imperative. */
  hint?: Message;
  /** True if the same call may succeed later without any change. */
  retryable?: boolean;
  /** True if the error stays until a person follows the hint. */
  needsPerson?: boolean;
  /** The input field at fault, for `invalid_input`. */
  field?: string;
  cause?: unknown;
}

/**
 * The one error that modules throw on purpose. `main/ipc` turns it into a `StudioError` value at the process
 * boundary; any other Error there is a defect and becomes `internal`.
 */
export class Failure extends Error {
  readonly code: StudioErrorCode;
  /** The message for the user, translatable; `message` is its English text, for logs. */
  readonly userMessage: Message;
  readonly advice: Message;
  /** `advice` in English. */
  readonly hint: string;
  readonly retryable: boolean;
  readonly needsPerson: boolean;
  readonly field: string | undefined;

  /** @param message - A sentence of the table (`t('…')`). */
  constructor(code: StudioErrorCode, message: Message, options: FailureOptions = {}) {
    super(inEnglish(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.userMessage = message;
    this.advice = options.hint ?? '';
    this.hint = inEnglish(this.advice);
    this.retryable = options.retryable ?? false;
    this.needsPerson = options.needsPerson ?? false;
    this.field = options.field;
  }
}

/** Does the work. Returns false if its subject no longer exists: a Failure `not_found`. */
export async function unlessGone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return false;
    throw error;
  }
}

/** Returns the user's message of any thrown value; another error keeps its own text. */
export const messageOf = (error: unknown): Message =>
  error instanceof Failure ? error.userMessage : error instanceof Error ? error.message : String(error);
