import { expect, it } from 'vitest'
import { formatCount, groupDigits } from '../../../renderer/components/count.tsx'

it('groups digits, and shortens from a million on', () => {
  const counts = [0, 999, 12_345, 999_999, 1_000_000, 14_234_567, 999_949_999, 999_950_000, 2_500_000_000]
  expect(counts.map(formatCount)).toEqual([
    ...['0', '999', '12,345', '999,999', '1.0 M', '14.2 M', '999.9 M', '1.0 B', '2.5 B'],
  ])
})

it('groups only the whole digits of an exact number', () => {
  expect(groupDigits('66010.5000001')).toBe('66,010.5000001')
  expect(groupDigits(-1_234_567)).toBe('-1,234,567')
})
