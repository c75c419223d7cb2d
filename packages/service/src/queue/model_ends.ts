import type { Completion } from '@likeness/engine/models/model_jobs.ts';
import type { ModelKind } from '@likeness/engine/models/model_record.ts';
import { toFields } from './queue_records.ts';
import { keyPrefix } from './redis_scripts.ts';

/** The stream of owners' ended models, in order of their end: the source of billing and webhooks. */
export const endsKey = `${keyPrefix}bills`;

/** A model that was made or has failed. */
export interface ModelEnd extends Completion {
  isMade: boolean;
}

/** Parses an entry of the stream; entries of an older service are made models only. */
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
