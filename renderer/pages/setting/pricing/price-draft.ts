import { printed, typedNumber } from '../../../../shared/pricing.ts'
import { type PriceMap, type PriceRow, type PriceStep, type PriceTable, priceMaps } from './price-table.ts'
import { type Edit, isSame } from './three-way.ts'

/** A model's numbers as typed, empty if unset, and its long-prompt steps. */
export type PriceTexts = Readonly<Record<PriceMap, string> & { PriceSteps: readonly PriceStep[] }>

/** An unsaved model: the row when editing began, and the input; null deletes it. */
type RowDraft = Readonly<{ base: PriceRow | undefined; texts: PriceTexts | null }>

export type Drafts = ReadonlyMap<string, RowDraft>

export const noDrafts: Drafts = new Map()

export const textsOf = (row: PriceRow | undefined): PriceTexts =>
  filled((map) => (row?.[map] === undefined ? '' : printed(row[map])), row?.PriceSteps)

export const noTexts: PriceTexts = textsOf(undefined)

/** A model's draft, else its stored row. */
export const shownTexts = (drafts: Drafts, stored: PriceTable, model: string): PriceTexts =>
  drafts.get(model)?.texts ?? textsOf(stored.get(model))

/** Merges typed numbers into the drafts; drops drafts that equal the row they are based on. */
export function withTexts(drafts: Drafts, stored: PriceTable, typed: ReadonlyMap<string, Partial<PriceTexts>>): Drafts {
  const next = new Map(drafts)
  for (const [model, change] of typed) {
    const before = next.get(model)
    const base = before ? before.base : stored.get(model)
    const texts = { ...(before?.texts ?? textsOf(base)), ...change }
    const isBack = base !== undefined && isSame(texts, textsOf(base))
    if (isBack) next.delete(model)
    else next.set(model, { base, texts })
  }
  return next
}

/** Marks models for deletion; models that were never stored are dropped. */
export function withoutModels(drafts: Drafts, stored: PriceTable, models: Iterable<string>): Drafts {
  const next = new Map(drafts)
  for (const model of models) {
    const draft = next.get(model)
    const base = draft ? draft.base : stored.get(model)
    if (base === undefined) next.delete(model)
    else next.set(model, { base, texts: null })
  }
  return next
}

export function reverted(drafts: Drafts, model: string): Drafts {
  const next = new Map(drafts)
  next.delete(model)
  return next
}

/** Whether a price per request is entered, in which case the ratios are ignored. */
export const isPerRequest = (texts: PriceTexts): boolean => texts.ModelPrice.trim() !== ''

/** Unreadable numbers of the current mode. */
export const wrongIn = (texts: PriceTexts): readonly PriceMap[] =>
  mapsInUse(texts).filter((map) => texts[map].trim() !== '' && typedNumber(texts[map]) === undefined)

/** The row a valid draft results in; undefined if it deletes the model or leaves no values. */
export function rowOf({ base, texts }: RowDraft): PriceRow | undefined {
  if (texts === null) return undefined
  const values = mapsInUse(texts).flatMap((map) => {
    const value = numberOf(texts[map], base?.[map])
    return value === undefined ? [] : [[map, value] as const]
  })
  if (values.length === 0) return undefined
  const hasSteps = texts.PriceSteps.length > 0 && !isPerRequest(texts)
  return { ...Object.fromEntries(values), ...(hasSteps && { PriceSteps: texts.PriceSteps }) }
}

/** Parses a number; unchanged text keeps all digits of the stored number, including those not shown. */
export const numberOf = (text: string, base: number | undefined): number | undefined =>
  base !== undefined && text === printed(base) ? base : typedNumber(text)

export const editsOf = (drafts: Drafts): ReadonlyMap<string, Edit<PriceRow>> =>
  new Map(Array.from(drafts, ([model, draft]) => [model, { base: draft.base, mine: rowOf(draft) }]))

/** A price per request replaces all ratios. */
const mapsInUse = (texts: PriceTexts): readonly PriceMap[] => (isPerRequest(texts) ? ['ModelPrice'] : priceMaps)

function filled(textOf: (map: PriceMap) => string, steps: readonly PriceStep[] = []): PriceTexts {
  const texts = Object.fromEntries(priceMaps.map((map) => [map, textOf(map)])) as Record<PriceMap, string> // one for each map
  return { ...texts, PriceSteps: steps }
}
