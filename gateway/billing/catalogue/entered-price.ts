import type { CataloguePrice, PriceRates } from '../../../shared/api/catalogue.ts'
import type { EnteredPrice } from '../../../shared/api/scheduled-prices.ts'
import { priceOfRatio, ratioBetween, ratioOfPrice } from '../../../shared/pricing.ts'
import { refuse } from '../../base/errors.ts'
import { said } from './rates.ts'

/** The ratios that stand for a price as people say it. Refuses what cannot be said as ratios. */
export function ratesOfEntered(price: EnteredPrice, quotaPerUnit: number): PriceRates {
  if ('fixed' in price) return { fixed: price.fixed }
  const { input, audio_input: heard, audio_output: spoken } = price
  const others = [price.output, price.cache_read, price.cache_write, price.image, heard, spoken]
  if (input === 0 && others.some((value) => value !== undefined && value > 0))
    throw refuse('invalid', 'catalogue.output_only')
  if (spoken !== undefined && !heard) throw refuse('invalid', 'catalogue.audio_only')
  const over = (value: number | undefined, base: number) =>
    value === undefined ? undefined : ratioBetween(value, base)
  return said({
    model: ratioOfPrice(input, quotaPerUnit),
    completion: over(price.output, input),
    cache: over(price.cache_read, input),
    create_cache: over(price.cache_write, input),
    image: over(price.image, input),
    audio: over(heard, input),
    audio_completion: over(spoken, heard ?? 0),
  })
}

/** The dollars that ratios stand for, as far as they are said. */
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
  // Without those of undefined.
  return { rates, dollars: Object.fromEntries(Object.entries(dollars).filter(([, value]) => value !== undefined)) }
}
