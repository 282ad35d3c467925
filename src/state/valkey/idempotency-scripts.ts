import { KEEP, LEDGER, NOW } from './lua.ts';
import type { Script } from './link.ts';

/*
 * A key is a hash: fingerprint, lease and its end while the call runs, the answer once it is done. The ledger
 * bounds the answers; what runs is not in it.
 */
const KEY = `
local base = KEYS[1]
local function key(id) return base .. ':key:' .. id end
local function let_go(id) redis.call('DEL', key(id)) end
`;

/**
 * Values: id, fingerprint, lease, lease in ms, ttl, '1' where it may repeat, most that run.
 * -> {'new'}, {'done', answer}, {'running'}, {'different'}, {'lost'} or {'full', count}
 */
export const beginKeyed: Script = {
  name: 'tbBeginKeyed',
  keys: 1,
  lua: `${NOW}${KEEP}${KEY}
local id, fingerprint, lease = ARGV[1], ARGV[2], ARGV[3]
local known = redis.call('HMGET', key(id), 'fingerprint', 'lease', 'ends', 'answer')
if known[1] then
  if known[1] ~= fingerprint then return {'different'} end
  if known[4] then return {'done', known[4]} end
  if known[2] == lease then return {'new'} end
  if tonumber(known[3]) > now then return {'running'} end
  if ARGV[6] ~= '1' then return {'lost'} end
else
  local running = redis.call('ZCOUNT', base .. ':running', '(' .. now, '+inf')
  if running >= tonumber(ARGV[7]) then return {'full', running} end
end
local ms = math.max(tonumber(ARGV[4]), tonumber(ARGV[5]))
redis.call('HSET', key(id), 'fingerprint', fingerprint, 'lease', lease, 'ends', now + ARGV[4], 'ttl', ARGV[5])
redis.call('PEXPIRE', key(id), ms)
redis.call('ZADD', base .. ':running', now + ms, id)
redis.call('ZREMRANGEBYSCORE', base .. ':running', '-inf', now)
keep(base .. ':running', ms)
return {'new'}`,
};

/** Values: id, lease, lease in ms. */
export const renewKeyed: Script = {
  name: 'tbRenewKeyed',
  keys: 1,
  lua: `${NOW}${KEEP}${KEY}
local id, ms = ARGV[1], ARGV[3]
if redis.call('HGET', key(id), 'lease') ~= ARGV[2] then return end
redis.call('HSET', key(id), 'ends', now + ms)
keep(key(id), ms)
redis.call('ZADD', base .. ':running', 'XX', 'GT', now + ms, id)
keep(base .. ':running', ms)`,
};

/** Values: id, lease, and, where there is an answer, the answer, its size with all that belongs to it, most bytes. */
export const finishKeyed: Script = {
  name: 'tbFinishKeyed',
  keys: 1,
  lua: `${NOW}${KEEP}${KEY}${LEDGER}
local id, answer, size, max = ARGV[1], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
if redis.call('HGET', key(id), 'lease') ~= ARGV[2] then return end
redis.call('ZREM', base .. ':running', id)
if not answer then return redis.call('DEL', key(id)) end
if size > max then return redis.call('HSET', key(id), 'ends', 0) end
local ttl = redis.call('HGET', key(id), 'ttl')
make_room(size, max)
redis.call('HSET', key(id), 'answer', answer)
redis.call('HDEL', key(id), 'lease', 'ends', 'ttl')
redis.call('PEXPIRE', key(id), ttl)
enter(id, size, ttl, ttl)`,
};
