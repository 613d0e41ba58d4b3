import { expect, it } from 'vitest'
import { ageOf } from '../../../renderer/components/time-text/age.ts'

it.each([
  [-5, 0, 'minutes'],
  [59, 0, 'minutes'],
  [60, 1, 'minutes'],
  [3599, 59, 'minutes'],
  [3600, 1, 'hours'],
  [86_399, 23, 'hours'],
  [86_400, 1, 'days'],
  [400 * 86_400, 400, 'days'],
])('%i seconds are %i %s', (seconds, n, unit) => {
  expect(ageOf(seconds)).toEqual({ unit, n })
})
