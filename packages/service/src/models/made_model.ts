import type { Journal } from '@likeness/journal/journal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import type { ModelEnd } from '../queue/model_ends.ts';

/** What an entry of a made model is called in the journal; the journal takes one for each model. */
export const madeModel = 'modelMade';

/** A model was made or has failed, and is billed where it is to be. `seconds` is only of use where it was made. */
export type EndedModel = Omit<ModelEnd, 'cursor' | 'account'>;

/** Tells whether a model has its line in the journal. */
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
