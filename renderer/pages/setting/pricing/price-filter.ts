import { type Drafts, isPerRequest, shownTexts } from './price-draft.ts'
import type { PriceTable } from './price-table.ts'

/** Which models a list of prices shows. */
export const shows = ['all', 'unsaved', 'perToken', 'perRequest', 'unpriced'] as const
export type Show = (typeof shows)[number]

type Filter = Readonly<{ search: string; show: Show; stored: PriceTable; drafts: Drafts }>

/** Whether a model is among those that are asked for. */
export function isShown(model: string, { search, show, stored, drafts }: Filter): boolean {
  if (!model.toLowerCase().includes(search.trim().toLowerCase())) return false
  if (show === 'all') return true
  if (show === 'unsaved') return drafts.has(model)
  const texts = shownTexts(drafts, stored, model)
  if (show === 'perRequest') return isPerRequest(texts)
  const isPerToken = !isPerRequest(texts) && texts.ModelRatio !== ''
  return show === 'perToken' ? isPerToken : !isPerToken && !isPerRequest(texts)
}

/** Every model by name, those that were added on top. */
export function modelsOf(stored: PriceTable, drafts: Drafts): readonly string[] {
  const added = [...drafts.keys()].filter((model) => !stored.has(model))
  return [...added.reverse(), ...sortedNames(stored)]
}

/** Sorted once for each table, however often a list of it is drawn. */
function sortedNames(stored: PriceTable): readonly string[] {
  const known = sorted.get(stored)
  if (known) return known
  const names = [...stored.keys()].sort((one, other) => (one < other ? -1 : 1))
  sorted.set(stored, names)
  return names
}

const sorted = new WeakMap<PriceTable, readonly string[]>()
