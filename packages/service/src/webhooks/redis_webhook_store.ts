import { scopeOf, toFields } from '../queue/queue_records.ts';
import type { Redis } from '../queue/redis_connection.ts';
import { keyPrefix, RedisScripts, withPrelude } from '../queue/redis_scripts.ts';
import { refusingOutages } from '../queue/storage_refusal.ts';
import { keepMessages, type Webhook, type WebhookStore } from './webhook_store.ts';

const shared = `
  local function of(id) return P .. 'hook:message:' .. id end
`;

/** Messages to busy receivers that one step passes over. */
const maxPassedOver = 5000;

/** Redis scripts that each run in one step, by the clock of Redis. */
const scripts = {
  /** Redis key of the tenant's webhooks, id, JSON, maximum */
  add: `
    if redis.call('HLEN', ARGV[2]) >= tonumber(ARGV[5]) then return 0 end
    return redis.call('HSET', ARGV[2], ARGV[3], ARGV[4])
  `,
  /** id, webhook, tenant, body, seal, milliseconds of keeping */
  put: `
    if redis.call('EXISTS', of(ARGV[2])) == 1 then return 0 end
    redis.call('HSET', of(ARGV[2]), 'id', ARGV[2], 'webhook', ARGV[3], 'tenant', ARGV[4], 'body', ARGV[5],
      'seal', ARGV[6], 'attempts', 0)
    redis.call('PEXPIRE', of(ARGV[2]), ARGV[7])
    return redis.call('ZADD', P .. 'hook:due:' .. ARGV[6], now, ARGV[2])
  `,
  /**
   * seal, milliseconds of the lease, busy tenants and busy webhooks as JSON. Messages to those are due again
   * after a second, so that a long row of them isn't read each time.
   */
  take: `
    local due, busy = P .. 'hook:due:' .. ARGV[2], {}
    for i = 4, 5 do for _, name in ipairs(cjson.decode(ARGV[i])) do busy[(i == 4 and 't:' or 'w:') .. name] = true end end
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, ${maxPassedOver})) do
      local tenant, webhook = unpack(redis.call('HMGET', of(id), 'tenant', 'webhook'))
      if not tenant then redis.call('ZREM', due, id)
      elseif busy['t:' .. tenant] or busy['w:' .. webhook] then redis.call('ZADD', due, now + 1000, id)
      else
        redis.call('ZADD', due, now + ARGV[3], id)
        return redis.call('HGETALL', of(id))
      end
    end
    return {}
  `,
  /** id, milliseconds, 1 where it was sent */
  retry: `
    local seal = redis.call('HGET', of(ARGV[2]), 'seal')
    if not seal then return 0 end
    redis.call('HINCRBY', of(ARGV[2]), 'attempts', ARGV[4])
    return redis.call('ZADD', P .. 'hook:due:' .. seal, 'XX', now + ARGV[3], ARGV[2])
  `,
  /** id, reason of giving up or '', Redis key of the tenant's dead messages, their maximum */
  over: `
    local seal = redis.call('HGET', of(ARGV[2]), 'seal')
    if not seal then return 0 end
    local attempts = redis.call('HINCRBY', of(ARGV[2]), 'attempts', 1)
    redis.call('ZREM', P .. 'hook:due:' .. seal, ARGV[2])
    redis.call('HDEL', of(ARGV[2]), 'body')
    if ARGV[3] ~= '' then
      redis.call('LPUSH', ARGV[4], cjson.encode({
        id = ARGV[2], webhook = redis.call('HGET', of(ARGV[2]), 'webhook'), attempts = attempts,
        reason = ARGV[3], at = now }))
      redis.call('LTRIM', ARGV[4], 0, ARGV[5] - 1)
      redis.call('PEXPIRE', ARGV[4], ARGV[6])
    end
    return 1
  `,
} as const;
const programs = withPrelude(shared, scripts);

/** Maximum number of a tenant's dead messages. */
const maxDead = 1000;

/**
 * The webhooks of all nodes: the first free node sends a message, and another takes over if that one dies.
 */
export function createRedisWebhookStore(redis: Redis): WebhookStore {
  const all = new RedisScripts(redis, programs);
  const run: typeof all.run = (...args) => all.run(...args);
  const webhooksOf = (tenant: string): string => `${keyPrefix}hook:of:${scopeOf(tenant)}`;
  const deadOf = (tenant: string): string => `${keyPrefix}hook:dead:${scopeOf(tenant)}`;
  const tenantOf = async (id: string): Promise<string> =>
    (await redis.hget(`${keyPrefix}hook:message:${id}`, 'tenant')) ?? '';
  const over = async (id: string, reason: string): Promise<void> => {
    await run('over', id, reason, deadOf(await tenantOf(id)), maxDead, keepMessages);
  };
  return {
    add: async ({ id, tenant, ...webhook }, max) =>
      (await refusingOutages(() =>
        run<number>('add', webhooksOf(tenant), id, JSON.stringify({ id, tenant, ...webhook }), max),
      )) === 1,
    of: async (tenant) => {
      const all = await refusingOutages(() => redis.hvals(webhooksOf(tenant)));
      return all.map((text) => JSON.parse(text) as Webhook).toSorted((a, b) => a.createdAt - b.createdAt);
    },
    async find(id, tenant) {
      const text = await redis.hget(webhooksOf(tenant), id);
      return text ? (JSON.parse(text) as Webhook) : null;
    },
    // Its pending messages find no webhook when they are due, and are dropped.
    remove: async (id, tenant) => (await refusingOutages(() => redis.hdel(webhooksOf(tenant), id))) === 1,
    put: ({ id, webhook, tenant, body }, sealedBy) =>
      run('put', id, webhook, tenant, body, sealedBy, keepMessages),
    async take(sealedBy, lease, { tenants, webhooks }) {
      const busy = [JSON.stringify(tenants), JSON.stringify(webhooks)];
      const fields = toFields(await run<string[]>('take', sealedBy, lease, ...busy));
      if (fields.id === undefined) return null;
      const { id, webhook = '', tenant = '', body = '', attempts } = fields;
      return { id, webhook, tenant, body, attempts: Number(attempts) };
    },
    sent: (id) => over(id, ''),
    retry: (id, after, counts) => run('retry', id, Math.round(after), Number(counts)),
    giveUp: over,
    dead: async (tenant, max) =>
      (await refusingOutages(() => redis.lrange(deadOf(tenant), 0, max - 1))).map((text) => JSON.parse(text)),
    // Redis expires the keys.
    sweep: async () => {},
  };
}
