import { decimal, written } from '../../../../shared/decimal.ts'
import { priceOfRatio, printed, ratioBetween, ratioOfPrice, typedNumber } from '../../../../shared/pricing.ts'
import { noTexts, numberOf, type PriceTexts } from './price-draft.ts'
import { type PriceMap, type PriceRow, priceMaps } from './price-table.ts'

/** The ratios that make prices of a million tokens. */
export type RatioMap = Exclude<PriceMap, 'ModelPrice'>
export const ratioMaps = priceMaps.filter((map) => map !== 'ModelPrice')

/** The ratios of a model and what they come to, both as they are typed; each follows the other. */
export type PriceFields = Readonly<{ ratios: PriceTexts; prices: PriceTexts }>

/** What a model's fields are read with: its stored row, and the quota that a dollar is. */
export type FieldsOf = Readonly<{ base: PriceRow | undefined; quotaPerUnit: number }>

/** The fields of a model whose ratios these are. */
export const fieldsOf = (ratios: PriceTexts, of: FieldsOf): PriceFields => ({ ratios, prices: pricesOf(ratios, of) })

/** The fields after a ratio was typed: the prices follow. */
export const withRatio = ({ ratios }: PriceFields, map: PriceMap, text: string, of: FieldsOf): PriceFields =>
  fieldsOf({ ...ratios, [map]: text }, of)

/** The fields after a price was typed: the ratios follow that are made of it, and the other prices stay. */
export function withPrice(fields: PriceFields, map: RatioMap, text: string, of: FieldsOf): PriceFields {
  const prices = { ...fields.prices, [map]: text }
  const ratios = { ...fields.ratios }
  for (const other of ratioMaps)
    if (other === map || isMadeOf(other, map)) ratios[other] = ratioText(other, prices, of.quotaPerUnit)
  return { ratios, prices }
}

/** Why a price cannot become a ratio: the price that it is compared with is 0, or missing. */
export function priceProblem(map: RatioMap, prices: PriceTexts): 'zero' | 'number' | 'base' | undefined {
  const text = prices[map].trim()
  if (text === '') return undefined
  const value = typedNumber(text)
  if (value === undefined) return 'number'
  const base = baseOf(map)
  if (!base) return value === 0 ? 'zero' : undefined
  return (typedNumber(prices[base]) ?? 0) > 0 ? undefined : 'base'
}

/** Which price a ratio is a multiple of; the model ratio is one of dollars. */
function baseOf(map: RatioMap): RatioMap | undefined {
  if (map === 'ModelRatio') return undefined
  return map === 'AudioCompletionRatio' ? 'AudioRatio' : 'ModelRatio'
}

const isMadeOf = (map: RatioMap, base: RatioMap): boolean => {
  const next = baseOf(map)
  return next !== undefined && (next === base || isMadeOf(next, base))
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

/** With all digits that a number keeps: fewer would not lead back to the price. */
function ratioText(map: RatioMap, prices: PriceTexts, quotaPerUnit: number): string {
  const price = typedNumber(prices[map])
  if (price === undefined) return ''
  const base = baseOf(map)
  const ratio = base ? ratioBetween(price, typedNumber(prices[base]) ?? 0) : ratioOfPrice(price, quotaPerUnit)
  return ratio === undefined ? '' : written(decimal(ratio))
}
