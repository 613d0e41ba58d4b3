import { expect, it } from 'vitest'
import { rangeTo } from '../../../renderer/components/page-table/list-view.ts'

it('a press with Shift reaches from the last press to this one, in either direction', () => {
  const keys = [4, 9, 2, 7]
  expect(rangeTo([7], { keys, last: { current: 9 } })).toEqual([9, 2, 7])
  expect(rangeTo([4], { keys, last: { current: 2 } })).toEqual([4, 9, 2])
  expect(rangeTo([2], { keys, last: { current: undefined } })).toEqual([2])
  expect(rangeTo([2], { keys, last: { current: 100 } })).toEqual([2])
})
