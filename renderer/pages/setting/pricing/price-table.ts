import * as z from 'zod/mini'
import { parsed } from '../../../../shared/json.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import type { OptionTexts, Writer } from './option-texts.ts'
import type { Edits, Entries } from './three-way.ts'

/** Options that map models to numbers (docs/reference/billing.md#price-lookup). */
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

/**
 * Prompts of more than `above` tokens multiply input costs by `input` and output costs by `output`
 * (docs/reference/billing.md#long-prompts).
 */
export type PriceStep = Readonly<{ above: number; input: number; output: number }>

/** All options' values for one name; members are in the order of the options. */
export type PriceRow = Readonly<
  Partial<Record<PriceMap | 'ServiceTierRatio', number>> & { PriceSteps?: readonly PriceStep[] }
>

export type PriceTable = Entries<PriceRow>

type RowKey = keyof PriceRow & OptionKey

export const priceCodec = codecOf([...priceMaps, 'PriceSteps'])

/** Also reads and writes service tier factors, whose rows are named after tiers: for the JSON editors. */
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

/** Merges edited rows into the options; every other entry keeps its position. */
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

/** Whether the model has a price: one per request, or a ratio. */
export const hasPrice = (row: PriceRow | undefined): boolean =>
  row?.ModelPrice !== undefined || row?.ModelRatio !== undefined
