import { z } from 'zod'
import type { Clock } from '../../base/clock.ts'
import { parsed } from '../../base/json/json.ts'
import type { CooldownEntries, CooldownEntry } from '../cooldown-entries.ts'
import { type RedisLink, scriptOf } from './redis-link.ts'

const HASH = 'switchyard:cooldowns'
const CHANNEL = 'switchyard:cooldowns'
/**
 * The longest cooldown (docs/reference/selection.md#cooldowns); Redis stores all cooldowns this long after the last one
 * was set.
 */
const MAX_MS = 1_800_000
const MAX_ENTRIES = 10_000

/** ARGV: field, value, duration in ms, channel, message. */
const PUT = scriptOf(`
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[3]
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', till) .. ' ' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], ${MAX_MS})
redis.call('PUBLISH', ARGV[4], ARGV[5])`)

/** ARGV: field, channel, message. */
const REMOVE = scriptOf(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 1 then redis.call('PUBLISH', ARGV[2], ARGV[3]) end`)

/** Returns each cooldown's value and the ms that are left; deletes those that have ended. */
const READ = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all, found = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  local space = string.find(all[i + 1], ' ', 1, true)
  local left = tonumber(string.sub(all[i + 1], 1, space - 1)) - now
  if left > 0 then
    found[#found + 1] = { string.sub(all[i + 1], space + 1), left }
  else
    redis.call('HDEL', KEYS[1], all[i])
  end
end
return found`)

const target = { channelId: z.number().int(), keyId: z.string(), model: z.string() }
const request = { accountId: z.number().int(), tokens: z.number() }
const value = z.object({
  ...target,
  ...request,
  status: z.number().int(),
  message: z.string(),
  failures: z.number().int(),
})
const message = z.union([
  z.object({ node: z.string(), value, leftMs: z.number().positive().max(MAX_MS) }),
  z.object({ node: z.string(), ended: z.object(target) }),
])

type Value = z.output<typeof value>
type Terms = Readonly<{ link: RedisLink; own: CooldownEntries; clock: Clock; node: string }>

/**
 * Cooldowns that a vendor requested, for all nodes. Those after failures stay local, since failures may be due to the
 * network of one node.
 */
export function createRedisCooldowns({ link, own, clock, node }: Terms): CooldownEntries {
  const remaining = ({ untilMs }: CooldownEntry) => Math.min(Math.ceil(untilMs - clock.monotonic()), MAX_MS)
  const add = (entry: Value, leftMs: number) => {
    const now = clock.monotonic()
    const known = own.exactly(entry.channelId, entry.keyId, entry.model)
    if ((known?.untilMs ?? 0) >= now + leftMs || own.size >= MAX_ENTRIES) return
    const failed = { failedMs: Math.round(now), failedAt: Math.floor(clock.now() / 1000) }
    own.put({ ...entry, ...failed, kind: 'limited', untilMs: Math.ceil(now + leftMs), trialUntilMs: 0 })
  }
  const hear = (text: string) => {
    const { data } = message.safeParse(parsed(text))
    if (!data || data.node === node) return
    if ('value' in data) add(data.value, data.leftMs)
    else {
      const known = own.exactly(data.ended.channelId, data.ended.keyId, data.ended.model)
      if (known?.kind === 'limited') own.remove(known)
    }
  }
  const read = async () => {
    const found = await link.runScript(READ, [HASH], [])
    if (!Array.isArray(found)) return
    for (const [text, left] of found) {
      const { data } = value.safeParse(parsed(String(text)))
      if (data) add(data, Number(left))
    }
  }
  const share = (entry: CooldownEntry) => {
    const leftMs = remaining(entry)
    if (entry.kind !== 'limited' || leftMs <= 0) return
    const shared = value.parse(entry)
    const text = JSON.stringify({ node, value: shared, leftMs })
    void link.runScript(PUT, [HASH], [fieldOf(entry), JSON.stringify(shared), String(leftMs), CHANNEL, text])
  }
  /**
   * Reads all cooldowns, and shares the known ones again: some may have begun while Redis was away, or been lost with
   * it.
   */
  const readAll = async () => {
    await read()
    for (const entry of own.list()) share(entry)
  }
  link.subscribe(CHANNEL, hear, () => void readAll())
  return {
    get size() {
      return own.size
    },
    allModels: own.allModels,
    ofModel: own.ofModel,
    exactly: own.exactly,
    concerning: own.concerning,
    list: own.list,
    clear: own.clear,
    put(entry) {
      own.put(entry)
      share(entry)
    },
    remove(entry) {
      own.remove(entry)
      if (entry.kind !== 'limited') return
      const { channelId, keyId, model } = entry
      const text = JSON.stringify({ node, ended: { channelId, keyId, model } })
      void link.runScript(REMOVE, [HASH], [fieldOf(entry), CHANNEL, text])
    },
  }
}

const fieldOf = ({ channelId, keyId, model }: CooldownEntry): string => JSON.stringify([channelId, keyId, model])
