import { type KeyedMessage, type Message, t } from '@likeness/messages';
import type { StudioErrorCode } from '@likeness/messages/failure_codes.ts';
import { Failure, type FailureOptions } from '@likeness/node-kit/failure.ts';
import type { Operation } from './interface_names.ts';

export interface UpstreamErrorOptions extends FailureOptions {
  operation: Operation;
  /** Null if no answer came. */
  httpStatus?: number | null;
  /** `code` of a Group B envelope; null if there was none. */
  envelopeCode?: number | null;
  /** The server's message, without secrets; empty if it sent no readable text. */
  envelopeMessage?: string;
  uncertain?: boolean;
  refusal?: Refusal | null;
  /** Milliseconds that the server asked to wait (Retry-After). */
  retryAfter?: number | null;
}

/**
 * The subject of a refusal that is not about the request itself. `access`: the key or the account (401, 402,
 * 403 of HTTP or of the envelope); it applies to every call of the connection until a person acts.
 * `unknown_model`: see `saysUnknownModel`.
 */
export type Refusal = 'access' | 'unknown_model';

/**
 * The one error of this package: which operation failed, what the server answered, what to do about it. Its
 * texts never contain a key: servers' texts were redacted before.
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
  /** Null if the refusal may be about this one call, or if it isn't a refusal. */
  readonly refusal: Refusal | null;
  /**
   * Milliseconds that the server asked to wait before the next attempt, at most an hour; null if it did not.
   */
  readonly retryAfter: number | null;

  constructor(code: StudioErrorCode, message: Message, options: UpstreamErrorOptions) {
    super(code, message, options);
    this.name = 'UpstreamError';
    this.operation = options.operation;
    this.httpStatus = options.httpStatus ?? null;
    this.envelopeCode = options.envelopeCode ?? null;
    this.envelopeMessage = options.envelopeMessage ?? '';
    this.uncertain = options.uncertain ?? false;
    this.refusal = options.refusal ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** An operation's name in a message. */
export const operationNames: Readonly<Record<Operation, KeyedMessage>> = {
  audio_to_face: t('operation.audio_to_face'),
  submit_image: t('operation.submit_image'),
  generate_model: t('operation.generate_model'),
  get_model: t('operation.get_model'),
  delete_model: t('operation.delete_model'),
  download: t('operation.download'),
  probe: t('operation.probe'),
};
