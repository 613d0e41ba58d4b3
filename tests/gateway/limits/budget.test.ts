import fastCheck from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget } from '../../../gateway/limits/budget.ts'
import { calendarOf } from '../../../gateway/limits/calendar.ts'
import { noTurns } from '../../../gateway/limits/read-turns.ts'
import { budgetWindows } from '../../../shared/budgets.ts'

type Charged = Readonly<{ at: number; quota: number }>
const HOUR = 3600
/** Three days before the end of daylight saving time. */
const BEGIN = Date.parse('2026-10-22T00:00:00Z') / 1000
const calendar = calendarOf('Europe/Berlin')

/** The ledger's sums for one token. */
const balancesOf = (rows: readonly Charged[]) => ({
  sum: (_: number, from: number, to: number) =>
    rows.filter(({ at }) => at >= from && at < to).reduce((sum, { quota }) => sum + quota, 0),
  firstFrom: (_: number, from: number) => {
    const later = rows.map(({ at }) => at).filter((at) => at >= from)
    return later.length > 0 ? Math.min(...later) : undefined
  },
  newest: () => 0,
  maxSeconds: 3600,
  rowOf: () => undefined,
})

const asSeen = (charges: ReturnType<typeof balancesOf>) => ({ charges, tokenId: 1, upTo: 1, turn: noTurns })

describe('the used part of a budget', () => {
  it('is the same in memory as after a restart, for every window and every order in which requests end', async () => {
    const request = fastCheck.record({
      pauseSeconds: fastCheck.integer({ min: 0, max: 9 * HOUR }),
      tookSeconds: fastCheck.integer({ min: 0, max: HOUR }),
      quota: fastCheck.integer({ min: 0, max: 1000 }),
    })
    await fastCheck.assert(
      fastCheck.asyncProperty(fastCheck.array(request, { maxLength: 12 }), async (requests) => {
        let at = BEGIN
        const rows = requests.map(({ pauseSeconds, tookSeconds, quota }) => {
          at += pauseSeconds
          return { at, quota, endsAt: at + tookSeconds }
        })
        const inOrder = rows.toSorted((one, other) => one.endsAt - other.endsAt)
        for (const window of budgetWindows) {
          const lived = createBudget(window, 1, calendar)
          ;(await lived.read(BEGIN, asSeen(balancesOf([]))))()
          for (const [place, row] of inOrder.entries()) {
            lived.spanAt(row.endsAt)
            lived.charge(row.at, row.quota)
            const restored = createBudget(window, 1, calendar)
            ;(await restored.read(row.endsAt, asSeen(balancesOf(inOrder.slice(0, place + 1)))))()
            const [before, after] = [lived.spanAt(row.endsAt), restored.spanAt(row.endsAt)]
            expect([before.used, before.end], window).toEqual([after.used, after.end])
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('leaves out requests that arrived before the window began, and their reservations', () => {
    const budget = createBudget('minute', 1, calendar)
    const old = budget.spanAt(120)
    old.reserved += 5
    const fresh = budget.spanAt(180)
    budget.charge(179, 7)
    budget.charge(180, 3)
    expect(fresh).toMatchObject({ used: 3, reserved: 0 })
  })

  it.each(budgetWindows)(
    'is read again after a clock was set back, of a %s, also where a request ends later',
    async (window) => {
      const [now, ahead] = [BEGIN + HOUR, BEGIN + 40 * 24 * HOUR]
      const rows: Charged[] = [{ at: now, quota: 3 }]
      const budget = createBudget(window, 10, calendar)
      ;(await budget.read(now, asSeen(balancesOf(rows))))()
      const { end } = budget.spanAt(now)
      for (let turn = 0; turn < 2; turn += 1) {
        budget.spanAt(ahead)
        budget.charge(ahead, 4)
        rows.push({ at: ahead, quota: 4 })
        expect([budget.isKnownAt(ahead), budget.isKnownAt(now)]).toEqual([true, false])
        ;(await budget.read(now, asSeen(balancesOf(rows))))()
        expect([budget.isKnownAt(now), budget.spanAt(now)]).toMatchObject([true, { used: 3, end }])
        budget.charge(ahead, 5)
        expect(budget.spanAt(now)).toMatchObject({ used: 3, end })
      }
    },
  )
})
