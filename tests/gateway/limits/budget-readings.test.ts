import { expect, it } from 'vitest'
import { limitsIn } from '../../../gateway/limits/token-limits.ts'
import { createTokenUseRegistry } from '../../../gateway/limits/token-use-registry.ts'
import { noSharedCounts } from '../../../gateway/shared-state/shared-counts.ts'
import { aClock } from '../../support/clock.ts'

const limits = (warnPercent: number) =>
  limitsIn({
    requests_per_minute: 0,
    tokens_per_minute: 0,
    budget_minute: 0,
    budget_five_hours: 0,
    budget_day: 100,
    budget_week: 100,
    budget_month: 0,
    budget_time_zone: '',
    budget_warn_percent: warnPercent,
  })

/** A registry whose sums take a turn of the event loop; records the token of each, and the max number at once. */
function aRegistry(daysAtOnce: number) {
  const sums: number[] = []
  let running = 0
  let maxAtOnce = 0
  const registry = createTokenUseRegistry({
    clock: aClock(Date.parse('2026-11-18T12:00:00Z')),
    charges: {
      daysAtOnce,
      newest: () => 0,
      firstFrom: () => undefined,
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
  return { registry, sums, maxAtOnce: () => maxAtOnce }
}

it('usage of budgets is summed for one token after the other, however many edits request it (docs/reference/limits.md#token-limits)', async () => {
  const { registry, sums, maxAtOnce } = aRegistry(7)
  const edits = Array.from({ length: 20 }, (_, at) => registry.report(1, limits(at + 1)))
  const other = registry.report(2, limits(50))
  expect((await other).map(({ used }) => used)).toEqual([1, 1])
  // The other token did not wait for all edits of the first.
  expect(sums.length).toBeLessThan(10)
  for (const edit of edits) expect((await edit).map(({ used }) => used)).toEqual([1, 1])
  expect([sums.length, maxAtOnce()]).toEqual([2 * 21, 1])
})

it('usage of budgets is summed for all tokens at once where the database is another process', async () => {
  const { registry, maxAtOnce } = aRegistry(Number.POSITIVE_INFINITY)
  await Promise.all(Array.from({ length: 20 }, (_, at) => registry.report(at + 1, limits(50))))
  expect(maxAtOnce()).toBe(20)
})
