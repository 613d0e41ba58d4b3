import { describe, expect, it } from 'vitest'
import { hoursOf } from '../../../../renderer/pages/home/dashboard/dashboard-filter.ts'

const HOUR_S = 3600
const now = 1_700_000_000 // 22:13:20
const hour = now - (now % HOUR_S)
const filter = { range: undefined, start: undefined, end: undefined, by: 'hour', username: '' } as const

describe('the hours of the log that a summary is made of (docs/reference/dashboard.md#range)', () => {
  it('are those that begin in the range, to their last second', () => {
    expect(hoursOf(filter, now)).toEqual({ from: hour - 23 * HOUR_S, to: undefined })
    expect(hoursOf({ ...filter, start: hour - HOUR_S, end: hour }, now)).toEqual({
      from: hour - HOUR_S,
      to: hour + HOUR_S - 1,
    })
    expect(hoursOf({ ...filter, start: hour - 1, end: hour - 1 }, now)).toEqual({ from: hour, to: hour - 1 })
  })
})
