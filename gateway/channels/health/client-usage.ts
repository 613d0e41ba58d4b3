import { LRUCache } from 'lru-cache'
import { type Jobs, nothingDue } from '../../base/jobs.ts'
import { upTo } from '../../base/lru.ts'
import { type ChannelClientRow, channelClientStore } from '../../store/channels/channel-clients.ts'
import type { Db } from '../../store/sqlite/database.ts'

/** The clients with which a group has used a channel. Times are unix seconds. */
type Seen = Readonly<{ group: string; client_types: string[]; first_seen: number; last_seen: number }>

/**
 * Records which clients a channel serves (docs/reference/channels.md#client-usage): cheap to record, written in
 * batches.
 */
export interface ClientUsage {
  /** Records a relayed request, at most one per minute for a channel, group and client family. Never throws. */
  note(channelId: number, group: string, userAgent: string, nowSeconds: number): void
  /**
   * Writes pending entries, then lists the clients of a channel, one entry per group, most recently seen first.
   */
  list(channelId: number): Promise<Seen[]>
  flush(): Promise<void>
  /** Writes pending entries and stops the batches. */
  stop(): Promise<void>
}

const EVERY_SECONDS = 60
const FLUSH_MS = 15_000
/** Max entries in memory; evicting one only costs a write. */
const MAX_KEYS = 10_000
/** The family of a longer user agent is not cached. */
const MAX_AGENT_LENGTH = 256

export function createClientUsage({ db, jobs }: Readonly<{ db: Db; jobs: Jobs }>): ClientUsage {
  const lastNoted = new LRUCache<string, number>({ ...upTo(MAX_KEYS) })
  const families = new LRUCache<string, string>({ ...upTo(MAX_KEYS) })
  const familyOf = (userAgent: string): string => {
    const known = families.get(userAgent)
    if (known !== undefined) return known
    const family = clientFamily(userAgent)
    if (userAgent.length <= MAX_AGENT_LENGTH) families.set(userAgent, family)
    return family
  }
  let waiting = new Map<string, ChannelClientRow>()
  const flush = async (): Promise<number> => {
    const rows = [...waiting.values()]
    waiting = new Map()
    if (rows.length > 0) await channelClientStore(db).upsert(rows)
    return rows.length
  }
  const job = jobs.begin({
    name: 'client-usage',
    everyMs: FLUSH_MS,
    isOnEveryNode: true,
    async work() {
      const n = await flush()
      return n === 0 ? nothingDue : { key: 'job.written', params: { n } }
    },
  })
  return {
    note(channel_id, group, userAgent, now) {
      const client_type = familyOf(userAgent)
      const key = `${channel_id} ${client_type} ${group}`
      if (now - (lastNoted.get(key) ?? Number.NEGATIVE_INFINITY) < EVERY_SECONDS) return
      lastNoted.set(key, now)
      // An earlier entry may still be waiting to be written.
      const first_seen = waiting.get(key)?.first_seen ?? now
      waiting.set(key, { channel_id, group, client_type, first_seen, last_seen: now })
    },
    async list(channelId) {
      await flush()
      return byGroup(await channelClientStore(db).of(channelId))
    },
    flush: async () => void (await flush()),
    async stop() {
      await job.stop()
      await flush()
    },
  }
}

function byGroup(rows: readonly ChannelClientRow[]): Seen[] {
  const groups = Map.groupBy(rows, ({ group }) => group)
  const seen = [...groups].map(([group, all]) => ({
    group,
    client_types: all.map(({ client_type }) => client_type),
    first_seen: Math.min(...all.map(({ first_seen }) => first_seen)),
    last_seen: Math.max(...all.map(({ last_seen }) => last_seen)),
  }))
  return seen.sort((a, b) => b.last_seen - a.last_seen)
}

/** Client families, in the order their patterns are tried. */
const families = [
  ['claude-code', /claude-(cli|code)/i],
  ['codex', /codex/i],
  ['openai-python', /openai\/(python|v?\d)|openai-python/i],
  ['openai-node', /openai\/js|openai-node/i],
  ['anthropic-sdk', /anthropic/i],
  ['google-genai', /google-(genai|api|generativeai)|genai-sdk|generativelanguage/i],
  ['curl', /^curl\//i],
  ['browser', /^mozilla\//i],
] as const

type ClientFamily = (typeof families)[number][0] | 'other'

/** The family of a User-Agent, by its first 200 characters (docs/reference/channels.md#client-usage). */
export function clientFamily(userAgent: string): ClientFamily {
  const mark = userAgent.slice(0, 200)
  return families.find(([, pattern]) => pattern.test(mark))?.[0] ?? 'other'
}
