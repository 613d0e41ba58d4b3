import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../../../renderer/pages/setting/pricing/option-texts.ts'
import {
  editsOf,
  noDrafts,
  reverted,
  rowOf,
  withoutModels,
  withTexts,
  wrongIn,
} from '../../../../../renderer/pages/setting/pricing/price-draft.ts'
import { jsonCodec, priceCodec, priceMaps } from '../../../../../renderer/pages/setting/pricing/price-table.ts'
import { conflictsOf, editsBetween } from '../../../../../renderer/pages/setting/pricing/three-way.ts'

const stored = {
  ModelPrice: '{"dall-e-3":0.04}',
  ModelRatio: '{"gpt-4o":1.25,"free":0}',
  CompletionRatio: '{"gpt-4o":4}',
  CacheRatio: '{"gpt-4o":0.5}',
  CreateCacheRatio: '{}',
  ImageRatio: '{}',
  AudioRatio: '{}',
  AudioCompletionRatio: '{}',
}
const table = priceCodec.read(stored)
const typing = (model: string, texts: object) => withTexts(noDrafts, table, new Map([[model, texts]]))

describe('prices as they are typed (docs/reference/screens.md#pricing-editors)', () => {
  it('shows 0 as a value', () => {
    expect(table.get('free')).toEqual({ ModelRatio: 0 })
    expect(rowOf({ base: undefined, texts: { ...blank, ModelRatio: '0' } })).toEqual({ ModelRatio: 0 })
  })

  it('clears the ratios of a model with a price per request, and the price of one without it', () => {
    const fixed = typing('gpt-4o', { ModelPrice: '0.1' })
    expect(editsOf(fixed).get('gpt-4o')?.mine).toEqual({ ModelPrice: 0.1 })
    const byToken = typing('dall-e-3', { ModelPrice: '', ModelRatio: '2' })
    expect(editsOf(byToken).get('dall-e-3')?.mine).toEqual({ ModelRatio: 2 })
  })

  it('is no longer a draft once everything is as before', () => {
    const drafts = typing('gpt-4o', { ModelRatio: '2' })
    expect(drafts.size).toBe(1)
    expect(withTexts(drafts, table, new Map([['gpt-4o', { ModelRatio: '1.25' }]])).size).toBe(0)
    expect(reverted(drafts, 'gpt-4o').size).toBe(0)
  })

  it('deletes stored entries, and drops those that never were stored', () => {
    const added = withTexts(noDrafts, table, new Map([['new', { ModelRatio: '1' }]]))
    expect(withoutModels(added, table, ['new', 'free'])).toEqual(
      new Map([['free', { base: { ModelRatio: 0 }, texts: null }]]),
    )
  })

  it('reports invalid numbers, but not those that do not count', () => {
    expect(wrongIn({ ...blank, ModelRatio: 'abc', CacheRatio: '-1' })).toEqual(['ModelRatio', 'CacheRatio'])
    expect(wrongIn({ ...blank, ModelPrice: '1', ModelRatio: 'abc' })).toEqual([])
  })

  it('preserves the hidden digits of values that were not typed', () => {
    const exact = priceCodec.read({ ModelRatio: '{"m":0.123456789012345}' })
    const drafts = withTexts(noDrafts, exact, new Map([['m', { CompletionRatio: '2' }]]))
    expect(editsOf(drafts).get('m')?.mine).toEqual({ ModelRatio: 0.123456789012345, CompletionRatio: 2 })
  })
})

describe('saving prices at the same time as others (docs/reference/screens.md#pricing-editors)', () => {
  const edits = editsOf(typing('gpt-4o', { ModelRatio: '2' }))

  it('preserves changes to other models, in the maps as they are stored now', () => {
    const now = { ...stored, ModelRatio: '{"gpt-4o":1.25,"free":0,"theirs":3}', CompletionRatio: '{}' }
    // Another client's change to a model that we have not edited is no conflict.
    expect(conflictsOf(edits, priceCodec.read({ ...stored, ModelRatio: now.ModelRatio }))).toEqual([])
    const written = priceCodec.write({ ...stored, ModelRatio: now.ModelRatio }, edits)
    expect(JSON.parse(written.ModelRatio ?? '')).toEqual({ 'gpt-4o': 2, free: 0, theirs: 3 })
  })

  it('writes only the maps that change', () => {
    const changes = changesBetween(priceMaps, stored, priceCodec.write(stored, edits))
    expect(changes.map(({ key }) => key)).toEqual(['ModelRatio'])
  })

  it('reports a model that was changed to something else meanwhile, with both values', () => {
    const now = priceCodec.read({ ...stored, CompletionRatio: '{"gpt-4o":3}' })
    expect(conflictsOf(edits, now)).toMatchObject([
      { name: 'gpt-4o', mine: { ModelRatio: 2, CompletionRatio: 4 }, now: { ModelRatio: 1.25, CompletionRatio: 3 } },
    ])
  })

  it('finds the models that differ between two texts', () => {
    const mine = priceCodec.read({ ...stored, ModelRatio: '{"free":0,"new":1}' })
    expect(editsBetween(table, mine)).toEqual(
      new Map([
        ['gpt-4o', { base: table.get('gpt-4o'), mine: { CompletionRatio: 4, CacheRatio: 0.5 } }],
        ['new', { base: undefined, mine: { ModelRatio: 1 } }],
      ]),
    )
  })

  it('takes any name of a model', () => {
    const odd = priceCodec.read({ ModelRatio: '{"toString":1,"constructor":2}' })
    expect([...odd.keys()]).toEqual(['toString', 'constructor'])
  })
})

const blank = {
  ModelPrice: '',
  ModelRatio: '',
  CompletionRatio: '',
  CacheRatio: '',
  CreateCacheRatio: '',
  ImageRatio: '',
  AudioRatio: '',
  AudioCompletionRatio: '',
  PriceSteps: [],
}

describe('steps of long prompts and factors of tiers (docs/reference/screens.md#pricing-editors)', () => {
  const step = { above: 200_000, input: 2, output: 1.5 }
  const withSteps = { ...stored, PriceSteps: JSON.stringify({ 'gpt-4o': [step], other: [step] }) }

  it('are rows of the JSON texts, tiers under their own names, which are not models of the list', () => {
    const texts = { ...withSteps, ServiceTierRatio: '{"flex":0.5,"gpt-4o:fast":6}' }
    const mine = { ...texts, ServiceTierRatio: '{"flex":0.4,"gpt-4o:fast":6}', PriceSteps: '{}' }
    const edits = editsBetween(jsonCodec.read(texts), jsonCodec.read(mine))
    expect([...edits.keys()].sort()).toEqual(['flex', 'gpt-4o', 'other'])
    expect(changesBetween(jsonCodec.keys, texts, jsonCodec.write(texts, edits))).toEqual([
      { key: 'PriceSteps', value: '{}', base: texts.PriceSteps },
      { key: 'ServiceTierRatio', value: mine.ServiceTierRatio, base: texts.ServiceTierRatio },
    ])
    expect([...priceCodec.read(texts).keys()]).not.toContain('flex')
  })

  it('stay when another number of the model is typed, and are removed with a price per request', () => {
    const withTable = priceCodec.read(withSteps)
    const editOf = (texts: object) =>
      editsOf(withTexts(noDrafts, withTable, new Map([['gpt-4o', texts]]))).get('gpt-4o')?.mine
    expect(editOf({ ModelRatio: '2' })).toEqual({
      ModelRatio: 2,
      CompletionRatio: 4,
      CacheRatio: 0.5,
      PriceSteps: [step],
    })
    expect(editOf({ ModelPrice: '1' })).toEqual({ ModelPrice: 1 })
    expect(editOf({ PriceSteps: [] })).toEqual({ ModelRatio: 1.25, CompletionRatio: 4, CacheRatio: 0.5 })
    expect(editOf({ PriceSteps: [{ ...step }] })).toBeUndefined()
  })

  it('of one model require a decision where they were changed elsewhere meanwhile', () => {
    const base = priceCodec.read(withSteps)
    const now = priceCodec.read({ ...withSteps, PriceSteps: JSON.stringify({ 'gpt-4o': [{ ...step, input: 3 }] }) })
    const edits = editsOf(withTexts(noDrafts, base, new Map([['gpt-4o', { ModelRatio: '2' }]])))
    expect(conflictsOf(edits, now).map(({ name }) => name)).toEqual(['gpt-4o'])
  })
})
