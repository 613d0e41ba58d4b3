import type { Clock } from '../base/clock.ts'
import { pause, ruleOf, type Setback, waitIn } from './rest-rules.ts'

/** What is asked: a channel, with one of its keys (empty where it has one), for a model. */
export type RestPlace = Readonly<{ id: number; keyId: string }>

/** Why a channel or a key is not asked. `limited`: its vendor said when to come back; `failing`: it may be asked where nothing else is left. */
export type Rest = Readonly<{ kind: 'limited' | 'failing'; status: number; seconds: number }>

/** A rest as a person reads it. `keyId` and `model` are empty where it concerns all of them. */
export type ListedRest = Rest &
  Readonly<{ channelId: number; keyId: string; model: string; message: string; strikes: number; failedAt: number }>

/**
 * Which channels and keys are left alone for a while (spec/relay.md §4.4, design/product.md promise 5), for one model or
 * for all of theirs. When its time is over one request tries it; the others wait for how that ends. In memory only.
 */
export interface Rests {
  /** Why the channel itself, whatever the key, is not to be asked for a model now; undefined where it may be. */
  of(channelId: number, model: string): Rest | undefined
  /** The same of one of several keys. */
  ofKey(place: RestPlace, model: string): Rest | undefined
  /** A request is on its way: where a rest is over, that one is the trial. */
  asked(place: RestPlace, model: string): void
  failed(place: RestPlace, model: string, setback: Setback): void
  /** It answers: asked again from now on, but a failure within the answer counts with those before. */
  answered(place: RestPlace, model: string): void
  /** It works: as if it had never failed. */
  served(place: RestPlace, model: string): void
  /** What rests now, the longest first; of one channel or of all. */
  list(channelId?: number): ListedRest[]
  /** Forgets all rests of a channel and its keys, or of one key alone. */
  clear(channelId: number, keyId?: string): void
}

/** A failure so long ago counts no more. */
const FORGIVEN_MS = 3_000_000
/** Rests kept; beyond that all are forgotten, which only costs attempts. */
const MOST = 10_000
const LONGEST_MESSAGE = 300

type Entry = {
  channelId: number
  keyId: string
  model: string
  kind: Rest['kind']
  status: number
  message: string
  strikes: number
  /** Monotonic milliseconds; 0 while it only counts strikes. */
  untilMs: number
  /** When it failed last, in monotonic milliseconds and in unix seconds. */
  failedMs: number
  failedAt: number
  isTried: boolean
}

/** Rests over a clock; `random` answers a fraction in [0, 1) and spreads the ends of rests that began together. */
export function createRests(clock: Clock, random: () => number): Rests {
  const entries = new Map<string, Entry>()
  const of = (id: number, keyId: string, model: string): Rest | undefined => {
    if (entries.size === 0) return undefined
    const now = clock.monotonic()
    return restOf(entries.get(nameOf(id, keyId, '')), now) ?? restOf(entries.get(nameOf(id, keyId, model)), now)
  }
  return {
    of: (channelId, model) => of(channelId, '', model),
    ofKey: ({ id, keyId }, model) => of(id, keyId, model),
    asked(place, model) {
      if (entries.size === 0) return
      for (const name of namesOf(place, model)) {
        const entry = entries.get(name)
        if (entry && entry.untilMs > 0) entry.isTried = true
      }
    },
    failed(place, model, setback) {
      for (const name of namesOf(place, model)) {
        const entry = entries.get(name)
        if (entry) entry.isTried = false
      }
      const rule = ruleOf(setback)
      if (!rule) return
      if (entries.size >= MOST) entries.clear()
      const scope = {
        channelId: place.id,
        keyId: rule.isKeys ? place.keyId : '',
        model: rule.isAllModels ? '' : model,
      }
      const name = nameOf(scope.channelId, scope.keyId, scope.model)
      const now = clock.monotonic()
      const before = entries.get(name)
      const strikes = before && now - before.failedMs < FORGIVEN_MS ? before.strikes + 1 : 1
      const waited = waitIn(setback, clock.now())
      const seconds = waited ?? pause(rule, strikes, random())
      entries.set(name, {
        ...scope,
        kind: waited === undefined ? 'failing' : 'limited',
        status: setback.status,
        message: (setback.message ?? '').slice(0, LONGEST_MESSAGE),
        strikes,
        untilMs: seconds > 0 ? now + seconds * 1000 : 0,
        failedMs: now,
        failedAt: Math.floor(clock.now() / 1000),
        isTried: false,
      })
    },
    answered(place, model) {
      if (entries.size === 0) return
      for (const name of namesOf(place, model)) {
        const entry = entries.get(name)
        if (entry) Object.assign(entry, { isTried: false, untilMs: 0 })
      }
    },
    served(place, model) {
      if (entries.size === 0) return
      for (const name of namesOf(place, model)) entries.delete(name)
    },
    list(channelId) {
      const now = clock.monotonic()
      return [...entries.values()]
        .filter((entry) => channelId === undefined || entry.channelId === channelId)
        .flatMap((entry) => listed(entry, now))
        .sort((a, b) => b.seconds - a.seconds)
    },
    clear(channelId, keyId) {
      for (const [name, entry] of entries)
        if (entry.channelId === channelId && (keyId === undefined || entry.keyId === keyId)) entries.delete(name)
    },
  }
}

const nameOf = (channelId: number, keyId: string, model: string): string => `${channelId} ${keyId} ${model}`

/** Every scope a request belongs to. */
const namesOf = ({ id, keyId }: RestPlace, model: string): readonly string[] => {
  const own = [nameOf(id, '', ''), nameOf(id, '', model)]
  return keyId === '' ? own : [...own, nameOf(id, keyId, ''), nameOf(id, keyId, model)]
}

/** At least a second, while one request tries it too. */
const restOf = (entry: Entry | undefined, now: number): Rest | undefined =>
  entry && (entry.untilMs > now || entry.isTried)
    ? { kind: entry.kind, status: entry.status, seconds: Math.max(1, Math.ceil((entry.untilMs - now) / 1000)) }
    : undefined

function listed(entry: Entry, now: number): ListedRest[] {
  const rest = restOf(entry, now)
  if (!rest) return []
  const { channelId, keyId, model, message, strikes, failedAt } = entry
  return [{ ...rest, seconds: entry.isTried ? 0 : rest.seconds, channelId, keyId, model, message, strikes, failedAt }]
}
