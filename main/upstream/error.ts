import type { Operation, StudioErrorCode } from '#contract';
import { Failure, type FailureOptions } from '../failure.ts';

export interface UpstreamErrorOptions extends FailureOptions {
  operation: Operation;
  /** Null where no answer came. */
  httpStatus?: number | null;
  /** `code` of a Group B envelope; null where there was none. */
  envelopeCode?: number | null;
  /** The server's own words, without secrets; empty where it said nothing readable. */
  envelopeMessage?: string;
  uncertain?: boolean;
  /** Milliseconds that the server asked to wait (Retry-After). */
  retryAfter?: number | null;
}

/**
 * The one error of this room: which operation failed, what the server answered, what to do about it.
 * Its texts never hold a key: what servers said was redacted before it came here.
 */
export class UpstreamError extends Failure {
  readonly operation: Operation;
  readonly httpStatus: number | null;
  readonly envelopeCode: number | null;
  readonly envelopeMessage: string;
  /**
   * True for a POST that the server may have received, and may bill, although no proper answer came. Such
   * a call must not be repeated without asking; `retryable` is false.
   */
  readonly uncertain: boolean;
  /** Milliseconds that the server asked to wait before the next try; null where it did not. */
  readonly retryAfter: number | null;

  constructor(code: StudioErrorCode, message: string, options: UpstreamErrorOptions) {
    super(code, message, options);
    this.name = 'UpstreamError';
    this.operation = options.operation;
    this.httpStatus = options.httpStatus ?? null;
    this.envelopeCode = options.envelopeCode ?? null;
    this.envelopeMessage = options.envelopeMessage ?? '';
    this.uncertain = options.uncertain ?? false;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** How an operation is called in a sentence to a person. */
export const operationNames: Readonly<Record<Operation, string>> = {
  audio_to_face: 'Audio to face',
  submit_image: 'Submit image',
  generate_model: 'Generate model',
  get_model: 'Get model',
  download: 'Download',
  probe: 'Test connection',
};
