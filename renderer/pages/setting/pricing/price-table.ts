import * as z from 'zod/mini'
import { parsed } from '../../../../shared/json.ts'
import type { OptionTexts, Writer } from './option-texts.ts'
import type { Edits, Entries } from './three-way.ts'

/** The options that hold prices, each a map of model to number (docs/reference/billing.md#price-lookup). */
export const priceMaps = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const
export type PriceMap = (typeof priceMaps)[number]

/** What the maps say of one model; its members stand in the order of the maps. */
export type PriceRow = Readonly<Partial<Record<PriceMap, number>>>

/** Every model that has an entry in any map. */
export type PriceTable = Entries<PriceRow>

/** Reads and writes the maps as rows of models. */
export const priceCodec: Writer<PriceRow> = { keys: priceMaps, read: priceTableOf, write: withPrices }

const numbers = z.catch(z.record(z.string(), z.number()), {})
const entriesOf = (text: string | undefined): [string, number][] => Object.entries(numbers.parse(parsed(text ?? '{}')))

function priceTableOf(texts: OptionTexts): PriceTable {
  const table = new Map<string, Partial<Record<PriceMap, number>>>()
  for (const map of priceMaps)
    for (const [model, value] of entriesOf(texts[map])) {
      const row = table.get(model) ?? {}
      row[map] = value
      table.set(model, row)
    }
  return table
}

/** The maps with the rows of the edited models in place of theirs; every other entry stays where it is. */
function withPrices(texts: OptionTexts, edits: Edits<PriceRow>): OptionTexts {
  const written = priceMaps.map((map) => {
    const values = new Map(entriesOf(texts[map]))
    for (const [model, { mine }] of edits) {
      const value = mine?.[map]
      if (value === undefined) values.delete(model)
      else values.set(model, value)
    }
    return [map, JSON.stringify(Object.fromEntries(values))]
  })
  return Object.fromEntries(written)
}

/** Whether requests for the model are charged: it has a price by the request or a ratio. */
export const hasPrice = (row: PriceRow | undefined): boolean =>
  row?.ModelPrice !== undefined || row?.ModelRatio !== undefined
