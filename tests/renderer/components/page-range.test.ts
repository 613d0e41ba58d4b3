import { expect, it } from 'vitest'
import { pageRange } from '../../../renderer/components/page-table/page-range.ts'

const ten = Array.from({ length: 10 })

it('shows the rows of a page and the total', () => {
  const page = { size: 10, total: 21, isMore: false }
  expect(pageRange({ ...page, index: 0, rows: ten })).toEqual({ from: 1, to: 10, total: '21', isLast: false })
  expect(pageRange({ ...page, index: 2, rows: [1] })).toEqual({ from: 21, to: 21, total: '21', isLast: true })
})

it('shows that there are more than were counted, and continues to the end', () => {
  const page = { size: 10, total: 10_000, rows: ten }
  expect(pageRange({ ...page, isMore: true, index: 0 })).toMatchObject({ from: 1, total: '10,000+', isLast: false })
  expect(pageRange({ ...page, isMore: true, index: 999 })).toMatchObject({ to: 10_000, isLast: false })
  expect(pageRange({ ...page, isMore: true, index: 1200 })).toMatchObject({
    from: 12_001,
    total: '12,010+',
    isLast: false,
  })
  const end = { ...page, total: 12_013, isMore: false, index: 1201, rows: [1, 2, 3] }
  expect(pageRange(end)).toEqual({ from: 12_011, to: 12_013, total: '12,013', isLast: true })
})
