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
 * A registry that sums a day at a time, during a turn of the event loop; records the token of each sum. Tokens from 100
 * on have no charges.
 */
function aRegistry(maxSeconds = DAY) {
  const sums: number[] = []
  let lookups = 0
  let running = 0
  let maxAtOnce = 0
  const registry = createTokenUseRegistry({
    clock: aClock(Date.parse('2026-11-18T12:00:00Z')),
    charges: {
      maxSeconds,
      newest: () => 0,
      firstFrom(tokenId, from) {
        lookups += 1
        return tokenId < 100 ? from : undefined
      },
      rowOf: () => undefined,
      async sum(tokenId) {
        sums.push(tokenId)
        running += 1
        maxAtOnce = Math.max(maxAtOnce, running)
        await new Promise(setImmediate)
        running -= 1
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
  return { registry, used, sums, lookups: () => lookups, maxAtOnce: () => maxAtOnce }
}

const charge = (quota: number) => ({
  requestId: `r${quota}`,
  at: Date.parse('2026-11-18T11:59:00Z') / 1000,
  quota,
  tokens: 1,
})

it('usage of budgets is summed one after the other, alternating between accounts (docs/reference/limits.md#token-limits)', async () => {
  const { used, sums, maxAtOnce } = aRegistry()
  const months = Array.from({ length: 10 }, (_, at) => used({ budget_month: 100 }, at + 1))
  expect(await used({}, 20, 2)).toEqual(['day 1/100', 'week 7/100'])
  // The other account waited for as many sums as it needed itself.
  expect(sums.length).toBeLessThanOrEqual(2 * 8 + 1)
  for (const month of months) expect(await month).toEqual(['day 1/100', 'week 7/100', 'month 30/100'])
  expect([sums.length, maxAtOnce()]).toEqual([10 * 38 + 8, 1])
})

it('hours without charges are skipped, and each look into the ledger has its own turn of the event loop', async () => {
  const { used, sums, lookups } = aRegistry(3600)
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(Array.from({ length: 50 }, (_, at) => used({ budget_month: 100 }, 100 + at, at % 5)))
  isOver = true
  expect([sums.length, lookups()]).toEqual([0, 150])
  expect(turns).toBeGreaterThanOrEqual(150)
})

it('usage of budgets is summed for all tokens at once where the database is another process', async () => {
  const { used, maxAtOnce } = aRegistry(Number.POSITIVE_INFINITY)
  await Promise.all(Array.from({ length: 20 }, (_, at) => used({}, at + 1, 1)))
  expect(maxAtOnce()).toBe(20)
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
