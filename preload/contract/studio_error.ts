import type { KeyedMessage as TableMessage } from '@likeness/messages';
import { z } from 'zod';
import { studioErrorCodes } from './constants.ts';

/** A key of the table in `packages/messages/src/` with its values: translated where it is displayed. */
const KeyedMessage: z.ZodType<TableMessage, TableMessage> = z.object({
  key: z.string().max(80),
  values: z.record(
    z.string().max(40),
    z.union([
      z.string(),
      z.number(),
      z.array(z.string()),
      z.object({ en: z.string(), zh: z.string() }),
      z.lazy((): z.ZodType<TableMessage, TableMessage> => KeyedMessage),
    ]),
  ),
  text: z.string(),
});

/** A message from main to the user; plain text is shown unchanged. */
export const Message = z.union([z.string(), KeyedMessage]);

export const StudioError = z.object({
  code: z.enum(studioErrorCodes),
  /** The problem, as a sentence for the user. */
  message: Message,
  /** A suggested solution; empty if there is none. */
  hint: Message,
  /** True if the same call may succeed later without any change. */
  retryable: z.boolean(),
  /** Dotted path of the invalid input field, for `invalid_input`. */
  field: z.string().optional(),
});
export type StudioError = z.output<typeof StudioError>;

/** Errors travel as values: Electron's `invoke` would strip an Error of its own fields. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: StudioError };
