import { expect, it } from 'vitest'
import { limitsIn } from '../../../gateway/limits/token-limits.ts'
import { createTokenUseRegistry } from '../../../gateway/limits/token-use-registry.ts'
import { noSharedCounts } from '../../../gateway/shared-state/shared-counts.ts'
import { aClock } from '../../support/clock.ts'

const limits = (changed: Partial<Parameters<typeof limitsIn>[0]> = {}) =>
  limitsIn({
    requests_per_minute: 0,
    tokens_per_minute: 0,
    budget_minute: 0,
    budget_five_hours: 0,
    budget_day: 100,
    budget_week: 100,
    budget_month: 0,
    budget_time_zone: '',
    budget_warn_percent: 0,
    ...changed,
  })

const DAY = 86_400

/**
 * A registry that sums a day at a time, which takes a millisecond of its clock; records the token of each sum. Tokens
 * from 100 on have no charges.
 */
function aRegistry(maxSeconds = DAY) {
  const sums: number[] = []
  let lookups = 0
  let monotonicMs = 0
  const registry = createTokenUseRegistry({
    clock: { ...aClock(Date.parse('2026-11-18T12:00:00Z')), monotonic: () => monotonicMs },
    charges: {
      maxSeconds,
      newest: () => 0,
      firstFrom(tokenId, from) {
        lookups += 1
        return tokenId < 100 ? from : undefined
      },
      rowOf: () => undefined,
      sum(tokenId) {
        sums.push(tokenId)
        monotonicMs += 1
        return 1
      },
    },
    flush: async () => {},
    show: String,
    livingNodes: () => 1,
    counts: noSharedCounts,
  })
  const used = async (changed?: Parameters<typeof limits>[0], id = 1, accountId = 1) => {
    const budgets = await registry.report({ id, accountId }, limits(changed))
    return budgets.map(({ window, used, limit }) => `${window} ${used}/${limit}`)
  }
  return { registry, used, sums, lookups: () => lookups }
}

/** Counts iterations of the event loop; returns a function that ends the count. */
function countIterations(): () => number {
  let iterations = 0
  let isOver = false
  const count = () => {
    iterations += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  return () => {
    isOver = true
    return iterations
  }
}

const charge = (quota: number) => ({
  requestId: `r${quota}`,
  at: Date.parse('2026-11-18T11:59:00Z') / 1000,
  quota,
  tokens: 1,
})

it('usage of budgets is summed in turns of two milliseconds, alternating between accounts (docs/reference/limits.md#token-limits)', async () => {
  const { used, sums } = aRegistry()
  const iterations = countIterations()
  const months = Array.from({ length: 10 }, (_, at) => used({ budget_month: 100 }, at + 1))
  expect(await used({}, 20, 2)).toEqual(['day 1/100', 'week 7/100'])
  // The other account waited for as many turns as it needed itself.
  expect(sums.length).toBeLessThanOrEqual(2 * 8 + 4)
  for (const month of months) expect(await month).toEqual(['day 1/100', 'week 7/100', 'month 30/100'])
  expect(sums.length).toBe(10 * 38 + 8)
  expect(iterations()).toBeGreaterThanOrEqual((10 * 38 + 8) / 2 - 1)
})

it('time without charges is skipped', async () => {
  const { used, sums, lookups } = aRegistry(3600)
  await Promise.all(Array.from({ length: 50 }, (_, at) => used({ budget_month: 100 }, 100 + at, at % 5)))
  expect([sums.length, lookups()]).toEqual([0, 150])
})

it('usage of budgets is summed without turns where the database is another process', async () => {
  const { used, sums } = aRegistry(Number.POSITIVE_INFINITY)
  const iterations = countIterations()
  await Promise.all(Array.from({ length: 20 }, (_, at) => used({}, at + 1, 1)))
  expect(sums.length).toBe(40)
  expect(iterations()).toBeLessThan(3)
})

it('a token in use, or with a reservation, is not forgotten for any number of others', async () => {
  const { registry, used } = aRegistry()
  const use = registry.follow({ id: 1, accountId: 1 }, limits())
  await use?.prepare()
  const reservation = use?.reserve(90, 90)
  for (let id = 1000; id <= 11_000; id += 1) registry.follow({ id, accountId: 2 }, limits({ requests_per_minute: 1 }))
  expect(registry.of(1)).toBe(use)
  expect(registry.follow({ id: 1, accountId: 1 }, limits())?.remaining()).toBe(100 - 7 - 90)
  for (let id = 20_000; id <= 30_000; id += 1)
    void used({ budget_day: 0, budget_week: 0, requests_per_minute: 1 }, id, 3)
  expect(registry.of(1)).toBe(use)
  reservation?.change(-90)
  expect(use?.remaining()).toBe(93)
})

it('known usage, reservations included, remains while other limits of the token change', async () => {
  const { registry, used, sums } = aRegistry()
  await used()
  const use = registry.of(1)
  const reservation = use?.reserve(20, 20)
  use?.spend(charge(5))
  const edits = Array.from({ length: 20 }, (_, at) => used({ budget_warn_percent: at, budget_day: 60 + at }))
  expect((await Promise.all(edits)).at(-1)).toEqual(['day 6/79', 'week 12/100'])
  expect(use?.remaining()).toBe(79 - 6 - 20)
  reservation?.change(-20)
  expect(await used({ requests_per_minute: 9 })).toEqual(['day 6/100', 'week 12/100'])
  expect([use?.remaining(), sums.length]).toEqual([88, 8])
})

it('only a budget that is new, or has another time zone, is read, together with others that are set meanwhile', async () => {
  const { registry, used, sums } = aRegistry()
  await used()
  const added = used({ budget_month: 100 })
  registry.of(1)?.spend(charge(5))
  const edits = Array.from({ length: 20 }, (_, at) => used({ budget_week: at % 2 === 0 ? 0 : 100, budget_month: 100 }))
  // A charge during the reading, whose row is not written, counts in every budget.
  expect(await added).toEqual(['day 6/100', 'week 7/100', 'month 35/100'])
  expect((await Promise.all(edits)).at(-1)).toEqual(['day 6/100', 'week 7/100', 'month 35/100'])
  expect(sums.length).toBe(8 + 30 + 7)
  expect(await used({ budget_time_zone: 'Asia/Tokyo' })).toEqual(['day 1/100', 'week 7/100'])
  expect(sums.length).toBe(8 + 30 + 7 + 8)
  expect(await used({ budget_time_zone: '', budget_day: 0, budget_week: 0, requests_per_minute: 1 })).toEqual([])
})
