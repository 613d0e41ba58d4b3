import { useCallback, useState } from 'react'
import { useUnsaved } from '../../../api/unsaved.ts'
import { type Drafts, noDrafts, type PriceTexts, reverted, withoutModels, withTexts } from './price-draft.ts'
import type { PriceMap, PriceTable } from './price-table.ts'

export type PriceDrafts = Readonly<{
  drafts: Drafts
  /** Sets one number of a model; referentially stable while the stored table does not change. */
  type(model: string, map: PriceMap, text: string): void
  put(typed: ReadonlyMap<string, Partial<PriceTexts>>): void
  remove(models: Iterable<string>): void
  revert(model: string): void
  clear(): void
}>

/** Drafts over a stored table; they guard navigation. */
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
