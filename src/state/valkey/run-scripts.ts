import { KEEP, NOW } from './lua.ts';
import type { Script } from './link.ts';

/*
 * The keys of a run share a hash tag, so that a cluster would keep them together: its text, its limits, what it has
 * used, the leases of its calls (by their end) and the calls that are done (by the time). A run whose limits are gone
 * is over. A write that a full store refuses comes first where nothing may go through uncounted; where a place
 * is given back, one that a full store allows.
 */

/** Keys: all runs, the owner's runs. Values: id, ttl, most, most of one owner. -> {1, now} or {0, count} */
export const takePlace: Script = {
  name: 'tbTakePlace',
  keys: 2,
  lua: `${NOW}${KEEP}
local limits = {tonumber(ARGV[3]), tonumber(ARGV[4])}
for i, key in ipairs(KEYS) do
  local count = redis.call('ZCOUNT', key, '(' .. now, '+inf')
  if count >= limits[i] then return {0, count} end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  keep(key, ARGV[2])
end
return {1, now}`,
};

/** Keys: text, limits, used. Values: the run as JSON, ttl, then names and values of its limits. -> now */
export const createRun: Script = {
  name: 'tbCreateRun',
  keys: 3,
  lua: `${NOW}
local ends = now + ARGV[2]
redis.call('SET', KEYS[1], now .. ':' .. ends .. ':' .. ARGV[1])
redis.call('HSET', KEYS[2], 'ends', ends, unpack(ARGV, 3))
redis.call('HSET', KEYS[3], 'calls', 0)
for _, key in ipairs(KEYS) do redis.call('PEXPIREAT', key, ends) end
return now`,
};

/** Keys: text, limits, used, leases, done. -> the text, or nil when it was over already */
export const endRun: Script = {
  name: 'tbEndRun',
  keys: 5,
  lua: `
local text = redis.call('GET', KEYS[1])
redis.call('DEL', unpack(KEYS))
return text`,
};

/** What the counters say: the calls at once, then names and values. */
const USAGE = `
local function usage()
  return {'ok', redis.call('ZCOUNT', KEYS[3], '(' .. now, '+inf'), redis.call('HGETALL', KEYS[2])}
end
`;

/** The first budget that has nothing left, in the order in which a caller is told. */
const FIND_FULL = `
local function find_full()
  local tool = 'tool:' .. ARGV[2]
  local names = {'calls', tool, 'run_time_ms', 'result_bytes', 'artifact_bytes'}
  local limits = redis.call('HMGET', KEYS[1], 'calls', tool, 'run_time_ms', 'result_bytes', 'artifact_bytes')
  local used = redis.call('HMGET', KEYS[2], unpack(names))
  for i, name in ipairs(names) do
    local limit, spent = tonumber(limits[i] or 'inf'), tonumber(used[i] or '0')
    if spent >= limit then return {i == 2 and 'calls_per_tool' or name, limit, spent} end
  end
  local limit = tonumber(redis.call('HGET', KEYS[1], 'concurrent_calls'))
  local running = redis.call('ZCOUNT', KEYS[3], '(' .. now, '+inf')
  if running >= limit then return {'concurrent_calls', limit, running} end
end
`;

/** Keys: limits, used, leases, done. Values: lease, tool, lease in ms. -> usage, {budget, limit, used} or {'run_over'} */
export const reserveCall: Script = {
  name: 'tbReserveCall',
  keys: 4,
  lua: `${NOW}${USAGE}${FIND_FULL}
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends or redis.call('ZSCORE', KEYS[4], 'ok:' .. ARGV[1]) then return {'run_over'} end
local full = find_full()
if full then return full end
redis.call('HINCRBY', KEYS[2], 'calls', 1)
redis.call('HINCRBY', KEYS[2], 'tool:' .. ARGV[2], 1)
redis.call('ZADD', KEYS[3], now + ARGV[3], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('PEXPIREAT', KEYS[3], ends, 'NX')
return usage()`,
};

/**
 * Takes a reservation back whose answer never came. Where the reservation itself comes later still, over the old
 * connection, it finds the call done. Keys: limits, used, leases, done. Values: lease, tool.
 */
export const cancelCall: Script = {
  name: 'tbCancelCall',
  keys: 4,
  lua: `${NOW}
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends then return end
if redis.call('ZREM', KEYS[3], ARGV[1]) == 1 then
  redis.call('HINCRBY', KEYS[2], 'calls', -1)
  redis.call('HINCRBY', KEYS[2], 'tool:' .. ARGV[2], -1)
end
redis.call('ZADD', KEYS[4], now, 'ok:' .. ARGV[1])
redis.call('PEXPIREAT', KEYS[4], ends, 'NX')`,
};

/** Keys: limits, leases. Values: lease, lease in ms. -> 0 when the run is over */
export const renewCall: Script = {
  name: 'tbRenewCall',
  keys: 2,
  lua: `${NOW}
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('ZADD', KEYS[2], 'XX', now + ARGV[2], ARGV[1])
return 1`,
};

/** How long a settlement is remembered, so that one that is sent twice counts once. */
const REMEMBER_DONE_MS = 60_000;

/**
 * Keys: limits, used, leases, done. Values: lease, run time in ms, result bytes, artifact bytes.
 * -> usage, {budget, limit, used} or {'run_over'}
 */
export const settleCall: Script = {
  name: 'tbSettleCall',
  keys: 4,
  lua: `${NOW}${USAGE}
local ends = redis.call('HGET', KEYS[1], 'ends')
if not ends then return {'run_over'} end
local function answer(verdict)
  if verdict == 'ok' then return usage() end
  local limit, spent = redis.call('HGET', KEYS[1], verdict), redis.call('HGET', KEYS[2], verdict)
  return {verdict, tonumber(limit), tonumber(spent or '0')}
end
for _, verdict in ipairs({'ok', 'result_bytes', 'artifact_bytes'}) do
  if redis.call('ZSCORE', KEYS[4], verdict .. ':' .. ARGV[1]) then return answer(verdict) end
end
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HINCRBY', KEYS[2], 'run_time_ms', ARGV[2])
local verdict = 'ok'
for i, budget in ipairs({'result_bytes', 'artifact_bytes'}) do
  local spent = tonumber(redis.call('HGET', KEYS[2], budget) or '0')
  local limit = tonumber(redis.call('HGET', KEYS[1], budget))
  if verdict == 'ok' and spent + ARGV[i + 2] > limit then verdict = budget end
end
if verdict == 'ok' then
  redis.call('HINCRBY', KEYS[2], 'result_bytes', ARGV[3])
  redis.call('HINCRBY', KEYS[2], 'artifact_bytes', ARGV[4])
end
redis.call('ZADD', KEYS[4], now, verdict .. ':' .. ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now - ${REMEMBER_DONE_MS})
redis.call('PEXPIREAT', KEYS[4], ends, 'NX')
return answer(verdict)`,
};

/** Keys: limits, used, leases. -> usage or {'run_over'} */
export const showUsage: Script = {
  name: 'tbShowUsage',
  keys: 3,
  lua: `${NOW}${USAGE}
if redis.call('EXISTS', KEYS[1]) == 0 then return {'run_over'} end
return usage()`,
};
