import { expect, it } from 'vitest'
import { addressOf, noFilter, readAddress } from '../../../../renderer/pages/user/user-address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))

it('contains only differences from a first visit', () => {
  expect(addressOf(read('')).toString()).toBe('')
  expect(addressOf(read('page=1&keyword=')).toString()).toBe('')
})

it('is read back as it was written', () => {
  const shown = {
    filter: { keyword: 'a & b', group: 'vip', role: 'admin', status: 'banned', sort: '-quota' },
    index: 2,
    size: 50,
  } as const
  expect(readAddress(addressOf(shown))).toEqual(shown)
})

it('ignores invalid values', () => {
  expect(read('page=-3&size=x&role=king&status=0')).toEqual({ filter: noFilter, index: 0, size: undefined })
})
