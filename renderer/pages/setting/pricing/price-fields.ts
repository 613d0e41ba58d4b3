import { completionRatioByName } from '../../../../shared/completion-rules.ts'
import { decimal, written } from '../../../../shared/decimal.ts'
import { priceOfRatio, printed, ratioBetween, ratioOfPrice, typedNumber } from '../../../../shared/pricing.ts'
import { noTexts, numberOf, type PriceTexts } from './price-draft.ts'
import { type PriceMap, type PriceRow, priceMaps } from './price-table.ts'

export type RatioMap = Exclude<PriceMap, 'ModelPrice'>
export const ratioMaps = priceMaps.filter((map) => map !== 'ModelPrice')

/** A model's ratios and the resulting prices, as typed and kept in sync. */
export type PriceFields = Readonly<{ ratios: PriceTexts; prices: PriceTexts }>

export type FieldsOf = Readonly<{ base: PriceRow | undefined; quotaPerUnit: number }>

export const fieldsOf = (ratios: PriceTexts, of: FieldsOf): PriceFields => ({ ratios, prices: pricesOf(ratios, of) })

export const withRatio = ({ ratios }: PriceFields, map: PriceMap, text: string, of: FieldsOf): PriceFields =>
  fieldsOf({ ...ratios, [map]: text }, of)

/** Applies a typed price and updates the ratios derived from it; the other prices stay. */
export function withPrice(fields: PriceFields, map: RatioMap, text: string, of: FieldsOf): PriceFields {
  const prices = { ...fields.prices, [map]: text }
  const ratios = { ...fields.ratios }
  for (const other of ratioMaps)
    if (other === map || isDerivedFrom(other, map)) ratios[other] = ratioText(other, prices, of.quotaPerUnit)
  return { ratios, prices }
}

/**
 * The completion ratio by the rule for the model's name, and the output price, which then follows the input price;
 * they apply while no completion ratio is entered.
 */
export function outputByName(model: string, { ratios }: PriceFields, { base, quotaPerUnit }: FieldsOf) {
  const ratio = completionRatioByName(model)
  const input = numberOf(ratios.ModelRatio, base?.ModelRatio)
  return {
    ratio: printed(ratio),
    price: input === undefined ? '' : printed(priceOfRatio(input, quotaPerUnit, ratio)),
  }
}

/**
 * Why a price cannot be converted to a ratio: it is not a number, it is an input price of 0, or it lacks a base price.
 */
export function priceProblem(map: RatioMap, prices: PriceTexts): 'zero' | 'number' | 'base' | undefined {
  const text = prices[map].trim()
  if (text === '') return undefined
  const value = typedNumber(text)
  if (value === undefined) return 'number'
  const base = baseOf(map)
  if (!base) return value === 0 ? 'zero' : undefined
  return (typedNumber(prices[base]) ?? 0) > 0 ? undefined : 'base'
}

/** The price that a ratio multiplies; undefined for the model ratio, which is converted to dollars directly. */
function baseOf(map: RatioMap): RatioMap | undefined {
  if (map === 'ModelRatio') return undefined
  return map === 'AudioCompletionRatio' ? 'AudioRatio' : 'ModelRatio'
}

const isDerivedFrom = (map: RatioMap, base: RatioMap): boolean => {
  const next = baseOf(map)
  return next !== undefined && (next === base || isDerivedFrom(next, base))
}

function pricesOf(ratios: PriceTexts, { base, quotaPerUnit }: FieldsOf): PriceTexts {
  const factors = (map: RatioMap): (number | undefined)[] => {
    const next = baseOf(map)
    return [...(next ? factors(next) : []), numberOf(ratios[map], base?.[map])]
  }
  const priceText = (map: RatioMap): string => {
    const [modelRatio, ...more] = factors(map)
    const known = more.filter((factor) => factor !== undefined)
    if (modelRatio === undefined || known.length < more.length) return ''
    return printed(priceOfRatio(modelRatio, quotaPerUnit, ...known))
  }
  const texts = ratioMaps.map((map) => [map, priceText(map)])
  return { ...noTexts, ModelPrice: ratios.ModelPrice, ...Object.fromEntries(texts) }
}

/** With full precision: fewer digits would not convert back to the price. */
function ratioText(map: RatioMap, prices: PriceTexts, quotaPerUnit: number): string {
  const price = typedNumber(prices[map])
  if (price === undefined) return ''
  const base = baseOf(map)
  const ratio = base ? ratioBetween(price, typedNumber(prices[base]) ?? 0) : ratioOfPrice(price, quotaPerUnit)
  return ratio === undefined ? '' : written(decimal(ratio))
}
