/** The server's clock, in whole milliseconds: brokers whose clocks differ agree on it. */
export const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Lets a key live for at least so many milliseconds more. */
export const KEEP = `
local function keep(key, ms)
  redis.call('PEXPIRE', key, ms, 'NX')
  redis.call('PEXPIRE', key, ms, 'GT')
end
`;

/**
 * What bounds the bytes of many keys together: one ledger of what is kept, by age and by end. Its total stands in the
 * hash of the sizes under the empty name. \`let_go(id)\`, which takes the keys themselves away, is given by each user.
 * Room is made before anything is added, in the same step, so that the total is never above its limit.
 */
export const LEDGER = `
local function ledger(part) return base .. ':' .. part end

local function strike(id)
  local size = redis.call('HGET', ledger('sizes'), id)
  if not size then return end
  redis.call('HDEL', ledger('sizes'), id)
  redis.call('HINCRBY', ledger('sizes'), '', -size)
  redis.call('ZREM', ledger('ages'), id)
  redis.call('ZREM', ledger('ends'), id)
end

local function make_room(size, max)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', ledger('ends'), '-inf', now, 'LIMIT', 0, 1000)) do
    let_go(id)
    strike(id)
  end
  while tonumber(redis.call('HGET', ledger('sizes'), '') or '0') + size > max do
    local oldest = redis.call('ZRANGE', ledger('ages'), 0, 0)[1]
    if not oldest then return end
    let_go(oldest)
    strike(oldest)
  end
end

local function enter(id, size, ms, keep_ms)
  redis.call('HSET', ledger('sizes'), id, size)
  redis.call('HINCRBY', ledger('sizes'), '', size)
  redis.call('ZADD', ledger('ages'), time[1] * 1000000 + time[2], id)
  redis.call('ZADD', ledger('ends'), now + ms, id)
  for _, part in ipairs({'sizes', 'ages', 'ends'}) do keep(ledger(part), keep_ms) end
end
`;
