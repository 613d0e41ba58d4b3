import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bucketsBetween,
  labelOf,
  startOf,
  stepFrom,
  usageByModel,
} from '../../../../renderer/pages/dashboard/buckets.ts'
import {
  addressOf,
  type DashboardFilter,
  fitting,
  midnights,
  rangeOf,
  readFilter,
  withGranularity,
  zoomed,
} from '../../../../renderer/pages/dashboard/dashboard-filter.ts'
import { csvOf } from '../../../../renderer/pages/dashboard/usage-csv.ts'

const HOUR_S = 3600
const DAY_S = 86_400
const at = (text: string) => new Date(text).getTime() / 1000
const row = (created_at: number, more: object = {}) => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name: 'gpt-4o',
  created_at,
  token_used: 10,
  count: 1,
  quota: 100,
  ...more,
})

const zoneBefore = process.env.TZ
const inZone = (zone: string) => {
  process.env.TZ = zone
}
afterEach(() => {
  if (zoneBefore === undefined) delete process.env.TZ
  else process.env.TZ = zoneBefore
})

describe('points of a chart (docs/reference/dashboard.md#charts)', () => {
  beforeEach(() => inZone('Asia/Shanghai'))

  it('are hours, days and weeks from Monday on, where the person is', () => {
    // 01:30 on Tuesday there, which is still Monday in UTC.
    const moment = at('2026-11-23T17:30:00Z')
    expect(labelOf(startOf(moment, 'hour'), 'hour')).toBe('11-24 01:00')
    expect(labelOf(startOf(moment, 'day'), 'day')).toBe('11-24')
    expect(labelOf(startOf(moment, 'week'), 'week')).toBe('11-23 - 11-29')
    expect(startOf(at('2026-11-22T15:59:59Z'), 'week')).toBe(at('2026-11-15T16:00:00Z'))
  })

  it('add up the values in each, in the order of time over a new year as well', () => {
    const rows = [
      row(at('2026-12-31T14:00:00Z')),
      row(at('2026-12-31T16:00:00Z'), { quota: 7 }),
      row(at('2026-12-31T17:00:00Z'), { model_name: 'other', quota: 500 }),
    ]
    const buckets = bucketsBetween(at('2026-12-25T00:00:00Z'), at('2026-12-31T18:00:00Z'), 'day')
    expect(buckets.slice(-2).map(({ label }) => label)).toEqual(['12-31', '01-01'])
    const usage = usageByModel(rows, buckets, 'day')
    expect(usage.map(({ name, quota }) => [name, quota.slice(-2)])).toEqual([
      ['other', [0, 500]],
      ['gpt-4o', [100, 7]],
    ])
  })

  it('merge a week into one', () => {
    const monday = at('2026-11-16T00:00:00+08:00')
    const rows = Array.from({ length: 7 }, (_, day) => row(monday + day * DAY_S))
    const buckets = bucketsBetween(monday, monday + 8 * DAY_S, 'week')
    expect(usageByModel(rows, buckets, 'week')[0]?.quota.slice(-2)).toEqual([700, 0])
  })

  it('are at least seven, ending at the newest', () => {
    const now = at('2026-11-23T10:20:00Z')
    for (const [by, step] of [
      ['hour', HOUR_S],
      ['day', DAY_S],
      ['week', 7 * DAY_S],
    ] as const) {
      const buckets = bucketsBetween(now, now, by)
      expect(buckets).toHaveLength(7)
      expect(buckets.at(-1)?.at).toBe(startOf(now, by))
      expect((buckets.at(-1)?.at ?? 0) - (buckets[0]?.at ?? 0)).toBe(6 * step)
    }
  })

  it('are as long as the day is where clocks are put forward or back', () => {
    inZone('Europe/Berlin')
    const autumn = startOf(at('2026-10-25T12:00:00Z'), 'day')
    expect(stepFrom(autumn, 'day', 1) - autumn).toBe(25 * HOUR_S)
    const spring = startOf(at('2026-03-29T12:00:00Z'), 'day')
    expect(stepFrom(spring, 'day', 1) - spring).toBe(23 * HOUR_S)
    expect(midnights(at('2026-10-26T01:00:00Z'))).toEqual({
      today: at('2026-10-25T23:00:00Z'),
      yesterday: at('2026-10-24T22:00:00Z'),
    })
  })

  it('begin at the half hour where zones do', () => {
    inZone('Asia/Kolkata')
    expect(labelOf(at('2026-11-23T10:00:00Z'), 'hour')).toBe('11-23 15:30')
  })
})

describe('the range (docs/reference/dashboard.md#range)', () => {
  const filter = (by: DashboardFilter['by']): DashboardFilter => ({
    range: undefined,
    start: undefined,
    end: undefined,
    by,
    username: '',
  })

  it('is a day, a week or thirty days back by the granularity, and never too long for one’s own usage', () => {
    const now = 1_795_230_000
    expect(rangeOf(filter('hour'), now)).toEqual({ from: now - DAY_S, to: now })
    expect(rangeOf(filter('day'), now)).toEqual({ from: now - 7 * DAY_S, to: now })
    expect(rangeOf(filter('week'), now)).toEqual({ from: now - 2_592_000, to: now })
  })

  it('is named by days and months of the local calendar, or by its length', () => {
    inZone('Europe/Berlin')
    const now = at('2026-10-26T12:00:00Z')
    const named = (range: DashboardFilter['range']) => rangeOf({ ...filter('hour'), range }, now)
    expect(named('today')).toEqual({ from: at('2026-10-25T23:00:00Z'), to: now })
    // A day of 25 hours.
    expect(named('yesterday')).toEqual({ from: at('2026-10-24T22:00:00Z'), to: at('2026-10-25T22:59:59Z') })
    expect(named('days7')).toEqual({ from: now - 7 * DAY_S, to: now })
    expect(named('month')).toEqual({ from: at('2026-09-30T22:00:00Z'), to: now })
    const last = at('2026-10-31T22:00:00Z')
    expect(rangeOf({ ...filter('hour'), range: 'month' }, last)).toEqual({ from: last - 2_592_000, to: last })
    expect(rangeOf({ ...filter('hour'), start: 5 }, now)).toEqual({ from: 5, to: now })
  })

  it('is by minute if it is a quarter of an hour, an hour, or chosen and at most three hours', () => {
    const now = 1_795_230_000
    const by = (part: Partial<DashboardFilter>) => fitting({ ...filter('hour'), ...part }, now).by
    expect([by({ range: 'quarter' }), by({ range: 'hour' }), by({ by: 'minute' })]).toEqual(Array(3).fill('minute'))
    expect([by({ range: 'day', by: 'minute' }), by({ range: 'today', by: 'minute' })]).toEqual(['hour', 'hour'])
    const start = now - 3 * HOUR_S
    expect([by({ start, by: 'minute' }), by({ start: start - 1, by: 'minute' }), by({ start })]).toEqual([
      'minute',
      'hour',
      'hour',
    ])
  })

  it('is the usual one of a granularity that does not fit it', () => {
    expect(withGranularity({ ...filter('hour'), range: 'yesterday' }, 'minute')).toEqual(filter('minute'))
    expect(withGranularity({ ...filter('minute'), range: 'hour' }, 'day')).toEqual(filter('day'))
    expect(withGranularity({ ...filter('hour'), range: 'yesterday' }, 'day').range).toBe('yesterday')
  })

  it('of a few points is by minute up to three hours', () => {
    const first = startOf(1_795_230_000, 'hour')
    expect(zoomed(filter('hour'), first, first + 2 * HOUR_S)).toMatchObject({ start: first, by: 'minute' })
    expect(zoomed(filter('hour'), first, first + 3 * HOUR_S)).toMatchObject({ start: first, by: 'hour' })
    expect(zoomed(filter('minute'), first, first + 60)).toMatchObject({ start: first, end: first + 119, by: 'minute' })
  })

  it('is in the address, unless it is the default', () => {
    const shown = { range: undefined, start: 5, end: 9, by: 'week', username: 'bob' } as const
    expect(readFilter(addressOf(shown, 'hour'), 'hour')).toEqual(shown)
    expect(addressOf(filter('day'), 'day').toString()).toBe('')
    expect(addressOf({ ...filter('day'), range: 'yesterday' }, 'day').toString()).toBe('range=yesterday')
    expect(readFilter(new URLSearchParams('range=yesterday'), 'day')).toEqual({ ...filter('day'), range: 'yesterday' })
    expect(readFilter(new URLSearchParams('by=month&from=x&to=-1'), 'day')).toEqual(filter('day'))
  })
})

describe('the file for spreadsheets', () => {
  it('quotes names made up by others, and makes none of them a formula', () => {
    inZone('UTC')
    const rows = [
      row(at('2026-11-23T10:00:00Z'), { model_name: '=1+1', username: 'a,"b"' }),
      row(at('2026-11-23T11:00:00Z'), { model_name: '@sum\nx' }),
    ]
    expect(csvOf(rows)).toBe(
      '\ufefftime,username,model,requests,tokens,quota\r\n' +
        `2026-11-23 10:00:00,"a,""b""",'=1+1,1,10,100\r\n` +
        `2026-11-23 11:00:00,,"'@sum\nx",1,10,100\r\n`,
    )
  })
})
