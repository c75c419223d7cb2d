import type { Completion } from '@likeness/engine/models/model_jobs.ts';
import type { ModelKind } from '@likeness/engine/models/model_record.ts';
import { toFields } from './queue_records.ts';
import { keyPrefix } from './redis_scripts.ts';

/** The stream of models of owners that ended, in the order in which they did: what is billed and told of. */
export const endsKey = `${keyPrefix}bills`;

/** A model that was made or has failed. */
export interface ModelEnd extends Completion {
  isMade: boolean;
}

/** An entry of the stream; those of an older service have only models that were made. */
export function toModelEnd(cursor: string, list: readonly string[]): ModelEnd {
  const { id = '', owner = '', kind, at, seconds, ordered, state = '1', account = '' } = toFields(list);
  return {
    cursor,
    id,
    owner,
    kind: kind as ModelKind,
    at: Number(at),
    seconds: Number(seconds),
    orderedAt: ordered ? Number(ordered) : null,
    isMade: state === '1',
    account,
  };
}
