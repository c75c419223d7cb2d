import { maxMeasured } from '@likeness/engine/models/wait_estimate.ts';
import { withPrelude } from './redis_scripts.ts';

/**
 * The queue's records, as Redis scripts that each run in one step: after any crash a step is complete or not
 * done. `P` is the prefix of all keys. Times are milliseconds since 1970 UTC by the clock of Redis, so that
 * machines with wrong clocks agree.
 */

const shared = `
  local function get(m, f) return redis.call('HGET', m, f) end
  local function publish(m, state)
    redis.call('PUBLISH', P .. 'changes', cjson.encode({ get(m, 'id'), get(m, 'owner'), get(m, 'kind'), state }))
  end
  local function line(m) return get(m, 'kind') .. ':' .. get(m, 'priority') end
  local function wait(m)
    local l, scope = line(m), get(m, 'scope')
    if redis.call('ZADD', P .. 'wait:' .. l .. ':' .. scope, get(m, 'sequence'), m) == 0 then return end
    if not redis.call('ZSCORE', P .. 'turn:' .. l, scope) then
      redis.call('ZADD', P .. 'turn:' .. l, redis.call('INCR', P .. 'turns'), scope)
    end
    redis.call('HINCRBY', P .. 'waiting', get(m, 'kind'), 1)
  end
  local function leave(m)
    local l, scope = line(m), get(m, 'scope')
    if redis.call('ZREM', P .. 'wait:' .. l .. ':' .. scope, m) == 0 then return end
    redis.call('HINCRBY', P .. 'waiting', get(m, 'kind'), -1)
    if redis.call('EXISTS', P .. 'wait:' .. l .. ':' .. scope) == 0 then redis.call('ZREM', P .. 'turn:' .. l, scope) end
  end
  local function unbind(m)
    redis.call('ZREM', P .. 'making', m)
    local ticket = get(m, 'ticket')
    if ticket and redis.call('GET', P .. 'ticket:' .. ticket) == m then redis.call('DEL', P .. 'ticket:' .. ticket) end
    redis.call('HDEL', m, 'ticket', 'stage', 'progress', 'begun')
  end
  local function photos(m)
    local all = cjson.decode(get(m, 'others') or '[]')
    all[#all + 1] = get(m, 'photo')
    return all
  end
  local function settle(m)
    local account = get(m, 'account')
    if account then redis.call('SREM', P .. 'open:' .. account, get(m, 'id')) end
  end
  local function endAs(m, state, seconds)
    leave(m)
    local begun = get(m, 'begun')
    -- How long it held its place; none where the same head was there already.
    if begun and (state ~= '1' or tonumber(seconds) > 0) then
      redis.call('LPUSH', P .. 'speeds', (now - begun) / 1000)
      redis.call('LTRIM', P .. 'speeds', 0, ${maxMeasured - 1})
    end
    unbind(m)
    redis.call('HSET', m, 'state', state, 'finished', now)
    redis.call('ZADD', P .. 'ended', now, m)
    redis.call('SREM', P .. 'blobs', unpack(photos(m)))
    -- What is made counts as ordered until it counts as used.
    if state ~= '1' then settle(m) end
    if get(m, 'owner') ~= '' then
      redis.call('XADD', P .. 'bills', '*', 'id', get(m, 'id'), 'owner', get(m, 'owner'), 'kind', get(m, 'kind'),
        'at', now, 'seconds', seconds, 'ordered', get(m, 'created') or '', 'state', state, 'account', get(m, 'account') or '')
    end
    publish(m, tonumber(state))
  end
  local function outlook(m)
    local l, own, kind = line(m), get(m, 'scope'), get(m, 'kind')
    local ahead = 0
    local place = redis.call('ZRANK', P .. 'wait:' .. l .. ':' .. own, m)
    if place then
      local isBefore = true
      for _, scope in ipairs(redis.call('ZRANGE', P .. 'turn:' .. l, 0, -1)) do
        if scope == own then
          ahead = ahead + place
          isBefore = false
        else
          ahead = ahead + math.min(redis.call('ZCARD', P .. 'wait:' .. l .. ':' .. scope), place + (isBefore and 1 or 0))
        end
      end
      for priority = tonumber(get(m, 'priority')) + 1, 1 do
        local higher = kind .. ':' .. priority
        for _, scope in ipairs(redis.call('ZRANGE', P .. 'turn:' .. higher, 0, -1)) do
          ahead = ahead + redis.call('ZCARD', P .. 'wait:' .. higher .. ':' .. scope)
        end
      end
      -- Heads and images take places by turns.
      local others = redis.call('HGET', P .. 'waiting', kind == 'head' and 'image' or 'head')
      ahead = ahead + math.min(tonumber(others or '0'), ahead)
    end
    local since = {}
    for _, one in ipairs(redis.call('ZRANGE', P .. 'making', 0, 1023)) do
      since[#since + 1] = tostring((now - (get(one, 'begun') or now)) / 1000)
    end
    local begun = get(m, 'begun')
    return {
      ahead, since, redis.call('LRANGE', P .. 'speeds', 0, -1),
      redis.call('ZRANGEBYSCORE', P .. 'workers', now - 15000, '+inf'),
      begun and tostring((now - begun) / 1000) or ''
    }
  end
`;

const scripts = {
  /**
   * Values: model, Redis key of the idempotency key or '', order's hash, maximum waiting, milliseconds of
   * keeping, the owner's scope, pairs of field and value. An owner may have as many waiting as are left: the
   * rule of `lackOf`.
   *
   * Returns the order's outcome, the model's Redis key (of a refused order: the owner's waiting models), and
   * the outlook of a new model.
   */
  submit: `
    local m, idem = ARGV[2], ARGV[3]
    if redis.call('EXISTS', m) == 1 then return { 'new', m, outlook(m) } end
    if idem ~= '' then
      local known = redis.call('GET', idem)
      if known and redis.call('EXISTS', known) == 1 then
        if get(known, 'order') ~= ARGV[4] then return { 'conflict' } end
        return { 'known', known }
      end
    end
    local busy = redis.call('ZCARD', P .. 'making')
    for _, count in ipairs(redis.call('HVALS', P .. 'waiting')) do busy = busy + count end
    local free = tonumber(ARGV[5]) - busy
    if free <= 0 then return { 'full' } end
    local own = 0
    for _, kind in ipairs({ 'head', 'image' }) do
      for priority = -1, 1 do
        own = own + redis.call('ZCARD', P .. 'wait:' .. kind .. ':' .. priority .. ':' .. ARGV[7])
      end
    end
    if own >= free then return { 'own', tostring(own) } end
    redis.call('HSET', m, 'state', '3', 'order', ARGV[4], 'created', now, 'sequence', redis.call('INCR', P .. 'sequence'),
      unpack(ARGV, 8))
    redis.call('SET', P .. 'file:' .. get(m, 'file'), m)
    redis.call('SADD', P .. 'of:' .. get(m, 'scope'), m)
    redis.call('SADD', P .. 'blobs', unpack(photos(m)))
    local account = get(m, 'account')
    if account then
      -- It is held by its order now, not by the call any more.
      redis.call('SADD', P .. 'open:' .. account, get(m, 'id'))
      redis.call('HDEL', P .. 'held:' .. account, get(m, 'call'))
      redis.call('HDEL', m, 'call')
    end
    if idem ~= '' then
      redis.call('HSET', m, 'idem', idem)
      redis.call('SET', idem, m, 'PX', ARGV[6])
    end
    wait(m)
    return { 'new', m, outlook(m) }
  `,
  /**
   * ticket, kind, milliseconds of the lease. The same ticket returns the same model while it is unfinished.
   */
  take: `
    local place = P .. 'ticket:' .. ARGV[2]
    local m = redis.call('GET', place)
    if not m or get(m, 'state') ~= '3' or get(m, 'ticket') ~= ARGV[2] then
      m = nil
      for _, priority in ipairs({ '1', '0', '-1' }) do
        local l = ARGV[3] .. ':' .. priority
        local scope = redis.call('ZRANGE', P .. 'turn:' .. l, 0, 0)[1]
        if scope then
          m = redis.call('ZRANGE', P .. 'wait:' .. l .. ':' .. scope, 0, 0)[1]
          leave(m)
          if redis.call('ZSCORE', P .. 'turn:' .. l, scope) then
            redis.call('ZADD', P .. 'turn:' .. l, redis.call('INCR', P .. 'turns'), scope)
          end
          break
        end
      end
      if not m then return {} end
      redis.call('SET', place, m, 'PX', 86400000)
      redis.call('HSET', m, 'ticket', ARGV[2])
    end
    redis.call('ZADD', P .. 'making', now + ARGV[4], m)
    return { m, redis.call('HGETALL', m) }
  `,
  /** model: starts making it. Returns the number of starts, this one included. */
  begin: `
    if get(ARGV[2], 'state') ~= '3' then return 0 end
    redis.call('HSET', ARGV[2], 'begun', now)
    return redis.call('HINCRBY', ARGV[2], 'attempts', 1)
  `,
  /** milliseconds of the lease, model, … : these are still being made. Returns those that were cancelled. */
  renew: `
    local gone = {}
    for i = 3, #ARGV do
      if get(ARGV[i], 'state') == '3' then redis.call('ZADD', P .. 'making', 'XX', now + ARGV[2], ARGV[i])
      else gone[#gone + 1] = ARGV[i] end
    end
    return gone
  `,
  /** model, stage, progress */
  stage: `
    if get(ARGV[2], 'state') == '3' then redis.call('HSET', ARGV[2], 'stage', ARGV[3], 'progress', ARGV[4]) end
    return 0
  `,
  /**
   * model, address, name of the file, its hash, bytes, seconds, results of further photos or ''. Records the
   * model's success and its bill, in one step, once. Returns the name of the model's file; '' if it ended
   * otherwise or is gone.
   */
  complete: `
    local m, result = ARGV[2], P .. 'result:' .. ARGV[3]
    if get(m, 'state') == '1' then return get(m, 'name') or '' end
    if get(m, 'state') ~= '3' then return '' end
    if redis.call('EXISTS', result) == 0 then
      if ARGV[4] == '' then return '' end
      redis.call('HSET', result, 'name', ARGV[4], 'sha256', ARGV[5], 'bytes', ARGV[6])
      if ARGV[8] ~= '' then redis.call('HSET', result, 'photos', ARGV[8]) end
      redis.call('SADD', P .. 'blobs', ARGV[4])
    end
    local told = get(result, 'photos')
    if told then redis.call('HSET', m, 'photos', told) end
    local name = get(result, 'name')
    redis.call('HSET', m, 'result', ARGV[3], 'name', name)
    redis.call('SADD', P .. 'uses:' .. ARGV[3], m)
    redis.call('ZADD', P .. 'used', now, ARGV[3])
    endAs(m, '1', ARGV[7])
    return name
  `,
  /** model, English, Chinese, reason of a dead letter or '' */
  fail: `
    local m = ARGV[2]
    if get(m, 'state') ~= '3' then return 0 end
    redis.call('HSET', m, 'failureEn', ARGV[3], 'failureZh', ARGV[4])
    if ARGV[5] ~= '' then
      redis.call('HSET', m, 'dead', ARGV[5])
      redis.call('ZADD', P .. 'dead', now, m)
    end
    endAs(m, '4', 0)
    return 1
  `,
  /** model: a maker died while making it. Returns how often that happened. */
  strike: `
    if get(ARGV[2], 'state') ~= '3' then return 0 end
    return redis.call('HINCRBY', ARGV[2], 'strikes', 1)
  `,
  /**
   * model, ticket, 1 if this attempt doesn't count: puts the model back at its old position. Returns 1 if it
   * waits.
   */
  giveBack: `
    if get(ARGV[2], 'state') ~= '3' or get(ARGV[2], 'ticket') ~= ARGV[3] then return 0 end
    if ARGV[4] == '1' and get(ARGV[2], 'begun') then redis.call('HINCRBY', ARGV[2], 'attempts', -1) end
    unbind(ARGV[2])
    wait(ARGV[2])
    return 1
  `,
  /**
   * Puts abandoned models back into the queue. Returns their number, and the number of waiting models by
   * kind.
   */
  reclaim: `
    local lost = redis.call('ZRANGEBYSCORE', P .. 'making', '-inf', now, 'LIMIT', 0, 1000)
    for _, m in ipairs(lost) do
      local isOpen = get(m, 'state') == '3'
      unbind(m)
      if isOpen then wait(m) end
    end
    return { #lost, redis.call('HGETALL', P .. 'waiting') }
  `,
  /**
   * model, 1 if it is old: deletes it with all data that only it needs. Returns the names of files to delete.
   */
  remove: `
    local m, files = ARGV[2], {}
    local state = get(m, 'state')
    if not state then return { 0, files } end
    if state == '3' or ARGV[3] == '1' then settle(m) end
    if state == '3' then
      files = photos(m)
      leave(m)
      unbind(m)
      redis.call('SREM', P .. 'blobs', unpack(files))
    end
    local address = get(m, 'result')
    if address then
      redis.call('SREM', P .. 'uses:' .. address, m)
      if redis.call('EXISTS', P .. 'uses:' .. address) == 0 then
        local name = get(P .. 'result:' .. address, 'name')
        if name then files[#files + 1] = name redis.call('SREM', P .. 'blobs', name) end
        redis.call('DEL', P .. 'result:' .. address)
        redis.call('ZREM', P .. 'used', address)
      end
    end
    publish(m, cjson.null)
    local idem = get(m, 'idem')
    if idem and redis.call('GET', idem) == m then redis.call('DEL', idem) end
    redis.call('DEL', P .. 'file:' .. get(m, 'file'))
    redis.call('SREM', P .. 'of:' .. get(m, 'scope'), m)
    redis.call('ZREM', P .. 'ended', m)
    redis.call('ZREM', P .. 'dead', m)
    redis.call('DEL', m)
    return { 1, files }
  `,
  /** file: returns the model behind a link and its result, and marks the result as used. */
  result: `
    local m = redis.call('GET', P .. 'file:' .. ARGV[2])
    local address = m and get(m, 'result')
    if not address or redis.call('EXISTS', P .. 'result:' .. address) == 0 then return {} end
    redis.call('ZADD', P .. 'used', 'XX', now, address)
    return { get(m, 'owner'), redis.call('HGETALL', P .. 'result:' .. address) }
  `,
  /**
   * model: returns its outlook: models ahead, seconds since each model started, seconds per model, workers'
   * slots.
   */
  outlook: `return outlook(ARGV[2])`,
  /**
   * For heads and for images: waiting, in progress, seconds that the oldest has waited. Then the workers'
   * slots.
   */
  measures: `
    local rows, running = {}, { head = 0, image = 0 }
    for _, m in ipairs(redis.call('ZRANGE', P .. 'making', 0, -1)) do
      local kind = get(m, 'kind')
      if kind then running[kind] = running[kind] + 1 end
    end
    for _, kind in ipairs({ 'head', 'image' }) do
      local oldest = nil
      for _, priority in ipairs({ '1', '0', '-1' }) do
        local l = kind .. ':' .. priority
        for _, scope in ipairs(redis.call('ZRANGE', P .. 'turn:' .. l, 0, -1)) do
          local m = redis.call('ZRANGE', P .. 'wait:' .. l .. ':' .. scope, 0, 0)[1]
          local created = m and tonumber(get(m, 'created') or now)
          if created and (not oldest or created < oldest) then oldest = created end
        end
      end
      rows[#rows + 1] = {
        tonumber(redis.call('HGET', P .. 'waiting', kind) or '0'), running[kind], tostring(oldest and (now - oldest) / 1000 or 0)
      }
    end
    rows[#rows + 1] = redis.call('ZRANGEBYSCORE', P .. 'workers', now - 15000, '+inf')
    return rows
  `,
  /** worker: it is alive. */
  hello: `
    redis.call('ZADD', P .. 'workers', now, ARGV[2])
    redis.call('ZREMRANGEBYSCORE', P .. 'workers', '-inf', now - 60000)
    return 0
  `,
  /** milliseconds of keeping, maximum: returns models that ended longer ago. Deletes old bills. */
  old: `
    redis.call('XTRIM', P .. 'bills', 'MINID', '~', now - ARGV[2])
    return redis.call('ZRANGEBYSCORE', P .. 'ended', '-inf', now - ARGV[2], 'LIMIT', 0, ARGV[3])
  `,
} as const;

export type ScriptName = keyof typeof scripts;

/** The scripts by name, each with their common beginning. */
export const queueScripts = withPrelude(shared, scripts);
