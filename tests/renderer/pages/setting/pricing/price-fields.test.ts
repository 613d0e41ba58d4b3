import { describe, expect, it } from 'vitest'
import { noTexts, rowOf } from '../../../../../renderer/pages/setting/pricing/price-draft.ts'
import {
  type FieldsOf,
  fieldsOf,
  outputByName,
  priceProblem,
  withPrice,
  withRatio,
} from '../../../../../renderer/pages/setting/pricing/price-fields.ts'

const of: FieldsOf = { base: undefined, quotaPerUnit: 500_000 }
const empty = fieldsOf(noTexts, of)

describe('ratios and prices of one model (docs/reference/screens.md#pricing-editors)', () => {
  it('shows the resulting prices of the ratios while they are typed', () => {
    const input = withRatio(empty, 'ModelRatio', '1.25', of)
    const both = withRatio(input, 'CompletionRatio', '4', of)
    expect([both.prices.ModelRatio, both.prices.CompletionRatio, both.prices.CacheRatio]).toEqual(['2.5', '10', ''])
    expect(withRatio(both, 'ModelRatio', '2', of).prices.CompletionRatio).toBe('16')
  })

  it('shows the output price that follows from the name while none is entered', () => {
    const at = (price: string) => outputByName('gpt-4o', withPrice(empty, 'ModelRatio', price, of), of)
    expect([at('2.5'), at('3'), at('')].map(({ price }) => price)).toEqual(['10', '12', ''])
    expect(at('3').ratio).toBe('4')
  })

  it('makes ratios of prices, and leaves the other prices where they are', () => {
    const input = withPrice(empty, 'ModelRatio', '3', of)
    const output = withPrice(input, 'CompletionRatio', '15', of)
    expect([output.ratios.ModelRatio, output.ratios.CompletionRatio]).toEqual(['1.5', '5'])
    const dearer = withPrice(output, 'ModelRatio', '6', of)
    expect([dearer.ratios.CompletionRatio, dearer.prices.CompletionRatio]).toEqual(['2.5', '15'])
  })

  it('chains the price of audio output to that of audio input', () => {
    const input = withPrice(empty, 'ModelRatio', '2', of)
    const heard = withPrice(input, 'AudioRatio', '40', of)
    const next = withPrice(heard, 'AudioCompletionRatio', '80', of)
    expect([next.ratios.AudioRatio, next.ratios.AudioCompletionRatio]).toEqual(['20', '2'])
    expect(withRatio(next, 'AudioRatio', '10', of).prices.AudioCompletionRatio).toBe('40')
  })

  it('leads back to the very same price, also where the ratio has no end', () => {
    const input = withPrice(empty, 'ModelRatio', '0.3', of)
    const { ratios } = withPrice(input, 'CompletionRatio', '1', of)
    const base = rowOf({ base: undefined, texts: ratios })
    expect(fieldsOf(ratios, { ...of, base }).prices.CompletionRatio).toBe('1')
  })

  it('takes a ratio of 0, but makes no ratio of a price of 0 or over one', () => {
    expect(withRatio(empty, 'ModelRatio', '0', of).prices.ModelRatio).toBe('0')
    const nothing = withPrice(empty, 'ModelRatio', '0', of)
    expect(priceProblem('ModelRatio', nothing.prices)).toBe('zero')
    const output = withPrice(nothing, 'CompletionRatio', '1', of)
    expect(priceProblem('CompletionRatio', output.prices)).toBe('base')
    const free = withPrice(withPrice(empty, 'ModelRatio', '2', of), 'CompletionRatio', '0', of)
    expect(priceProblem('CompletionRatio', free.prices)).toBeUndefined()
    expect(free.ratios.CompletionRatio).toBe('0')
  })
})
