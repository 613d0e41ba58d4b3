import * as z from 'zod/mini'
import { parsed } from '../../../../shared/json.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import type { OptionTexts, Writer } from './option-texts.ts'
import type { Edits, Entries } from './three-way.ts'

/** The options that hold prices as maps of model to number (docs/reference/billing.md#price-lookup). */
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

/** Prompts above so many tokens cost `input` times as much, and their output `output` times (docs/reference/billing.md#long-prompts). */
export type PriceStep = Readonly<{ above: number; input: number; output: number }>

/** What the options say under one name; its members stand in the order of the options. */
export type PriceRow = Readonly<
  Partial<Record<PriceMap | 'ServiceTierRatio', number>> & { PriceSteps?: readonly PriceStep[] }
>

/** Every model that has an entry in any option. */
export type PriceTable = Entries<PriceRow>

type RowKey = keyof PriceRow & OptionKey

/** Reads and writes the prices as rows of models. */
export const priceCodec = codecOf([...priceMaps, 'PriceSteps'])

/** Reads and writes the prices and the factors of service tiers, whose rows have the names of tiers: for the texts of JSON. */
export const jsonCodec = codecOf([...priceMaps, 'PriceSteps', 'ServiceTierRatio'])

function codecOf(keys: readonly RowKey[]): Writer<PriceRow> {
  return {
    keys,
    read: (texts) => priceTableOf(keys, texts),
    write: (texts, edits) => withPrices(keys, texts, edits),
  }
}

const numbers = z.catch(z.record(z.string(), z.number()), {})
const steps = z.catch(
  z.record(z.string(), z.array(z.object({ above: z.number(), input: z.number(), output: z.number() }))),
  {},
)
const entriesOf = (key: RowKey, texts: OptionTexts): [string, PriceRow[RowKey]][] =>
  Object.entries((key === 'PriceSteps' ? steps : numbers).parse(parsed(texts[key] ?? '{}')))

function priceTableOf(keys: readonly RowKey[], texts: OptionTexts): PriceTable {
  const table = new Map<string, PriceRow>()
  for (const key of keys)
    for (const [name, value] of entriesOf(key, texts)) table.set(name, { ...table.get(name), [key]: value })
  return table
}

/** The options with the rows that were edited in place of theirs; every other entry stays where it is. */
function withPrices(keys: readonly RowKey[], texts: OptionTexts, edits: Edits<PriceRow>): OptionTexts {
  const written = keys.map((key) => {
    const values = new Map(entriesOf(key, texts))
    for (const [name, { mine }] of edits) {
      const value = mine?.[key]
      if (value === undefined) values.delete(name)
      else values.set(name, value)
    }
    return [key, JSON.stringify(Object.fromEntries(values))]
  })
  return Object.fromEntries(written)
}

/** Whether requests for the model are charged: it has a price by the request or a ratio. */
export const hasPrice = (row: PriceRow | undefined): boolean =>
  row?.ModelPrice !== undefined || row?.ModelRatio !== undefined
