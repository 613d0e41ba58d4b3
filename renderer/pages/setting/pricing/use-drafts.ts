import { useCallback, useState } from 'react'
import { useUnsaved } from '../../../api/unsaved.ts'
import { type Drafts, noDrafts, type PriceTexts, reverted, withoutModels, withTexts } from './price-draft.ts'
import type { PriceMap, PriceTable } from './price-table.ts'

/** What is typed into a list of prices and not yet saved, and the ways to change that. */
export type PriceDrafts = Readonly<{
  drafts: Drafts
  /** One number of one model; the same function as long as nothing else is stored. */
  type(model: string, map: PriceMap, text: string): void
  put(typed: ReadonlyMap<string, Partial<PriceTexts>>): void
  remove(models: Iterable<string>): void
  revert(model: string): void
  clear(): void
}>

/** The drafts over a table as it is stored; leaving the page asks while there are any. */
export function usePriceDrafts(stored: PriceTable): PriceDrafts {
  const [drafts, setDrafts] = useState<Drafts>(noDrafts)
  useUnsaved(drafts.size > 0)
  const type = useCallback(
    (model: string, map: PriceMap, text: string) =>
      setDrafts((before) => withTexts(before, stored, new Map([[model, { [map]: text }]]))),
    [stored],
  )
  return {
    drafts,
    type,
    put: (typed) => setDrafts((before) => withTexts(before, stored, typed)),
    remove: (models) => setDrafts((before) => withoutModels(before, stored, models)),
    revert: (model) => setDrafts((before) => reverted(before, model)),
    clear: () => setDrafts(noDrafts),
  }
}
