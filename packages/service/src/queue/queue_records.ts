import { createHash } from 'node:crypto';
import type {
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

/** Stands for an owner in keys and names: their own name may hold anything. */
export const scopeOf = (owner: Owner): string =>
  owner === null ? '0' : createHash('sha256').update(owner).digest('hex').slice(0, 32);

/** Where a model lies. An owner who asks for another's looks at a place where nothing is. */
export const modelKey = (id: string, owner: Owner, kind: ModelKind): string =>
  `${keyPrefix}model:${scopeOf(owner)}:${kind}:${id}`;

/** Where it is kept which model an owner's idempotency key stands for. */
export const idempotencyKeyName = (owner: Owner, key: string): string =>
  `${keyPrefix}idem:${scopeOf(owner)}:${createHash('sha256').update(key).digest('hex')}`;

/** What was ordered; choices are not in what an older service wrote. */
function orderedIn(
  text = '{}',
): Pick<ModelRecord, 'sex' | 'eyelidType' | 'corrections' | 'options' | 'anyway'> {
  const ordered = JSON.parse(text) as Pick<ModelRecord, 'sex' | 'eyelidType' | 'corrections' | 'anyway'> &
    Partial<Pick<ModelRecord, 'options'>>;
  return { ...ordered, options: ordered.options ?? null };
}

/** What a field of a model says. A number that isn't there is 0. */
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

/** A flat list of fields and values, as scripts hand hashes out. */
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
