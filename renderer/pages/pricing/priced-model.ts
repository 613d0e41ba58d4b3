import type { ListedPrice, PriceFacts } from '../../../shared/api/pricing.ts'
import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { priceOfRatio, productOf, type TokenPrices, tokenPrices } from '../../../shared/pricing.ts'
import { vendorOfModel } from './model-vendor.ts'

export type PricedModel = ListedPrice & Readonly<{ vendor: ChannelTypeName | undefined; availability: Availability }>

/** Whether a model may be called in the group: yes, only in other groups, or not at all because it has no price. */
type Availability = 'available' | 'otherGroup' | 'unpriced'

/** The models for a group: available ones first, then names starting with gpt, then by name. */
export function modelsFor(models: readonly ListedPrice[], facts: PriceFacts, group: string): readonly PricedModel[] {
  return models
    .map((model) => ({
      ...model,
      vendor: vendorOfModel(model.model_name),
      availability: availabilityOf(model, facts, group),
    }))
    .sort(byRank)
}

function availabilityOf(model: ListedPrice, facts: PriceFacts, group: string): Availability {
  if (model.unset && !facts.accepts_unset) return 'unpriced'
  return model.enable_groups.includes(group) ? 'available' : 'otherGroup'
}

function byRank(one: PricedModel, other: PricedModel): number {
  const rank = ({ availability, model_name }: PricedModel) =>
    (availability === 'available' ? 0 : 2) + (model_name.startsWith('gpt') ? 0 : 1)
  return rank(one) - rank(other) || one.model_name.localeCompare(other.model_name, 'en')
}

/** The group in the address if the reader may use it, else their own. */
export const groupIn = ({ group_ratio, own_group }: PriceFacts, wanted: string): string =>
  Object.hasOwn(group_ratio, wanted) ? wanted : own_group

/** Sort orders: default, by name, or by input price up or down, then per-call prices, and missing prices last. */
export type ModelOrder = 'usual' | 'name' | 'cheap' | 'dear'

/** Sorts models; the group does not matter, because it scales all prices equally. */
export function inOrder(models: readonly PricedModel[], order: ModelOrder): readonly PricedModel[] {
  if (order === 'usual') return models
  const byName = (one: PricedModel, other: PricedModel) => one.model_name.localeCompare(other.model_name, 'en')
  if (order === 'name') return models.toSorted(byName)
  const sign = order === 'cheap' ? 1 : -1
  const price = ({ quota_type, model_ratio, model_price }: PricedModel) =>
    quota_type === 1 ? model_price : model_ratio
  const rank = (model: PricedModel) => (hasPrice(model) ? model.quota_type : afterAll)
  return models.toSorted(
    (one, other) => rank(one) - rank(other) || sign * (price(one) - price(other)) || byName(one, other),
  )
}

const afterAll = 2

/** Whether a model has a price; unpriced models are refused unless the reader accepts that. */
export const hasPrice = ({ availability }: PricedModel): boolean => availability !== 'unpriced'

/** A model's price in a group: US dollars per million tokens of each kind, or per call. */
export type GroupPrice = Readonly<{ perCall: number }> | Readonly<{ perMillion: TokenPrices }>

/** A model's price at a group's ratio (docs/reference/billing.md#prices-and-ratios). */
export function priceIn(model: ListedPrice, groupRatio: number, quotaPerUnit: number): GroupPrice {
  if (model.quota_type === 1) return { perCall: productOf(model.model_price, groupRatio) }
  const ratios = {
    modelRatio: model.model_ratio,
    completionRatio: model.completion_ratio,
    cacheRatio: model.cache_ratio,
    cacheWriteRatio: model.cache_creation_ratio,
    cacheWriteHourRatio: model.cache_creation_ratio_1h,
    imageRatio: model.image_ratio,
    audioRatio: model.audio_ratio,
    audioCompletionRatio: model.audio_completion_ratio,
    audioInputPrice: model.audio_input_price,
    groupRatio,
  }
  return { perMillion: tokenPrices(ratios, quotaPerUnit) }
}

/** US dollars per million tokens for prompts above `above` tokens. */
type StepPrice = Readonly<{ above: number; input: number; output: number }>

/** A model's long-prompt prices in a group, shortest first (docs/reference/billing.md#long-prompts). */
export const stepsIn = (model: ListedPrice, groupRatio: number, quotaPerUnit: number): readonly StepPrice[] =>
  model.price_steps.map(({ above, input, output }) => {
    const at = (...ratios: number[]) => priceOfRatio(model.model_ratio, quotaPerUnit, groupRatio, ...ratios)
    // If the input is free at a step, the output is too, because it is a multiple of it.
    return { above, input: at(input), output: input > 0 ? at(model.completion_ratio, output) : 0 }
  })
