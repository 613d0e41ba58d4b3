import { expect, it } from 'vitest'
import { coloursOf } from '../../../renderer/components/chart/model-colours.ts'

it('a model has the same colour in every chart, and no two in one chart have the same', () => {
  const names = Array.from({ length: 18 }, (_, index) => `vendor/model-${index}`)
  const colours = coloursOf(['gpt-4o', ...names, 'o3-mini'])
  expect(new Set(colours.values()).size).toBe(20)
  expect(colours.get('gpt-4o')).toBe(0)
  const [alone] = coloursOf(['vendor/model-3']).values()
  expect(coloursOf(['gpt-4o', 'vendor/model-3']).get('vendor/model-3')).toBe(alone)
})

it('short names use the ten most distinct colours; the twenty-first has no colour', () => {
  const few = ['abc', 'model', 'my-model-1'].map((name) => coloursOf([name]).get(name))
  expect(few.every((index) => index !== undefined && index < 10)).toBe(true)
  const many = Array.from({ length: 25 }, (_, index) => `m${index}`)
  expect(coloursOf(many).size).toBe(20)
})
