import { expect, it } from 'vitest'
import { bandOf, firstTokenSteps, responseTimeSteps, useTimeSteps } from '../../../renderer/components/band/bands.ts'
import { colourOf } from '../../../renderer/components/hash-tag/colour-of.ts'

it('the sum of the characters, modulo fifteen, names the colour of a tag (docs/reference/screens.md#formats-and-colors)', () => {
  expect(['', 'a', 'b', 'default', 'vip'].map(colourOf)).toEqual(['amber', 'lime', 'orange', 'light-blue', 'indigo'])
})

it('the limits of the colour bands (docs/reference/screens.md#formats-and-colors)', () => {
  const colours = [0, 1, 1000, 1001, 3000, 5000, 5001].map((ms) => bandOf(ms, responseTimeSteps))
  expect(colours).toEqual(['none', 'green', 'green', 'lime', 'lime', 'yellow', 'red'])
  expect([100, 101, 299, 300].map((seconds) => bandOf(seconds, useTimeSteps))).toEqual([
    'green',
    'orange',
    'orange',
    'red',
  ])
  expect([2.9, 3, 9.9, 10].map((seconds) => bandOf(seconds, firstTokenSteps))).toEqual([
    'green',
    'orange',
    'orange',
    'red',
  ])
})
