import { withPrelude } from './redis_scripts.ts';

/**
 * Limits and usage of keys, as Redis scripts that each run in one step. `P` is the prefix of all Redis keys.
 * An id names a key of the service. Times are milliseconds since 1970 UTC by the clock of Redis.
 */

const scripts = {
  /**
   * key, call, requests a second (0: unlimited), burst, maximum concurrent calls, milliseconds after which
   * the calls of a dead node no longer count. Uses the generic cell rate algorithm: per key, the time until
   * which its rate is used up.
   */
  enter: `
    local calls, rate = P .. 'calls:' .. ARGV[2], tonumber(ARGV[4])
    redis.call('ZREMRANGEBYSCORE', calls, '-inf', now)
    if redis.call('ZCARD', calls) >= tonumber(ARGV[6]) then return { 'at_once' } end
    if rate > 0 then
      local each = 1000 / rate
      local room = math.max(1, rate, tonumber(ARGV[5])) * each
      local place = P .. 'rate:' .. ARGV[2]
      local usedUntil = tonumber(redis.call('GET', place) or '0')
      -- A clock that was set back makes nobody wait for longer than a whole burst.
      usedUntil = math.max(now, math.min(usedUntil, now + room)) + each
      if usedUntil - now > room + 0.01 then return { 'rate', math.ceil(usedUntil - now - room) } end
      redis.call('SET', place, string.format('%.3f', usedUntil), 'PX', math.ceil(room) + 1000)
    end
    redis.call('ZADD', calls, now + ARGV[7], ARGV[3])
    redis.call('PEXPIRE', calls, 2 * ARGV[7])
    return { 'in' }
  `,
  /** milliseconds, key, call, … : these calls are still in progress, and their reservations stay. */
  renewCalls: `
    for i = 3, #ARGV, 2 do
      redis.call('ZADD', P .. 'calls:' .. ARGV[i], now + ARGV[2], ARGV[i + 1])
      redis.call('PEXPIRE', P .. 'calls:' .. ARGV[i], 2 * ARGV[2])
      local held = redis.call('HGET', P .. 'held:' .. ARGV[i], ARGV[i + 1])
      if held then
        local one = cjson.decode(held)
        one[1] = now + ARGV[2]
        redis.call('HSET', P .. 'held:' .. ARGV[i], ARGV[i + 1], cjson.encode(one))
      end
    end
    return 0
  `,
  /**
   * key, call, month, seconds, frames, models, their three caps ('' for none), milliseconds, Redis key of the
   * idempotency key or ''. Reservations of calls in progress and ordered models count as used.
   */
  reserve: `
    local key = ARGV[2]
    if ARGV[12] ~= '' and redis.call('EXISTS', ARGV[12]) == 1 then return { 'repeated' } end
    local used = redis.call('HMGET', P .. 'usage:' .. ARGV[4] .. ':' .. key, 'seconds', 'frames', 'models')
    local underWay = { 0, 0, redis.call('SCARD', P .. 'open:' .. key) }
    local list = redis.call('HGETALL', P .. 'held:' .. key)
    local mine
    for i = 1, #list, 2 do
      local one = cjson.decode(list[i + 1])
      if one[1] <= now then redis.call('HDEL', P .. 'held:' .. key, list[i])
      else
        if list[i] == ARGV[3] then mine = one end
        for unit = 1, 3 do underWay[unit] = underWay[unit] + one[unit + 1] end
      end
    end
    for unit = 1, 3 do
      local planned, cap = tonumber(ARGV[4 + unit]), tonumber(ARGV[7 + unit])
      local had = tonumber(used[unit] or '0')
      -- Sums of fractions: a call that just reaches the cap is within it.
      if cap and planned > 0 and had + underWay[unit] + planned > cap * (1 + 1e-9) then
        return { 'cap', unit, tostring(had), tostring(underWay[unit]) }
      end
    end
    local sum = { now + ARGV[11] }
    for unit = 1, 3 do sum[unit + 1] = tonumber(ARGV[4 + unit]) + (mine and mine[unit + 1] or 0) end
    redis.call('HSET', P .. 'held:' .. key, ARGV[3], cjson.encode(sum))
    return { 'held' }
  `,
  /**
   * journal, number of the last line counted before, number of the last line now, JSON sums `[month, key,
   * calls, failed, seconds, frames]`. JSON models `[month, key, model]`, JSON reservations to release `[key,
   * call]`.
   *
   * Each line of a journal counts once, each model once. Returns the number of the last counted line; if it
   * differs from the given one, nothing was counted.
   */
  count: `
    local counted = tonumber(redis.call('HGET', P .. 'counted', ARGV[2]) or '0')
    if counted ~= tonumber(ARGV[3]) then return counted end
    local keep = 800 * 86400
    local function of(month, key) return P .. 'usage:' .. month .. ':' .. key end
    for _, one in ipairs(cjson.decode(ARGV[5])) do
      local place = of(one[1], one[2])
      for at, field in ipairs({ 'calls', 'failed', 'seconds', 'frames' }) do
        if one[at + 2] ~= 0 then redis.call('HINCRBYFLOAT', place, field, string.format('%.17g', one[at + 2])) end
      end
      redis.call('EXPIRE', place, keep)
    end
    for _, one in ipairs(cjson.decode(ARGV[6])) do
      local billed = P .. 'billed:' .. one[1]
      if redis.call('SADD', billed, one[3]) == 1 then
        local place = of(one[1], one[2])
        redis.call('HINCRBY', place, 'models', 1)
        redis.call('HINCRBY', place, 'calls', 1)
        redis.call('EXPIRE', place, keep)
      end
      redis.call('EXPIRE', billed, 92 * 86400)
      redis.call('SREM', P .. 'open:' .. one[2], one[3])
    end
    for _, one in ipairs(cjson.decode(ARGV[7])) do redis.call('HDEL', P .. 'held:' .. one[1], one[2]) end
    redis.call('HSET', P .. 'counted', ARGV[2], ARGV[4])
    return tonumber(ARGV[4])
  `,
  /** number of the known keys. Returns the current number, and all signed keys if it differs. */
  keys: `
    local number = tonumber(redis.call('GET', P .. 'signed-keys:number') or '0')
    if number == tonumber(ARGV[2]) then return { number } end
    return { number, redis.call('HVALS', P .. 'signed-keys') }
  `,
  /** number of the keys that these were compared with, field, signed key, … Returns 1 if they are stored now. */
  putKeys: `
    if tonumber(redis.call('GET', P .. 'signed-keys:number') or '0') ~= tonumber(ARGV[2]) then return 0 end
    for i = 3, #ARGV, 2 do redis.call('HSET', P .. 'signed-keys', ARGV[i], ARGV[i + 1]) end
    -- Another than any number before, also after this Redis forgot.
    redis.call('SET', P .. 'signed-keys:number', string.format('%.0f', math.max(now, tonumber(ARGV[2]) + 1)))
    return 1
  `,
} as const;

export type AccountScriptName = keyof typeof scripts;

export const accountScripts = withPrelude('', scripts);
