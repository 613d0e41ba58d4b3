import type { CataloguePrice, PriceRates } from '../../../shared/api/catalogue.ts'
import type { EnteredPrice } from '../../../shared/api/scheduled-prices.ts'
import { priceOfRatio, ratioBetween, ratioOfPrice } from '../../../shared/pricing.ts'
import { refuse } from '../../base/errors.ts'
import { definedRates } from './rates.ts'

/** Converts a price in dollars to rates. Throws if prices of tokens cannot be expressed as ratios. */
export function ratesOfEntered(price: EnteredPrice, quotaPerUnit: number): PriceRates {
  if ('fixed' in price) return { fixed: price.fixed }
  const { input, audio_input: audioInput, audio_output: audioOutput } = price
  const otherPrices = [price.output, price.cache_read, price.cache_write, price.image, audioInput, audioOutput]
  if (input === 0 && otherPrices.some((value) => value !== undefined && value > 0))
    throw refuse('invalid', 'catalogue.output_only')
  if (audioOutput !== undefined && !audioInput) throw refuse('invalid', 'catalogue.audio_only')
  const ratioTo = (value: number | undefined, base: number) =>
    value === undefined ? undefined : ratioBetween(value, base)
  return definedRates({
    model: ratioOfPrice(input, quotaPerUnit),
    completion: ratioTo(price.output, input),
    cache: ratioTo(price.cache_read, input),
    create_cache: ratioTo(price.cache_write, input),
    image: ratioTo(price.image, input),
    audio: ratioTo(audioInput, input),
    audio_completion: ratioTo(audioOutput, audioInput ?? 0),
  })
}

export function priceOfRates(rates: PriceRates, quotaPerUnit: number): CataloguePrice {
  const { model } = rates
  if (rates.fixed !== undefined || model === undefined) return { rates, dollars: {} }
  const at = (...ratios: readonly (number | undefined)[]) => {
    const known = ratios.filter((ratio) => ratio !== undefined)
    return known.length < ratios.length ? undefined : priceOfRatio(model, quotaPerUnit, ...known)
  }
  const dollars = {
    input: at(),
    output: at(rates.completion),
    cache_read: at(rates.cache),
    cache_write: at(rates.create_cache),
    image: at(rates.image),
    audio_input: at(rates.audio),
    audio_output: at(rates.audio, rates.audio_completion),
  }
  return { rates, dollars: Object.fromEntries(Object.entries(dollars).filter(([, value]) => value !== undefined)) }
}
