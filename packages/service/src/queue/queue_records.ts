import { createHash } from 'node:crypto';
import type {
  HeadParameters,
  ModelKind,
  ModelRecord,
  ModelState,
  Owner,
  Priority,
} from '@likeness/engine/models/model_record.ts';
import type { Redis } from 'ioredis';
import { queueScripts, type ScriptName } from './queue_scripts.ts';
import { keyPrefix, RedisScripts } from './redis_scripts.ts';

/** A model's hash in Redis, field by field. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** Returns a safe stand-in for an owner in keys and names: an owner's name may contain any characters. */
export const scopeOf = (owner: Owner): string =>
  owner === null ? '0' : createHash('sha256').update(owner).digest('hex').slice(0, 32);

/** Returns a model's Redis key. It depends on the owner, so another owner's request finds nothing. */
export const modelKey = (id: string, owner: Owner, kind: ModelKind): string =>
  `${keyPrefix}model:${scopeOf(owner)}:${kind}:${id}`;

/** Returns the Redis key that maps an owner's idempotency key to its model. */
export const idempotencyKeyName = (owner: Owner, key: string): string =>
  `${keyPrefix}idem:${scopeOf(owner)}:${createHash('sha256').update(key).digest('hex')}`;

/** Parses the ordered parameters; orders of an older service have no options. */
function orderedIn(text = '{}'): HeadParameters {
  const ordered = JSON.parse(text) as Omit<HeadParameters, 'options'> & Partial<HeadParameters>;
  return { ...ordered, options: ordered.options ?? null };
}

/** Parses a model's fields; a missing number is 0. */
export const toModel = (fields: Fields): ModelRecord => ({
  sequence: Number(fields.sequence ?? 0),
  id: fields.id ?? '',
  state: Number(fields.state) as ModelState,
  createdAt: Number(fields.created ?? 0),
  photo: fields.photo ?? '',
  others: JSON.parse(fields.others ?? '[]') as string[],
  photos: fields.photos ? (JSON.parse(fields.photos) as ModelRecord['photos']) : null,
  ...orderedIn(fields.ordered),
  file: fields.file ?? '',
  result: fields.result ?? null,
  attempts: Number(fields.attempts ?? 0),
  failure: fields.failureEn ? { en: fields.failureEn, zh: fields.failureZh ?? fields.failureEn } : null,
  owner: fields.owner || null,
  kind: fields.kind as ModelKind,
  priority: Number(fields.priority ?? 0) as Priority,
});

/** Converts a flat list of fields and values, the form in which scripts return hashes. */
export function toFields(list: readonly string[]): Fields {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < list.length; i += 2) fields[list[i]!] = list[i + 1]!;
  return fields;
}

/** The queue's records: each call is one step. */
export class QueueRecords extends RedisScripts<ScriptName> {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    super(redis, queueScripts);
    this.#redis = redis;
  }

  /** @returns null where there is none */
  async fields(key: string): Promise<Fields | null> {
    const fields = await this.#redis.hgetall(key);
    return fields.id === undefined ? null : fields;
  }
}
