/**
 * A service's records, filled without the service: so many models that are made or wait, as it would have written them
 * one by one. Each is a copy of one that it did write.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyPrefix } from '@likeness/service/queue/redis_scripts.ts';
import type { Redis } from 'ioredis';

/** A version-4 UUID of random bytes, in SQL. */
const uuid = `lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
  substr(hex(randomblob(2)), 2), hex(randomblob(6))))`;

/**
 * Copies the newest model and its order, in SQLite; the service has stopped.
 *
 * @param state 1: made, as the one that is copied; 3: waits
 * @returns ids, a hundred thousandth of them at least
 */
export function fillDatabase(folder: string, count: number, state: 1 | 3): string[] {
  const engine = new DatabaseSync(join(folder, 'engine/1/engine.sqlite'));
  // Ids are random: with SQLite's usual cache each index page would be read and written many times.
  engine.exec(`ATTACH '${join(folder, 'service.db')}' AS service;
    PRAGMA main.cache_size = -2000000; PRAGMA service.cache_size = -1000000; PRAGMA synchronous = OFF; BEGIN`);
  engine.exec(`
    CREATE TEMP TABLE added AS WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT n, ${uuid} AS id, lower(hex(randomblob(24))) AS file FROM numbers;
    INSERT INTO model (id, state, photo, sex, eyelid_type, corrections, options, anyway, file, result, created_at, finished_at, owner, kind, priority)
      SELECT added.id, ${state}, photo, sex, eyelid_type, corrections, options, anyway, added.file,
        ${state === 1 ? 'result' : 'NULL'}, created_at, ${state === 1 ? 'finished_at' : 'NULL'}, owner, kind, priority
      FROM added, (SELECT * FROM model ORDER BY sequence DESC LIMIT 1);
    INSERT INTO service.orders (model, tenant, keyId, idempotencyKey, at, isOpen)
      SELECT added.id, tenant, keyId, NULL, at, ${Number(state === 3)}
      FROM added, (SELECT * FROM service.orders ORDER BY at DESC LIMIT 1);
    COMMIT;
  `);
  const ids = engine
    .prepare(`SELECT id FROM added WHERE n % ${Math.max(1, Math.floor(count / 10_000))} = 0`)
    .all();
  engine.close();
  return ids.map(({ id }) => id as string);
}

/** Other heads, each an empty file that is said to be of the same size, so that the store is full as well. */
export function fillResults(folder: string, count: number): void {
  const engine = new DatabaseSync(join(folder, 'engine/1/engine.sqlite'));
  engine.exec(`
    INSERT INTO result (address, sha256, bytes, seconds, created_at, used_at)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT lower(hex(randomblob(32))), sha256, bytes, seconds, created_at, used_at
      FROM numbers, (SELECT * FROM result LIMIT 1);
  `);
  const results = join(folder, 'engine/1/results');
  const there = new Set(readdirSync(results));
  for (const { address } of engine.prepare('SELECT address FROM result').all())
    if (!there.has(`${address}.glb`)) writeFileSync(join(results, `${address}.glb`), '');
  engine.close();
}

const copies = `
  local P, model, from, count = ARGV[1], KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
  local fields = redis.call('HGETALL', model)
  local own, sequence = {}, 0
  for i = 1, #fields, 2 do own[fields[i]] = fields[i + 1] end
  local prefix = string.sub(model, 1, -37)
  for n = from, from + count - 1 do
    own.id = string.format('%08x-0000-4000-8000-%012x', n, n)
    own.file = string.format('file%028x', n)
    own.sequence = redis.call('INCR', P .. 'sequence')
    local m, flat = prefix .. own.id, {}
    for name, value in pairs(own) do flat[#flat + 1] = name flat[#flat + 1] = value end
    redis.call('HSET', m, unpack(flat))
    redis.call('SET', P .. 'file:' .. own.file, m)
    redis.call('SADD', P .. 'of:' .. own.scope, m)
    redis.call('ZADD', P .. 'ended', own.finished, m)
    redis.call('SADD', P .. 'uses:' .. own.result, m)
  end
  return own.id
`;

/** Copies the one model that a Redis has, which is made. @returns some of the ids */
export async function fillRedis(redis: Redis, count: number): Promise<string[]> {
  const [model = ''] = await redis.zrange(`${keyPrefix}ended`, '0', '0');
  const ids: string[] = [];
  const step = 5000;
  const copy = (from: number): Promise<unknown> => {
    const more = String(Math.min(step, count - from + 1));
    return redis.eval(copies, 1, model, keyPrefix, String(from), more);
  };
  for (let from = 1; from <= count; from += step) ids.push(String(await copy(from)));
  return ids;
}
