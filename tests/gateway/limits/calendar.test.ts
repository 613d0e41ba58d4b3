import { describe, expect, it } from 'vitest'
import { type CalendarWindow, calendarOf } from '../../../gateway/limits/calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const around = (zone: string, window: CalendarWindow, text: string) => {
  const { start, end } = calendarOf(zone).around(window, at(text))
  return [start, end].map((edge) => new Date(edge * 1000).toISOString().slice(0, 19))
}

describe('the windows of a calendar', () => {
  it('are a clock minute, a day, a week from Monday and a month', () => {
    expect(around('', 'minute', '2026-11-21T13:14:17Z')).toEqual(['2026-11-21T13:14:00', '2026-11-21T13:15:00'])
    expect(around('', 'day', '2026-11-21T13:14:17Z')).toEqual(['2026-11-21T00:00:00', '2026-11-22T00:00:00'])
    expect(around('', 'week', '2026-11-21T13:14:17Z')).toEqual(['2026-11-16T00:00:00', '2026-11-23T00:00:00'])
    expect(around('', 'month', '2026-11-21T13:14:17Z')).toEqual(['2026-11-01T00:00:00', '2026-12-01T00:00:00'])
    expect(around('', 'week', '2026-11-22T23:59:59Z')).toEqual(['2026-11-16T00:00:00', '2026-11-23T00:00:00'])
    expect(around('', 'week', '2026-11-23T00:00:00Z')).toEqual(['2026-11-23T00:00:00', '2026-11-30T00:00:00'])
    expect(around('', 'month', '2026-12-31T23:59:59Z')).toEqual(['2026-12-01T00:00:00', '2027-01-01T00:00:00'])
  })

  it('are those of the people there', () => {
    expect(around('Asia/Shanghai', 'day', '2026-11-21T17:00:00Z')).toEqual([
      '2026-11-21T16:00:00',
      '2026-11-22T16:00:00',
    ])
    expect(around('Asia/Kolkata', 'month', '2026-11-30T18:29:59Z')).toEqual([
      '2026-10-31T18:30:00',
      '2026-11-30T18:30:00',
    ])
    expect(around('America/Los_Angeles', 'week', '2026-11-23T07:59:59Z')).toEqual([
      '2026-11-16T08:00:00',
      '2026-11-23T08:00:00',
    ])
  })

  it('are an hour shorter or longer where the clocks change', () => {
    expect(around('Europe/Berlin', 'day', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-28T23:00:00',
      '2026-03-29T22:00:00',
    ])
    expect(around('Europe/Berlin', 'day', '2026-10-25T12:00:00Z')).toEqual([
      '2026-10-24T22:00:00',
      '2026-10-25T23:00:00',
    ])
    expect(around('Europe/Berlin', 'week', '2026-10-25T12:00:00Z')).toEqual([
      '2026-10-18T22:00:00',
      '2026-10-25T23:00:00',
    ])
    expect(around('America/New_York', 'month', '2026-03-20T12:00:00Z')).toEqual([
      '2026-03-01T05:00:00',
      '2026-04-01T04:00:00',
    ])
  })

  it('begin with the first instant of a date that has no midnight, or two', () => {
    // In Cairo clocks go from 24:00 to 01:00; in Havana, also from 01:00 back to 00:00.
    expect(around('Africa/Cairo', 'day', '2026-04-24T12:00:00Z')[0]).toBe('2026-04-23T22:00:00')
    expect(around('America/Havana', 'day', '2026-03-08T12:00:00Z')[0]).toBe('2026-03-08T05:00:00')
    expect(around('America/Havana', 'day', '2026-11-01T12:00:00Z')).toEqual([
      '2026-11-01T04:00:00',
      '2026-11-02T05:00:00',
    ])
  })

  it('leave no gap and never overlap, through a year of every kind of zone', () => {
    for (const zone of [
      'UTC',
      'Europe/Berlin',
      'America/Havana',
      'Africa/Cairo',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    ]) {
      const calendar = calendarOf(zone)
      for (const window of ['day', 'week', 'month'] as const) {
        let span = calendar.around(window, at('2026-01-01T12:00:00Z'))
        while (span.end < at('2027-01-02T00:00:00Z')) {
          const next = calendar.around(window, span.end)
          expect(next.start, `${zone} ${window}`).toBe(span.end)
          expect(calendar.around(window, span.end - 1), `${zone} ${window}`).toEqual(span)
          span = next
        }
      }
    }
  })

  it('are known by their names in any case, and by no other name', () => {
    expect(around('eUROPE/berlin', 'day', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-28T23:00:00',
      '2026-03-29T22:00:00',
    ])
    expect(() => calendarOf('Europe/Nowhere')).toThrow(RangeError)
  })

  it('write an instant as it is read there', () => {
    expect(calendarOf('Asia/Shanghai').write(at('2026-11-21T16:00:00Z'))).toBe('2026-11-22 00:00:00')
  })
})
