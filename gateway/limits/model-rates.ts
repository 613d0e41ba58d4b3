import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { upTo } from '../base/lru.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Settings } from '../settings/settings.ts'
import { shareOfNode } from '../shared-state/rates.ts'
import type { CountedParts, CountRule, SharedCounts } from '../shared-state/shared-counts.ts'
import { type LimitedCaller, shareOf } from './request-limits.ts'
import { type SlidingSum, slidingSum } from './sliding-sum.ts'

/** The limit on each user's model requests (docs/reference/limits.md#model-requests). */
export interface ModelRates {
  /**
   * Counts an arriving request under the limits of a group; returns undefined while there is no limit. Throws `limited`
   * with the rule and the time to retry after; rejected requests are not counted. Several nodes count together; while
   * they cannot, each applies its share of the limit.
   */
  enter(caller: LimitedCaller, group: string): MaybePromise<RateTicket | undefined>
}

/** A counted request. It succeeds or fails once; later calls do nothing. */
export interface RateTicket {
  /** Call it when the response has a status below 400; for a stream, as soon as it has begun. */
  succeed(): void
  /** Call it when the response is an error; releases the slot. */
  fail(): void
}

type ModelRatesDeps = Readonly<{
  settings: Pick<Settings, 'get' | 'derive'>
  clock: Clock
  /**
   * The number of nodes that are alive, each of which applies its share of the limit while they cannot count together.
   */
  livingNodes: () => number
  counts: SharedCounts
  /** Max users tracked; the least recently active one is dropped. */
  max?: number
}>

/** Reads five options; changes apply immediately, even to requests already counted. */
export function createModelRates({ settings, clock, livingNodes, counts, max = 10_000 }: ModelRatesDeps): ModelRates {
  const currentTerms = settings.derive(options, () => termsOf(settings))
  const countersByUser = new LRUCache<number, UserCounters>({ ...upTo(max) })
  const create = (userId: number): UserCounters => {
    const counters = { total: slidingSum(), served: slidingSum(), running: 0 }
    countersByUser.set(userId, counters)
    return counters
  }
  const countHere = (caller: LimitedCaller, terms: Terms, [total, success]: Pair): RateTicket => {
    const now = clock.monotonic()
    const counters = countersByUser.get(caller.account.id) ?? create(caller.account.id)
    const limitOf = (limit: number) => shareOfNode(limit, livingNodes())
    check(counters, now, terms, { total: limitOf(total), success: limitOf(success) })
    counters.total.add(now, 1, terms.windowMs)
    counters.running += 1
    return new CountedRequest(counters, clock, terms.windowMs)
  }
  return {
    enter(caller, group) {
      const terms = currentTerms()
      if (!terms) return undefined
      const [total, success] = terms.groups.get(group) ?? terms.all
      const limits: Pair = [shareOf(caller, total), shareOf(caller, success)]
      if (!counts.isUp) return countHere(caller, terms, limits)
      return countTogether(counts, caller, terms, limits).then((ticket) => ticket ?? countHere(caller, terms, limits))
    },
  }
}

/**
 * Counts a request for all nodes; returns undefined if they cannot count together. A request counts as served until it
 * fails.
 */
async function countTogether(
  counts: SharedCounts,
  { account }: LimitedCaller,
  { windowMs, minutes }: Terms,
  [total, success]: Pair,
): Promise<RateTicket | undefined> {
  const served = { key: `served ${account.id}`, limit: success, windowMs, amount: 1 }
  const all = { key: `requests ${account.id}`, limit: total, windowMs, amount: 1 }
  const result = await counts.take(total > 0 ? [served, all] : [served])
  if (!result) return undefined
  if (result.isAllowed) return new TicketOfNodes(counts, served, result.parts)
  if (result.rule === served) throw tooMany('relay.rateSuccess', { count: success, minutes }, result.waitMs)
  throw tooMany('relay.rateTotal', { count: total, minutes }, result.waitMs)
}

class TicketOfNodes implements RateTicket {
  #isOpen = true
  readonly #counts: SharedCounts
  readonly #served: CountRule
  readonly #parts: CountedParts

  constructor(counts: SharedCounts, served: CountRule, parts: CountedParts) {
    this.#counts = counts
    this.#served = served
    this.#parts = parts
  }

  succeed(): void {
    this.#isOpen = false
  }

  fail(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#counts.remove([this.#served], this.#parts)
  }
}

const options = [
  'ModelRequestRateLimitEnabled',
  'ModelRequestRateLimitDurationMinutes',
  'ModelRequestRateLimitCount',
  'ModelRequestRateLimitSuccessCount',
  'ModelRequestRateLimitGroup',
] as const

/** Max total requests (0 = unlimited) and max successful requests. */
type Pair = readonly [total: number, success: number]
type Terms = Readonly<{ minutes: number; windowMs: number; all: Pair; groups: ReadonlyMap<string, Pair> }>

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

type UserCounters = { total: SlidingSum; served: SlidingSum; running: number }

/**
 * Only successful requests count toward `max.success`, but a running one keeps its slot until it has failed, so that a
 * burst cannot slip through before the first response.
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

class CountedRequest implements RateTicket {
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
