import { printed, typedNumber } from '../../../../shared/pricing.ts'
import { type PriceMap, type PriceRow, type PriceStep, type PriceTable, priceMaps } from './price-table.ts'
import { type Edit, isSame } from './three-way.ts'

/** The numbers of a model as they are typed, empty for none, and what long prompts cost. */
export type PriceTexts = Readonly<Record<PriceMap, string> & { PriceSteps: readonly PriceStep[] }>

/** A model that was changed and not saved: how it was then, and what was typed; null to delete it. */
type RowDraft = Readonly<{ base: PriceRow | undefined; texts: PriceTexts | null }>

/** All models that were changed and not saved. */
export type Drafts = ReadonlyMap<string, RowDraft>

/** No drafts; one map for all who have none. */
export const noDrafts: Drafts = new Map()

/** A row as it is shown and typed over. */
export const textsOf = (row: PriceRow | undefined): PriceTexts =>
  filled((map) => (row?.[map] === undefined ? '' : printed(row[map])), row?.PriceSteps)

/** Numbers of nothing. */
export const noTexts: PriceTexts = textsOf(undefined)

/** What is typed for a model, else what is stored of it. */
export const shownTexts = (drafts: Drafts, stored: PriceTable, model: string): PriceTexts =>
  drafts.get(model)?.texts ?? textsOf(stored.get(model))

/** The drafts with other numbers for some models; one that is as it is stored is no draft any more. */
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

/** The drafts with some models to be deleted; one that was never stored is simply gone. */
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

/** The drafts without those of a model: it is again as it is stored. */
export function reverted(drafts: Drafts, model: string): Drafts {
  const next = new Map(drafts)
  next.delete(model)
  return next
}

/** Whether a price by the request is typed; the ratios do not count then. */
export const isPerRequest = (texts: PriceTexts): boolean => texts.ModelPrice.trim() !== ''

/** The numbers that cannot be read. Those of the mode that is not in use are not asked for. */
export const wrongIn = (texts: PriceTexts): readonly PriceMap[] =>
  mapsInUse(texts).filter((map) => texts[map].trim() !== '' && typedNumber(texts[map]) === undefined)

/** What a draft makes of its model; undefined where it deletes it, or leaves nothing of it. Only of what can be read. */
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

/** The number a text says; what stands there unchanged keeps all its digits, also those that are not shown. */
export const numberOf = (text: string, base: number | undefined): number | undefined =>
  base !== undefined && text === printed(base) ? base : typedNumber(text)

/** The edits that the drafts come to. */
export const editsOf = (drafts: Drafts): ReadonlyMap<string, Edit<PriceRow>> =>
  new Map(Array.from(drafts, ([model, draft]) => [model, { base: draft.base, mine: rowOf(draft) }]))

/** A price by the request replaces all ratios. */
const mapsInUse = (texts: PriceTexts): readonly PriceMap[] => (isPerRequest(texts) ? ['ModelPrice'] : priceMaps)

function filled(textOf: (map: PriceMap) => string, steps: readonly PriceStep[] = []): PriceTexts {
  const texts = Object.fromEntries(priceMaps.map((map) => [map, textOf(map)])) as Record<PriceMap, string> // one for each map
  return { ...texts, PriceSteps: steps }
}
