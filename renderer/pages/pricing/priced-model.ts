import type { ListedPrice, PriceFacts } from '../../../shared/api/pricing.ts'
import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { priceOfRatio, productOf, type TokenPrices, tokenPrices } from '../../../shared/pricing.ts'
import { vendorOfModel } from './model-vendor.ts'

/** A model of the list as the page shows it for one group. */
export type PricedModel = ListedPrice & Readonly<{ vendor: ChannelTypeName | undefined; availability: Availability }>

/** Whether it may be called in the group: yes, in other groups alone, or nowhere because nobody has priced it. */
export type Availability = 'available' | 'otherGroup' | 'unpriced'

/** The models for a group, those that it offers first, then those whose names begin with gpt, then by name. */
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

/** The group of the address where it is one of the reader's, else the own one. */
export const groupIn = ({ group_ratio, own_group }: PriceFacts, wanted: string): string =>
  Object.hasOwn(group_ratio, wanted) ? wanted : own_group

/** In which order models stand: as they are found, by name, or by the price of their input, those by the call after them, those without last. */
export type ModelOrder = 'usual' | 'name' | 'cheap' | 'dear'

/** The models in an order; the group changes all prices alike. */
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

/** Whether it costs the reader anything that can be told: what nobody has priced is refused unless they accept that. */
export const hasPrice = ({ availability }: PricedModel): boolean => availability !== 'unpriced'

/** What a model costs in a group: US dollars for a million tokens of each kind, or for a call. */
export type GroupPrice = Readonly<{ perCall: number }> | Readonly<{ perMillion: TokenPrices }>

/** The price of a model at a group's ratio (docs/reference/billing.md#prices-and-ratios). */
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

/** US dollars for a million tokens where the prompt is above so many. */
type StepPrice = Readonly<{ above: number; input: number; output: number }>

/** What long prompts of a model cost in a group, shortest first (docs/reference/billing.md#long-prompts). */
export const stepsIn = (model: ListedPrice, groupRatio: number, quotaPerUnit: number): readonly StepPrice[] =>
  model.price_steps.map(({ above, input, output }) => {
    const at = (...ratios: number[]) => priceOfRatio(model.model_ratio, quotaPerUnit, groupRatio, ...ratios)
    // A model whose input is free at some length is free there: its output is a multiple of it.
    return { above, input: at(input), output: input > 0 ? at(model.completion_ratio, output) : 0 }
  })
