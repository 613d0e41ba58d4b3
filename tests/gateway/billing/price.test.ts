import { describe, expect, it } from 'vitest'
import { createPriceBook, type PriceTables, UNSET_RATIO } from '../../../gateway/billing/price.ts'
import { completionRules } from '../../../shared/completion-rules.ts'
import { pricedName } from '../../../shared/priced-name.ts'

const tables: PriceTables = {
  modelPrice: { 'dall-e-3': 0.04, 'gpt-4-gizmo-*': 0.1, both: 0.5 },
  modelRatio: { 'gpt-4o': 1.25, both: 9, nothing: 0, 'gemini-2.5-pro-thinking-*': 0.6 },
  completionRatio: { both: 7 },
  cacheRatio: { 'gpt-4o': 0.5, 'dall-e-3': 0 },
  createCacheRatio: { both: 2, 'gpt-4o': 1.1 },
  imageRatio: { 'gpt-4o': 3 },
  audioRatio: { 'gpt-4o-audio-preview': 16, 'gpt-4o-mini-audio-preview': 66.67, 'gemini-2.0-flash-live': 7 },
  audioCompletionRatio: { 'gpt-4o-realtime': 2, 'tts-1': 0, 'tts-1-hd': 0.5 },
  groupRatio: { default: 1, vip: 0.5, gift: 0 },
  groupGroupRatio: { vip: { default: 0.9 }, gift: { vip: 0 } },
}
const book = (change: Partial<PriceTables> = {}) => createPriceBook({ ...tables, ...change }, completionRules)
const ask = { userGroup: 'default', usingGroup: 'default', acceptUnset: false }
const find = (model: string, more: Partial<typeof ask> = {}, change: Partial<PriceTables> = {}) =>
  book(change).find({ ...ask, ...more, model })

describe('looking a price up (docs/reference/billing.md#price-lookup)', () => {
  it('takes the price of a call before any ratio', () => {
    expect(find('both')).toMatchObject({ fixed: 0.5, unset: false })
    expect(find('gpt-4o')).toMatchObject({ fixed: null, modelRatio: 1.25 })
    expect(find('nothing')).toMatchObject({ fixed: null, modelRatio: 0, unset: false })
  })

  it('finds no price for an unknown model, and 37.5 where unset models are accepted', () => {
    expect(find('new-model')).toBeNull()
    expect(find('new-model', { acceptUnset: true })).toMatchObject({
      modelRatio: UNSET_RATIO,
      fixed: null,
      unset: true,
    })
    expect(find('gpt-4o', { acceptUnset: true })).toMatchObject({ modelRatio: 1.25, unset: false })
    expect(book().has('new-model')).toBe(false)
    expect(book().has('dall-e-3')).toBe(true)
  })

  it('returns the same result when repeated', () => {
    const prices = book()
    const asks = ['gpt-4o', 'new-model', 'both'].flatMap((model) =>
      [true, false].flatMap((acceptUnset) =>
        ['default', 'vip'].map((userGroup) => ({ ...ask, model, acceptUnset, userGroup })),
      ),
    )
    const first = asks.map((one) => prices.find(one))
    expect(asks.map((one) => prices.find(one))).toEqual(first)
    expect(asks.map((one) => book().find(one))).toEqual(first)
  })

  it('prices cache reads at 1 and cache writes at 1.25 unless set otherwise', () => {
    expect(find('gpt-4o')).toMatchObject({ cacheRatio: 0.5, cacheWriteRatio: 1.1 })
    expect(find('both')).toMatchObject({ cacheRatio: 1, cacheWriteRatio: 2 })
    expect(find('dall-e-3')).toMatchObject({ cacheRatio: 0, cacheWriteRatio: 1.25 })
  })

  it('prices a cache of an hour at exactly 1.6 times a cache of five minutes', () => {
    expect(find('dall-e-3')?.cacheWriteHourRatio).toBe(2)
    expect(find('gpt-4o')?.cacheWriteHourRatio).toBe(1.76)
    expect(find('both', {}, { createCacheRatio: { both: Number.MAX_VALUE } })?.cacheWriteHourRatio).toBe(
      Number.MAX_VALUE,
    )
  })

  it('prices images as text unless set otherwise', () => {
    expect(find('gpt-4o')).toMatchObject({ imageRatio: 3 })
    expect(find('both')).toMatchObject({ imageRatio: 1 })
  })

  it('replaces the ratio of the group by the exclusive one of the user’s group, also by 0', () => {
    expect(find('gpt-4o', { usingGroup: 'vip' })).toMatchObject({ groupRatio: 0.5, exclusiveRatio: null })
    expect(find('gpt-4o', { userGroup: 'vip' })).toMatchObject({ groupRatio: 0.9, exclusiveRatio: 0.9 })
    expect(find('gpt-4o', { userGroup: 'vip', usingGroup: 'vip' })).toMatchObject({ groupRatio: 0.5 })
    expect(find('gpt-4o', { userGroup: 'gift', usingGroup: 'vip' })).toMatchObject({ groupRatio: 0, exclusiveRatio: 0 })
    expect(find('gpt-4o', { usingGroup: 'gift' })).toMatchObject({ groupRatio: 0, exclusiveRatio: null })
    expect(find('gpt-4o', { usingGroup: 'unheard-of' })).toMatchObject({ groupRatio: 1 })
  })

  it('folds families into the name they are priced under', () => {
    for (const [model, name] of [
      ['gpt-4-gizmo-g-abc', 'gpt-4-gizmo-*'],
      ['gpt-4o-gizmo-x', 'gpt-4o-gizmo-*'],
      ['gemini-2.5-flash-lite-preview-thinking-1024', 'gemini-2.5-flash-lite-thinking-*'],
      ['gemini-2.5-flash-preview-04-17-thinking-8192', 'gemini-2.5-flash-thinking-*'],
      ['gemini-2.5-pro-preview-thinking-128', 'gemini-2.5-pro-thinking-*'],
      ['gemini-2.5-pro', 'gemini-2.5-pro'],
      ['my-gpt-4-gizmo', 'my-gpt-4-gizmo'],
    ] as const)
      expect(pricedName(model)).toBe(name)
    expect(find('gpt-4-gizmo-anything')).toMatchObject({ fixed: 0.1, model: 'gpt-4-gizmo-*' })
    expect(find('gemini-2.5-pro-preview-thinking-9')).toMatchObject({ modelRatio: 0.6 })
  })

  it('is not fooled by names every object knows', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(find(name), name).toBeNull()
      expect(book().has(name), name).toBe(false)
      const unset = find(name, { acceptUnset: true, userGroup: name, usingGroup: name })
      expect(unset).toMatchObject({ modelRatio: UNSET_RATIO, completionRatio: 1, cacheRatio: 1, groupRatio: 1 })
      expect(unset).toMatchObject({ cacheWriteRatio: 1.25, imageRatio: 1, audioRatio: null, exclusiveRatio: null })
    }
  })
})

describe('the completion ratio (docs/reference/billing.md#built-in-prices)', () => {
  const ratioOf = (model: string, completionRatio: Record<string, number> = {}) =>
    find(model, { acceptUnset: true }, { completionRatio })?.completionRatio

  it('is the operator’s entry if there is one, regardless of the rules', () => {
    for (const model of ['gpt-4o', 'o1-mini', 'claude-3-opus', 'gemini-2.5-pro', 'gpt-3.5-turbo', 'unknown'])
      for (const ratio of [0, 0.5, 42]) expect(ratioOf(model, { [model]: ratio }), model).toBe(ratio)
  })

  it('follows the first matching rule where the operator has no entry, else 1', () => {
    for (const [model, ratio] of [
      ['gpt-4o-2024-05-13', 3],
      ['gpt-4o-mini-tts', 20],
      ['gpt-4o-mini', 4],
      ['gpt-4o-all', 2],
      ['gpt-4-gizmo-xyz', 2],
      ['gpt-4.1-nano', 4],
      ['gpt-4-turbo-preview', 3],
      ['gpt-4-32k', 2],
      ['gpt-5.4-nano-x', 6.25],
      ['gpt-5.1', 8],
      ['gpt-5.3-codex', 8],
      ['gpt-5.5-pro', 6],
      ['gpt-5.6', 5],
      ['gpt-5.6-sol', 5],
      ['gpt-5.6-luna', 6],
      ['gpt-6.1-terra', 5],
      ['gpt-7-sol', 5],
      ['gpt-realtime-2.1', 6],
      ['gpt-realtime-2.1-mini', 4],
      ['gpt-realtime-1.5', 4],
      ['gpt-audio-mini', 4],
      ['gpt-5-mini', 8],
      ['o3-mini', 4],
      ['claude-3-7-sonnet', 5],
      ['anthropic/claude-sonnet-4', 5],
      ['claude-2.1', 3],
      ['claude-fable-5-2', 5],
      ['claude-mythos-6', 5],
      ['us.anthropic.claude-opus-6', 5],
      ['claude-sonnet-5-5', 5],
      ['claude-haiku-6', 5],
      ['gpt-3.5-turbo-0125', 3],
      ['gpt-3.5-turbo-1106', 2],
      ['gpt-3.5-turbo-16k', 1.3333333333],
      ['gemini-2.5-flash-preview-x-nothinking', 4],
      ['gemini-2.5-flash-preview-x', 23.3333333333],
      ['gemini-3-pro-image-preview', 60],
      ['gemini-3.1-pro-preview', 6],
      ['gemini-3.5-flash-lite', 8.3333333333],
      ['gemini-3.5-flash', 6],
      ['gemini-3.8-flash', 5],
      ['gemini-3.9-pro', 6],
      ['gemini-1.0-pro', 4],
      ['mistral-medium-2604', 5],
      ['mistral-large-2512', 3],
      ['command-r-plus', 5],
      ['DeepSeek-Chat', 4],
      ['deepseek-v5', 4],
      ['grok-5', 3],
      ['kimi-k4', 5],
      ['glm-5.3', 3.1428571429],
      ['MiniMax-M4', 4],
      ['ERNIE-Speed-8K', 2],
      ['llama3-70b-8192', 1.3389830508],
      ['whatever', 1],
      ['', 1],
    ] as const)
      expect(ratioOf(model), model).toBe(ratio)
  })
})

describe('the price of sound (docs/reference/billing.md#audio)', () => {
  const audioOf = (model: string, change: Partial<PriceTables> = {}) => {
    const price = find(model, { acceptUnset: true }, change)
    return [price?.audioRatio, price?.audioCompletionRatio, price?.audioInputPrice]
  }

  it('is the operator’s, of the model or of the longest name it begins with', () => {
    expect(audioOf('gpt-4o-audio-preview')).toEqual([16, 2, null])
    expect(audioOf('gpt-4o-audio-preview-2024-12-17')).toEqual([16, 2, null])
    expect(audioOf('gpt-4o-mini-audio-preview')).toEqual([66.67, 2, null])
    expect(audioOf('tts-1-1106')).toEqual([20, 0, null])
    expect(audioOf('tts-1-hd-1106')).toEqual([20, 0.5, null])
    expect(audioOf('my-model', { audioRatio: { 'my-': 3, my: 9, '': 4 } })).toEqual([3, 2, null])
  })

  it('is that of the rules where the name reveals the kind of model', () => {
    for (const [model, ratio, completion] of [
      ['gpt-4o-realtime-preview', 8, 2],
      ['gpt-4o-realtime-preview-2024-12-17', 20, 2],
      ['gpt-4o-mini-realtime-preview-2024-12-17', 16.6666666667, 2],
      ['gpt-realtime', 20, 2],
      ['gpt-4o-transcribe', 20, 2],
      ['gpt-4o-mini-tts', 20, 2],
    ] as const)
      expect(audioOf(model), model).toEqual([ratio, completion, null])
    const none = { audioRatio: {}, audioCompletionRatio: {} }
    expect(audioOf('gpt-4o-audio-preview-2024-10-01', none)).toEqual([16, 2, null])
    expect(audioOf('gpt-4o-mini-audio-preview', none)).toEqual([66.6666666667, 2, null])
  })

  it('is the vendor’s own for Gemini, unless the operator set a ratio', () => {
    expect(audioOf('gemini-2.5-flash')).toEqual([null, 1, 1])
    expect(audioOf('gemini-2.5-flash-lite')).toEqual([null, 1, 0.3])
    expect(audioOf('gemini-2.5-flash-preview-04-17')).toEqual([null, 1, 1])
    expect(audioOf('gemini-2.5-flash-preview-native-audio-dialog')).toEqual([null, 1, 3])
    expect(audioOf('gemini-2.0-flash-001')).toEqual([null, 1, 0.7])
    expect(audioOf('gemini-2.0-flash-live-001')).toEqual([7, 2, null])
  })

  it('is that of text for every other model', () => {
    for (const model of ['gpt-4o', 'whisper-1', 'gemini-2.5-pro', 'qwen-audio-turbo', 'ttsx', ''])
      expect(audioOf(model), model).toEqual([null, 1, null])
  })
})
