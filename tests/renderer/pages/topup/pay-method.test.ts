import { expect, it } from 'vitest'
import { intentOf, usableMethods } from '../../../../renderer/pages/topup/pay-method.ts'

it.each([
  ['zfb', 'green', 'success'],
  ['wx', 'blue', 'primary'],
  ['usdt', 'red', 'danger'],
  ['usdt', 'orange', 'warning'],
  ['zfb', undefined, 'primary'],
  ['wx', undefined, 'success'],
  ['usdt', 'rgb(1, 2, 3)', 'primary'],
])('the button of %s, set to be %s, is %s (docs/reference/screens.md#wallet)', (type, color, intent) => {
  expect(intentOf({ name: 'Any', type, color })).toBe(intent)
})

it('a payment method needs a name and a type', () => {
  const alipay = { name: 'Alipay', type: 'zfb' }
  expect(usableMethods([alipay, { name: '', type: 'wx' }, { name: 'WeChat', type: '' }])).toEqual([alipay])
})
