import { describe, expect, it } from 'vitest'
import { dateAt, formatShortTime, formatTime, parseTime } from '../../../renderer/components/date-time.ts'

const secondsOf = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime() / 1000
const now = new Date(2026, 10, 21, 12)

describe('a time in a table', () => {
  it('of this year goes without its year', () => {
    expect(formatShortTime(secondsOf(2026, 0, 5, 9, 3, 7), now)).toBe('01-05 09:03:07')
  })

  it('of another year goes without its seconds', () => {
    expect(formatShortTime(secondsOf(2100, 0, 1, 0, 0, 0), now)).toBe('2100-01-01 00:00')
    expect(formatShortTime(secondsOf(2025, 11, 31, 23, 59, 59), now)).toBe('2025-12-31 23:59')
  })

  it('is complete elsewhere (docs/reference/screens.md#formats-and-colors)', () => {
    expect(formatTime(secondsOf(2026, 0, 5, 9, 3, 7))).toBe('2026-01-05 09:03:07')
  })

  it('that is too far ahead for a date is the last one', () => {
    expect(formatTime(9e15)).toMatch(/^275760-09-1/)
    expect(dateAt(9e15).toISOString()).toMatch(/^\+275760-09-1/)
  })

  it('is read back as it was written, with a year of more digits, too', () => {
    for (const seconds of [secondsOf(2026, 0, 5, 9, 3, 7), secondsOf(33_658, 5, 1, 0, 0, 1)])
      expect(parseTime(formatTime(seconds))).toBe(seconds)
  })
})
