import { describe, expect, it } from 'vitest'
import { createPolls } from '../../../renderer/api/polls.ts'

describe('automatic requests of pages (docs/reference/screens.md#background-requests)', () => {
  it.each([
    ['one dashboard', [5000, 15_000, 30_000], [33, 50]],
    ['three dashboards', Array.from({ length: 3 }, () => [5000, 15_000, 30_000]).flat(), [32, 50]],
    ['a job that runs', [1000, 10_000, 15_000], [33, 50]],
    ['a page at rest', [15_000, 60_000], [14, 15]],
  ])(
    '%s: at most a third of the usual limit in any 180 seconds, and never a long pause',
    (_, intervals, [min, max]) => {
      const polledAt = timesOf(intervals, 900_000)
      const counts = polledAt.map((end) => polledAt.filter((at) => at > end - 180_000 && at <= end).length)
      expect(Math.max(...counts)).toBeLessThanOrEqual(max ?? 0)
      expect(counts.at(-1)).toBeGreaterThanOrEqual(min ?? 0)
      expect(Math.max(...polledAt.map((at, index) => at - (polledAt[index - 1] ?? 0)))).toBeLessThanOrEqual(40_000)
    },
  )

  it('are as frequent as requested within the limit, then slower', () => {
    const polls = createPolls(() => 0)
    for (let n = 0; n < 7; n += 1) polls.note()
    expect(polls.pause(1000)).toBe(1000)
    for (let n = 0; n < 4; n += 1) polls.note()
    expect([polls.pause(1000), polls.isOpen()]).toEqual([2000, true])
    for (let n = 0; n < 4; n += 1) polls.note()
    expect([polls.pause(1000), polls.isOpen()]).toEqual([8000, false])
  })

  it('pause until a refusal is over, for one window at most', () => {
    let now = 0
    const polls = createPolls(() => now)
    polls.suspend('20')
    expect([polls.isOpen(), polls.pause(1000)]).toEqual([false, 20_000])
    now = 20_000
    expect([polls.isOpen(), polls.pause(1000)]).toEqual([true, 1000])
    polls.suspend('1000000')
    expect(polls.pause(1000)).toBe(180_000)
  })

  it('pause until a given time, not for an unreadable one, and never shorter than an earlier one', () => {
    let now = Date.parse('2027-01-04T10:00:00Z')
    const polls = createPolls(() => now)
    for (const unread of [null, '', 'soon', '-5', '0', 'Mon, 04 Jan 2027 09:00:00 GMT']) {
      polls.suspend(unread)
      expect([polls.isOpen(), polls.pause(1000)], `${unread}`).toEqual([true, 1000])
    }
    polls.suspend('Mon, 04 Jan 2027 10:00:30 GMT')
    expect([polls.isOpen(), polls.pause(1000)]).toEqual([false, 30_000])
    for (const less of ['0', '10', 'soon', null]) polls.suspend(less)
    now += 29_999
    expect(polls.isOpen()).toBe(false)
    now += 1
    expect([polls.isOpen(), polls.pause(1000)]).toEqual([true, 1000])
  })

  it('delay rare requests by no more than the others', () => {
    const polls = createPolls(() => 0)
    for (let n = 0; n < 15; n += 1) polls.note()
    expect([1000, 5000, 60_000, 300_000].map((everyMs) => polls.pause(everyMs))).toEqual([
      8000, 40_000, 100_000, 340_000,
    ])
  })
})

/** The times of requests for pages that poll at these intervals. */
function timesOf(intervals: readonly number[], untilMs: number): number[] {
  let now = 0
  const polls = createPolls(() => now)
  const next = intervals.map((every) => polls.pause(every))
  const polledAt: number[] = []
  while (now < untilMs) {
    now = Math.min(...next)
    const which = next.indexOf(now)
    if (polls.isOpen()) {
      polls.note()
      polledAt.push(now)
    }
    next[which] = now + polls.pause(intervals[which] ?? 0)
  }
  return polledAt
}
