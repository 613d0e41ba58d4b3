import { expect, it } from 'vitest'
import { rangeText } from '../../../../renderer/components/time-range/range-text.ts'

const at = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).getTime() / 1000
const now = new Date(2026, 10, 21, 12)

it('names the day once where both ends share it, and the year where it is another', () => {
  expect(rangeText(at(2026, 11, 21), at(2026, 11, 21, 13, 5), now)).toBe('11-21 00:00 – 13:05')
  expect(rangeText(at(2026, 11, 14), at(2026, 11, 21, 13), now)).toBe('11-14 00:00 – 11-21 13:00')
  expect(rangeText(at(2025, 12, 31), at(2026, 1, 1), now)).toBe('2025-12-31 00:00 – 01-01 00:00')
})

it('shows an open end', () => {
  expect(rangeText(undefined, at(2026, 11, 21), now)).toBe('… – 11-21 00:00')
  expect(rangeText(at(2026, 11, 21), undefined, now)).toBe('11-21 00:00 – …')
})
