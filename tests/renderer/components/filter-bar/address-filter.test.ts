import { expect, it } from 'vitest'
import { filterIn } from '../../../../renderer/components/filter-bar/use-address-filter.ts'

it('a filter is read from an address; missing and invalid members have their defaults', () => {
  const defaults = { keyword: '', type: -1, status: 0 }
  const read = (text: string) => filterIn(new URLSearchParams(text), defaults)
  expect(read('')).toEqual(defaults)
  expect(read('keyword=%20main%20&type=14&status=3&page=2')).toEqual({ keyword: 'main', type: 14, status: 3 })
  expect(read('keyword=&type=x&status=-1')).toEqual(defaults)
})
