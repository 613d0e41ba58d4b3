import { describe, expect, it } from 'vitest'
import { findModels } from '../../../../renderer/pages/pricing/find-models.ts'
import { vendorOfModel } from '../../../../renderer/pages/pricing/model-vendor.ts'
import { hasPrice, inOrder, modelsFor, priceIn, stepsIn } from '../../../../renderer/pages/pricing/priced-model.ts'
import { ratioIntent } from '../../../../renderer/pages/pricing/ratio-intent.ts'
import type { ListedPrice, PriceFacts } from '../../../../shared/api/pricing.ts'

const listed = (model_name: string, more: Partial<ListedPrice> = {}): ListedPrice => ({
  model_name,
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  model_price: 0,
  owner_by: '',
  enable_groups: ['default'],
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  cache_creation_ratio_1h: 2,
  image_ratio: 1,
  audio_ratio: null,
  audio_completion_ratio: 1,
  audio_input_price: null,
  price_steps: [],
  web_search_price: { low: 30, medium: 35, high: 50 },
  unset: false,
  ...more,
})
const facts: PriceFacts = {
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: '', vip: '' },
  auto_groups: [],
  own_group: 'default',
  accepts_unset: false,
  quota_per_unit: 500_000,
  file_search_price: 2.5,
  code_container_price: 30,
}
const names = (models: readonly { model_name: string }[]) => models.map(({ model_name }) => model_name)

describe('the models of the pricing page (docs/reference/screens.md#pricing)', () => {
  it('are sorted with the available ones first, then gpt, then by name', () => {
    const vip = { enable_groups: ['vip'] }
    const models = [
      listed('zeta', vip),
      listed('claude-x'),
      listed('gpt-4o', vip),
      listed('gpt-5'),
      listed('Alpha'),
      listed('gpt-4o-mini'),
      listed('new', { unset: true }),
    ]
    const sorted = modelsFor(models, facts, 'default')
    expect(names(sorted)).toEqual(['gpt-4o-mini', 'gpt-5', 'Alpha', 'claude-x', 'gpt-4o', 'new', 'zeta'])
    expect(sorted.map(({ availability }) => availability)).toEqual([
      ...Array(4).fill('available'),
      'otherGroup',
      'unpriced',
      'otherGroup',
    ])
    expect(names(modelsFor(models, facts, 'vip'))[0]).toBe('gpt-4o')
    expect(modelsFor(models, { ...facts, accepts_unset: true }, 'default')[4]).toMatchObject({ model_name: 'new' })
  })

  it('have no price, and come after all that have one, where none is set', () => {
    const models = [
      listed('new', { unset: true, model_ratio: 37.5 }),
      listed('call', { quota_type: 1, model_price: 1 }),
      listed('gpt-4o'),
    ]
    const shown = modelsFor(models, facts, 'default')
    for (const order of ['cheap', 'dear'] as const)
      expect(names(inOrder(shown, order))).toEqual(['gpt-4o', 'call', 'new'])
    expect(shown.map(hasPrice)).toEqual([true, true, false])
    expect(modelsFor(models, { ...facts, accepts_unset: true }, 'default').every(hasPrice)).toBe(true)
  })

  it('are found by letters in their order, the available ones first', () => {
    const models = modelsFor(
      [listed('gpt-4o-mini'), listed('gpt-4o'), listed('claude-sonnet-4'), listed('gpt-4o-old', { enable_groups: [] })],
      facts,
      'default',
    )
    expect(names(findModels(models, 'g4o'))).toEqual(['gpt-4o', 'gpt-4o-mini', 'gpt-4o-old'])
    expect(names(findModels(models, 'sonnet'))).toEqual(['claude-sonnet-4'])
    expect(names(findModels(models, 'CLAUDE 4'))).toEqual(['claude-sonnet-4'])
    expect(findModels(models, '  ')).toBe(models)
    expect(findModels(models, 'zzz')).toEqual([])
  })

  it('cost their ratios times the group’s', () => {
    expect(priceIn(listed('m'), 0.5, 500_000)).toMatchObject({
      perMillion: { input: 1.25, output: 5, cacheRead: 0.625 },
    })
    expect(priceIn(listed('m', { quota_type: 1, model_price: 0.04 }), 0.5, 500_000)).toEqual({ perCall: 0.02 })
  })

  it('cost the factors of a step more where the prompt is long', () => {
    const price_steps = [
      { above: 1000, input: 2, output: 1.5 },
      { above: 5000, input: 0, output: 2 },
    ]
    expect(stepsIn(listed('m', { price_steps }), 0.5, 500_000)).toEqual([
      { above: 1000, input: 2.5, output: 7.5 },
      { above: 5000, input: 0, output: 0 },
    ])
    expect(stepsIn(listed('m'), 1, 500_000)).toEqual([])
  })

  it('are recognized by their maker, with any prefix of the name', () => {
    for (const [model, vendor] of [
      ['gpt-4o', 'openai'],
      ['o3-mini', 'openai'],
      ['text-embedding-3-small', 'openai'],
      ['text-embedding-004', 'gemini'],
      ['anthropic/claude-sonnet-4', 'anthropic'],
      ['Qwen/Qwen2.5-72B-Instruct', 'ali'],
      ['deepseek-ai/DeepSeek-V3', 'deepseek'],
      ['ERNIE-4.0-8K', 'baidu'],
      ['SparkDesk-v4.0', 'xunfei'],
      ['my-own-model', undefined],
      ['', undefined],
    ] as const)
      expect(vendorOfModel(model), model).toBe(vendor)
  })

  it('are in groups whose colour shows the ratio', () => {
    const colours = [0, 1, 1.01, 3, 3.5, 5, 5.1].map(ratioIntent)
    expect(colours).toEqual(['success', 'success', 'primary', 'primary', 'warning', 'warning', 'danger'])
  })
})
