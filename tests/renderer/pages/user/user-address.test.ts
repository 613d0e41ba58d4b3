import { expect, it } from 'vitest'
import { addressOf, noFilter, readAddress } from '../../../../renderer/pages/user/user-address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))

it('says no more than what a first visit does not show', () => {
  expect(addressOf(read('')).toString()).toBe('')
  expect(addressOf(read('page=1&keyword=')).toString()).toBe('')
})

it('reads what it has written', () => {
  const shown = {
    filter: { keyword: 'a & b', group: 'vip', role: 'admin', status: 'banned' },
    index: 2,
    size: 50,
  } as const
  expect(readAddress(addressOf(shown))).toEqual(shown)
})

it('takes what makes no sense for a first visit', () => {
  expect(read('page=-3&size=x&role=king&status=0')).toEqual({ filter: noFilter, index: 0, size: undefined })
})
