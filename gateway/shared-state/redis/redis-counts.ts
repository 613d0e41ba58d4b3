import { createHash } from 'node:crypto'
import type { CountRule, SharedCounts } from '../shared-counts.ts'
import { type RedisLink, scriptOf } from './redis-link.ts'

/** Parts of a window. An amount counts until its part is a whole window old, which is at most a sixtieth too long. */
const PARTS = 60

/**
 * KEYS: a hash of sums by part for each rule; ARGV: window, limit and amount of each. Returns 0 and the parts counted
 * in, or the number of the first rule that refuses and the wait in ms.
 */
const TAKE = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local parts = {}
for i = 1, #KEYS do
  local length = ARGV[3 * i - 2] / ${PARTS}
  local current = math.floor(now / length)
  local limit = tonumber(ARGV[3 * i - 1])
  local sums = redis.call('HGETALL', KEYS[i])
  local sum, counted, old = 0, {}, {}
  for j = 1, #sums, 2 do
    local part = tonumber(sums[j])
    if part < current - ${PARTS} then
      old[#old + 1] = sums[j]
    else
      sum = sum + sums[j + 1]
      counted[#counted + 1] = { part, tonumber(sums[j + 1]) }
    end
  end
  if #old > 0 then redis.call('HDEL', KEYS[i], unpack(old)) end
  if sum >= limit then
    table.sort(counted, function(one, other) return one[1] < other[1] end)
    local wait = 0
    for _, entry in ipairs(counted) do
      if sum < limit then break end
      sum = sum - entry[2]
      wait = math.ceil((entry[1] + ${PARTS} + 1) * length - now)
    end
    return { i, wait }
  end
  parts[i] = current
end
for i = 1, #KEYS do
  if tonumber(ARGV[3 * i]) > 0 then
    redis.call('HINCRBY', KEYS[i], string.format('%.0f', parts[i]), ARGV[3 * i])
    redis.call('PEXPIRE', KEYS[i], math.ceil(ARGV[3 * i - 2] * (1 + 1 / ${PARTS})))
  end
end
local result = { 0 }
for i = 1, #KEYS do result[i + 1] = parts[i] end
return result`)

/** KEYS: a hash; ARGV: window and amount. */
const ADD = scriptOf(`
local time = redis.call('TIME')
local length = ARGV[1] / ${PARTS}
local part = math.floor((time[1] * 1000 + math.floor(time[2] / 1000)) / length)
redis.call('HINCRBY', KEYS[1], string.format('%.0f', part), ARGV[2])
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[1] * (1 + 1 / ${PARTS})))`)

/** KEYS: a hash for each rule; ARGV: part and amount of each. Sums that were dropped meanwhile stay dropped. */
const REMOVE = scriptOf(`
for i = 1, #KEYS do
  local sum = redis.call('HGET', KEYS[i], ARGV[2 * i - 1])
  if sum and tonumber(sum) >= tonumber(ARGV[2 * i]) then
    redis.call('HINCRBY', KEYS[i], ARGV[2 * i - 1], -ARGV[2 * i])
  end
end`)

/** Counts in Redis, by its clock. Keys are hashed: they contain addresses and names of accounts. */
export const createRedisCounts = (link: RedisLink): SharedCounts => ({
  get isUp() {
    return link.isUp
  },
  async take(rules) {
    const values = rules.flatMap(({ windowMs, limit, amount }) => [windowMs, limit, amount].map(String))
    const reply = await link.runScript(TAKE, rules.map(keyOf), values)
    if (!Array.isArray(reply)) return undefined
    const [refused = 0, ...rest] = reply.map(Number)
    const rule = rules[refused - 1]
    return rule ? { isAllowed: false, rule, waitMs: rest[0] ?? 0 } : { isAllowed: true, parts: rest }
  },
  add(rule) {
    void link.runScript(ADD, [keyOf(rule)], [String(rule.windowMs), String(rule.amount)])
  },
  remove(rules, parts) {
    const values = rules.flatMap(({ amount }, at) => [String(parts[at] ?? 0), String(amount)])
    void link.runScript(REMOVE, rules.map(keyOf), values)
  },
  async clear(key) {
    await link.run(['DEL', hashed(key)])
  },
})

const keyOf = ({ key }: CountRule): string => hashed(key)

const hashed = (key: string): string => `switchyard:${createHash('sha1').update(key).digest('base64url')}`
