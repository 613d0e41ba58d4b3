import type { ModelPrice } from '../../shared/api/channel.ts'
import type { PriceBook } from './price.ts'

const MILLION = 1_000_000

/**
 * What a model costs before any group's ratio, as people compare it: US dollars a million tokens, or a call. All null
 * where the model has no price of its own; in self-use mode it may be called all the same.
 */
export function priceInDollars(prices: PriceBook, quotaPerUnit: number, model: string): ModelPrice {
  const price = prices.find({ model, userGroup: '', usingGroup: '', acceptUnset: false })
  if (!price) return { model, input: null, output: null, fixed: null }
  if (price.fixed !== null) return { model, input: null, output: null, fixed: price.fixed }
  const input = (price.modelRatio * MILLION) / quotaPerUnit
  return { model, input, output: input * price.completionRatio, fixed: null }
}
