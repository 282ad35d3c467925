import { KEEP, LEDGER, NOW } from './lua.ts';
import type { Script } from './link.ts';

/*
 * A file is a hash (facts, number of chunks, and its end once it is complete) and its chunks. The ledger bounds all of
 * them together; a file is in it from its first chunk on, so that one on its way takes room as well.
 */
const FILE = `
local base = KEYS[1]
local function file(id) return base .. ':file:' .. id end
local function chunk(id, i) return base .. ':file:' .. id .. ':' .. i end
local function let_go(id)
  local chunks = tonumber(redis.call('HGET', file(id), 'chunks') or '0')
  for i = 0, chunks - 1 do redis.call('DEL', chunk(id, i)) end
  redis.call('DEL', file(id))
end
`;

const COMPLETE = `
local function complete(id, ttl)
  redis.call('HSET', file(id), 'ends', now + ttl)
  redis.call('PEXPIRE', file(id), ttl)
  redis.call('ZADD', base .. ':ends', now + ttl, id)
  return now + ttl
end
`;

/**
 * Values: id, size with all that belongs to it, most bytes, ttl, ms until an incomplete file is let go, chunks, facts
 * as JSON, index key or '', the first chunk. -> the end of a file that has one chunk only, else 0
 */
export const putFirst: Script = {
  name: 'tbPutFirst',
  keys: 1,
  lua: `${NOW}${KEEP}${FILE}${LEDGER}${COMPLETE}
local id, size, max, ttl, pending = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local chunks, index = tonumber(ARGV[6]), ARGV[8]
local ms = chunks == 1 and ttl or pending
if redis.call('HEXISTS', ledger('sizes'), id) == 0 then
  make_room(size, max)
  enter(id, size, ms, ttl)
end
redis.call('HSET', file(id), 'facts', ARGV[7], 'chunks', chunks)
redis.call('PEXPIRE', file(id), ms)
redis.call('SET', chunk(id, 0), ARGV[9], 'PX', ms)
if index ~= '' then
  redis.call('SADD', base .. ':of:' .. index, id)
  keep(base .. ':of:' .. index, ttl)
end
if chunks > 1 then return 0 end
return complete(id, ttl)`,
};

/** Values: id, which, ms until an incomplete file is let go, the chunk. -> 0 when the file had to make room */
export const putChunk: Script = {
  name: 'tbPutChunk',
  keys: 1,
  lua: `${FILE}
if redis.call('HEXISTS', base .. ':sizes', ARGV[1]) == 0 then return 0 end
redis.call('SET', chunk(ARGV[1], ARGV[2]), ARGV[4], 'PX', ARGV[3])
return 1`,
};

/** Values: id, ttl. -> its end, or 0 when the file had to make room */
export const putLast: Script = {
  name: 'tbPutLast',
  keys: 1,
  lua: `${NOW}${FILE}${COMPLETE}
local id, ttl = ARGV[1], ARGV[2]
if redis.call('HEXISTS', base .. ':sizes', id) == 0 then return 0 end
for i = 0, tonumber(redis.call('HGET', file(id), 'chunks') or '0') - 1 do
  if redis.call('PEXPIRE', chunk(id, i), ttl) == 0 then return 0 end
end
return complete(id, ttl)`,
};

/** Values: index key. Lets go of every file in it. */
export const dropIndex: Script = {
  name: 'tbDropIndex',
  keys: 1,
  lua: `${NOW}${KEEP}${FILE}${LEDGER}
local index = base .. ':of:' .. ARGV[1]
for _, id in ipairs(redis.call('SMEMBERS', index)) do
  let_go(id)
  strike(id)
end
redis.call('DEL', index)`,
};
