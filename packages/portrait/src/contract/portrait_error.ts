import { type KeyedMessage, messageOf } from '@likeness/messages';
import { photoErrorCodes } from '@likeness/proto/heads/photo_findings.ts';

/** Why no head was made: problems of the photo, then those of the job. */
export const portraitErrorCodes = [
  ...photoErrorCodes,
  'cancelled',
  'worker_died',
  'took_too_long',
  'photo_not_kept',
  'engine_closed',
] as const;
export type PortraitErrorCode = (typeof portraitErrorCodes)[number];

/** A photo that no head can be made of, or a job that ended before it was done. */
export class PortraitError extends Error {
  readonly code: PortraitErrorCode;
  /** Values for the message: pixels, degrees, counts. */
  readonly params: Record<string, string | number>;

  constructor(code: PortraitErrorCode, params: Record<string, string | number> = {}) {
    super(code);
    this.name = 'PortraitError';
    this.code = code;
    this.params = params;
  }
}

/** One or two sentences for a person: what is wrong with the photo and what to change. */
export const portraitFailMessage = ({ code, params }: PortraitError): KeyedMessage =>
  messageOf(`portrait.${code}`, params);
