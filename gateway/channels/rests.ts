import type { Clock } from '../base/clock.ts'

/** An upstream's failure, as far as it decides whether the channel is left alone for a while. */
export type Setback = Readonly<{
  status: number
  /** The upstream's `Retry-After`: seconds or an HTTP date. */
  retryAfter?: string | undefined
  /** No answer began. */
  transport: boolean
}>

/** Why a channel is not asked. `limited`: its vendor said when to come back; `failing`: it may be asked where nothing else is left. */
export type Rest = Readonly<{ kind: 'limited' | 'failing'; status: number; seconds: number }>

/**
 * Which channels are left alone for a while (spec/relay.md §4.4, design/product.md promise 5), for one model or for all
 * of theirs. When its time is over one request tries the channel; the others wait for how that ends. In memory only.
 */
export interface Rests {
  /** Why a channel is not to be asked for a model now; undefined where it may be. */
  of(channelId: number, model: string): Rest | undefined
  /** A request is on its way over the channel: where its rest is over, that one is the trial. */
  asked(channelId: number, model: string): void
  failed(channelId: number, model: string, setback: Setback): void
  /** The channel works: it is as if it had never failed. */
  served(channelId: number, model: string): void
  /** Forgets all rests of a channel. */
  clear(channelId: number): void
}

/** How often something may fail before the channel rests, how long it rests first, and at most, in seconds. */
type Rule = Readonly<{ strikes: number; first: number; most: number }>

const rules = {
  /** Too many requests, without a word of when to come back. */
  limited: { strikes: 1, first: 30, most: 1800 },
  /** The key or the account is refused. */
  refused: { strikes: 1, first: 30, most: 1800 },
  /** Nobody answers at all. */
  unreachable: { strikes: 2, first: 2, most: 60 },
  broken: { strikes: 3, first: 5, most: 300 },
} as const satisfies Record<string, Rule>

/** However long a vendor asks for, it is tried again after half an hour (spec/relay.md §4.4). */
const LONGEST_WAIT = 1800
/** A failure so long ago counts no more. */
const FORGIVEN_MS = 3_000_000
/** Rests kept; beyond that all are forgotten, which only costs attempts. */
const MOST = 10_000

type Entry = {
  kind: Rest['kind']
  status: number
  strikes: number
  /** Monotonic milliseconds; 0 while it only counts strikes. */
  untilMs: number
  /** When it failed last, in monotonic milliseconds. */
  failedMs: number
  isTried: boolean
}

/** Rests over a clock; `random` answers a fraction in [0, 1) and spreads the ends of rests that began together. */
export function createRests(clock: Clock, random: () => number): Rests {
  const entries = new Map<string, Entry>()
  const both = (channelId: number, model: string) => [allOf(channelId), oneOf(channelId, model)] as const
  return {
    of(channelId, model) {
      if (entries.size === 0) return undefined
      const now = clock.monotonic()
      for (const key of both(channelId, model)) {
        const entry = entries.get(key)
        if (entry && (entry.untilMs > now || entry.isTried))
          return {
            kind: entry.kind,
            status: entry.status,
            seconds: Math.max(1, Math.ceil((entry.untilMs - now) / 1000)),
          }
      }
      return undefined
    },
    asked(channelId, model) {
      if (entries.size === 0) return
      for (const key of both(channelId, model)) {
        const entry = entries.get(key)
        if (entry && entry.untilMs > 0) entry.isTried = true
      }
    },
    failed(channelId, model, setback) {
      for (const key of both(channelId, model)) {
        const entry = entries.get(key)
        if (entry) entry.isTried = false
      }
      const rule = ruleOf(setback)
      if (!rule) return
      if (entries.size >= MOST) entries.clear()
      const key = setback.transport ? allOf(channelId) : oneOf(channelId, model)
      const now = clock.monotonic()
      const before = entries.get(key)
      const strikes = before && now - before.failedMs < FORGIVEN_MS ? before.strikes + 1 : 1
      const waited = waitIn(setback, clock)
      const seconds = waited ?? pause(rule, strikes, random())
      const kind = waited === undefined ? 'failing' : 'limited'
      const untilMs = seconds > 0 ? now + seconds * 1000 : 0
      entries.set(key, { kind, status: setback.status, strikes, untilMs, failedMs: now, isTried: false })
    },
    served(channelId, model) {
      if (entries.size === 0) return
      for (const key of both(channelId, model)) entries.delete(key)
    },
    clear(channelId) {
      const all = allOf(channelId)
      for (const key of entries.keys()) if (key === all || key.startsWith(`${all} `)) entries.delete(key)
    },
  }
}

const allOf = (channelId: number): string => String(channelId)
const oneOf = (channelId: number, model: string): string => `${channelId} ${model}`

/** What the caller did wrong, or the vendor does not have, says nothing of the channel. */
function ruleOf({ status, transport }: Setback): Rule | undefined {
  if (transport) return rules.unreachable
  if (status === 429) return rules.limited
  if (status === 401 || status === 402 || status === 403) return rules.refused
  return status >= 500 ? rules.broken : undefined
}

/** Twice as long with every strike beyond the first that counts, spread by a fifth to either side; 0 before that. */
function pause({ strikes: needed, first, most }: Rule, strikes: number, fraction: number): number {
  if (strikes < needed) return 0
  return Math.round(Math.min(most, first * 2 ** Math.min(strikes - needed, 20)) * (0.8 + 0.4 * fraction))
}

/** How long the vendor asks to wait (RFC 9110 §10.2.3), in seconds; undefined where it does not say. */
function waitIn({ status, retryAfter }: Setback, clock: Clock): number | undefined {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return undefined
  const seconds = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - clock.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), LONGEST_WAIT) : undefined
}
