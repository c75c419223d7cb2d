import type { Journal } from '@likeness/journal/journal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import type { ModelEnd } from '../queue/model_ends.ts';

/** The journal's kind of entry for a made model; the journal accepts one for each model. */
export const madeModel = 'modelMade';

/**
 * A model that was made or has failed, to be billed if it has an account. `seconds` applies to made models
 * only.
 */
export type EndedModel = Omit<ModelEnd, 'cursor' | 'account'>;

/** Returns a function that reports whether the journal has a model's line. */
export function billedIn({ database }: Pick<Journal, 'database'>): (model: string) => boolean {
  const billed = database.prepare(`SELECT 1 FROM entries WHERE operation = '${madeModel}' AND subject = ?`);
  return (model) => billed.get(model) !== undefined;
}

/** The line that bills a model. */
export const madeModelLine = (
  { id, at, seconds }: { id: string; at: number; seconds: number },
  { keyId, keyName, tenant }: { keyId: string; keyName: string; tenant: string },
): CallRecord => ({
  at,
  profileId: keyId,
  profileName: `${tenant}: ${keyName}`,
  operation: madeModel,
  subject: id,
  outcome: 'ok',
  httpStatus: null,
  envelopeCode: null,
  message: '',
  bytesSent: 0,
  bytesReceived: 0,
  firstByteMs: null,
  totalMs: seconds * 1000,
  billedSeconds: 0,
  billedFrames: 0,
  billedModels: 1,
  cost: 0,
  currency: '',
});
