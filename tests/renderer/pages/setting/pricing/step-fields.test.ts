import { describe, expect, it } from 'vitest'
import { noTexts } from '../../../../../renderer/pages/setting/pricing/price-draft.ts'
import { entryOf, problemsOf, textsOfEntry } from '../../../../../renderer/pages/setting/pricing/price-entry.ts'
import { fieldsOf } from '../../../../../renderer/pages/setting/pricing/price-fields.ts'
import {
  following,
  stepFieldsOf,
  stepProblemsOf,
  stepsOf,
  withStep,
  withTyped,
} from '../../../../../renderer/pages/setting/pricing/step-fields.ts'

const of = { base: undefined, quotaPerUnit: 500_000, isTaken: () => false }
const texts = { ...noTexts, ModelRatio: '1.25', CompletionRatio: '4' }
const fields = fieldsOf(texts, of)
const stored = [
  { above: 1000, input: 2, output: 1.5 },
  { above: 5000, input: 1 / 3, output: 0 },
]
const typed = (above: string, input = '1', output = '1') => ({ id: 0, above, ratios: { input, output }, prices: none })
const none = { input: '', output: '' }

describe('steps of long prompts in the form of a model (docs/reference/screens.md#pricing-editors)', () => {
  it('show the dollars that result from their factors, and preserve every digit', () => {
    const steps = stepFieldsOf(stored, fields)
    expect(steps[0]).toMatchObject({ above: '1000', prices: { input: '5', output: '15' } })
    expect(stepsOf(steps)).toEqual(stored)
  })

  it('become factors of dollars, and keep the dollars when the price of short prompts changes', () => {
    const [step] = withStep([])
    if (!step) throw new Error('no step was added')
    const dollars = withTyped(step, 'price', { input: '5', output: '15' }, fields)
    expect(dollars.ratios).toEqual({ input: '2', output: '1.5' })
    const dearer = fieldsOf({ ...texts, ModelRatio: '2.5' }, of)
    expect(following([dollars], 'price', dearer)[0]).toMatchObject({
      prices: { input: '5', output: '15' },
      ratios: { input: '1', output: '0.75' },
    })
    expect(following([dollars], 'ratio', dearer)[0]?.prices).toEqual({ input: '10', output: '30' })
  })

  it('are whole tokens, each above more than the one before, with two numbers', () => {
    expect(stepProblemsOf(stepFieldsOf(stored, fields), 'ratio')).toBeUndefined()
    for (const above of ['', '0', '1.5', '-1', '100000001', 'many'])
      expect(stepProblemsOf([typed(above)], 'ratio')).toEqual([{ above: 'priceEditor.stepTokens' }])
    expect(stepProblemsOf([typed('7'), typed('7')], 'ratio')).toEqual([{}, { above: 'priceEditor.stepOrder' }])
    expect(stepProblemsOf([typed('7', '', 'x')], 'ratio')).toEqual([
      { input: 'price.batch_value', output: 'option.bad_number' },
    ])
  })

  it('in dollars need the prices of short prompts', () => {
    const bare = fieldsOf({ ...noTexts, ModelRatio: '0' }, of)
    const step = withTyped(typed('7'), 'price', { input: '1', output: '1' }, bare)
    expect(stepProblemsOf([step], 'price')).toEqual([
      { input: 'priceEditor.baseMissing', output: 'priceEditor.outputMissing' },
    ])
  })

  it('are part of the form’s result for a model priced per token, and not for one priced per request', () => {
    const entry = entryOf('m', { ...texts, PriceSteps: stored }, of)
    expect(textsOfEntry(entry).PriceSteps).toEqual(stored)
    expect(textsOfEntry({ ...entry, mode: 'request', perRequest: '1' }).PriceSteps).toEqual([])
    expect(problemsOf({ ...entry, steps: withStep(entry.steps) }, of).steps).toHaveLength(3)
    expect(problemsOf({ ...entry, mode: 'request', perRequest: '1', steps: withStep([]) }, of)).toEqual({})
  })
})
