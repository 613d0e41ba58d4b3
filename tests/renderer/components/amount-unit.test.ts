import { expect, it } from 'vitest'
import { signed } from '../../../renderer/components/quota-input/use-amount-unit.ts'
import { priceOfQuota, quotaOfPrice } from '../../../shared/money.ts'

const dollars = signed({
  id: 'price',
  isPrice: true,
  isUsable: true,
  sign: '$',
  title: '',
  read: (text) => quotaOfPrice(text, 500_000),
  write: (quota) => priceOfQuota(quota, 500_000),
  name: (quota) => `$${priceOfQuota(quota, 500_000)}`,
})

it.each([
  ['-1.50', -750_000],
  ['− 2', -1_000_000],
  ['-0', 0],
  ['3', 1_500_000],
  ['--3', undefined],
  ['-', undefined],
])('an amount that may be below zero is read: %s', (text, quota) => {
  expect(dollars.read(text)).toBe(quota)
})

it('is written as it is read, the sign before the dollar', () => {
  for (const quota of [-1, -750_000, 0, 4]) expect(dollars.read(dollars.write(quota))).toBe(quota)
  expect(dollars.name(-750_000)).toBe('-$1.50')
})
