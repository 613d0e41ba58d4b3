import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Settings } from '../settings/settings.ts'
import { type SlidingSum, slidingSum } from './sliding-sum.ts'

/** The limit of model requests of each user (docs/reference/limits.md#model-requests). */
export interface ModelRates {
  /**
   * Counts a request that arrives, under the limits of a group; undefined while nothing is limited. Throws a refusal of
   * kind `limited` that says which rule it was and when to come back; what is refused is not counted. A form of several
   * nodes counts them together, or by its own share of the limit while it cannot.
   */
  enter(userId: number, group: string): MaybePromise<ModelTurn | undefined>
}

/** One counted request. It is answered well or fails, once; what is told afterwards does nothing. */
export interface ModelTurn {
  /** It is being answered with a status below 400; a stream as soon as it has begun. */
  succeed(): void
  /** It was answered with an error, which gives its place back. */
  fail(): void
}

type ModelRatesDeps = Readonly<{
  settings: Pick<Settings, 'get' | 'derive'>
  clock: Clock
  /** Users remembered at once; the one who has not asked for longest is forgotten. */
  max?: number
}>

/** Builds the limit over the five options, whose changes hold at once for what has been counted already. */
export function createModelRates({ settings, clock, max = 10_000 }: ModelRatesDeps): ModelRates {
  const inForce = settings.derive(options, () => termsOf(settings))
  const countersByUser = new LRUCache<number, UserCounters>({ ...upTo(max) })
  const open = (userId: number): UserCounters => {
    const counters = { total: slidingSum(), served: slidingSum(), running: 0 }
    countersByUser.set(userId, counters)
    return counters
  }
  return {
    enter(userId, group) {
      const terms = inForce()
      if (!terms) return undefined
      const now = clock.monotonic()
      const counters = countersByUser.get(userId) ?? open(userId)
      const [total, success] = terms.groups.get(group) ?? terms.all
      check(counters, now, terms, { total, success })
      counters.total.add(now, 1, terms.windowMs)
      counters.running += 1
      return new CountedTurn(counters, clock, terms.windowMs)
    },
  }
}

const options = [
  'ModelRequestRateLimitEnabled',
  'ModelRequestRateLimitDurationMinutes',
  'ModelRequestRateLimitCount',
  'ModelRequestRateLimitSuccessCount',
  'ModelRequestRateLimitGroup',
] as const

/** Requests in all (0 is any number), and requests that are answered well. */
type Pair = readonly [total: number, success: number]
type Terms = Readonly<{ minutes: number; windowMs: number; all: Pair; groups: ReadonlyMap<string, Pair> }>

/** A period of no length limits nothing. */
function termsOf(settings: Pick<Settings, 'get'>): Terms | null {
  const minutes = settings.get('ModelRequestRateLimitDurationMinutes')
  if (!settings.get('ModelRequestRateLimitEnabled') || minutes === 0) return null
  return {
    minutes,
    windowMs: minutes * 60_000,
    all: [settings.get('ModelRequestRateLimitCount'), settings.get('ModelRequestRateLimitSuccessCount')],
    groups: new Map(Object.entries(settings.get('ModelRequestRateLimitGroup'))),
  }
}

/** What is known of one user: when requests came, when they were answered well, and how many are on their way. */
type UserCounters = { total: SlidingSum; served: SlidingSum; running: number }

/**
 * Only requests that were answered well count for the second rule, but one that is on its way keeps a place until it is
 * known to have failed: a burst cannot slip through while nobody has been answered.
 */
function check({ total, served, running }: UserCounters, now: number, { minutes, windowMs }: Terms, max: Limits): void {
  if (served.within(now, windowMs) + running >= max.success) {
    const waitMs = served.wait(now, windowMs, max.success - running)
    throw tooMany('relay.rateSuccess', { count: max.success, minutes }, waitMs)
  }
  if (max.total > 0 && total.within(now, windowMs) >= max.total)
    throw tooMany('relay.rateTotal', { count: max.total, minutes }, total.wait(now, windowMs, max.total))
}
type Limits = Readonly<{ total: number; success: number }>

const tooMany = (
  key: 'relay.rateSuccess' | 'relay.rateTotal',
  params: Readonly<{ count: number; minutes: number }>,
  waitMs: number,
): GatewayError =>
  refuse('limited', key, params, {
    code: 'rate_limit_exceeded',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })

class CountedTurn implements ModelTurn {
  #isOpen = true
  readonly #counters: UserCounters
  readonly #clock: Clock
  readonly #windowMs: number

  constructor(counters: UserCounters, clock: Clock, windowMs: number) {
    this.#counters = counters
    this.#clock = clock
    this.#windowMs = windowMs
  }

  succeed(): void {
    if (!this.#isOpen) return
    this.fail()
    this.#counters.served.add(this.#clock.monotonic(), 1, this.#windowMs)
  }

  fail(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#counters.running -= 1
  }
}
