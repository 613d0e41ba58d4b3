import { go } from 'fuzzysort'
import type { PricedModel } from './priced-model.ts'

/** Minimum score of a match: accepts the typed letters in order with gaps between them, and rejects weaker matches. */
const MIN_SCORE = 0.3

/** The matching models, best first, available ones before all others; all if the search is empty. */
export function findModels(models: readonly PricedModel[], typed: string): readonly PricedModel[] {
  const wanted = typed.trim()
  if (wanted === '') return models
  const found = go(wanted, models, { key: 'model_name', limit: 0, threshold: MIN_SCORE })
  const fitting = found.map(({ obj }) => obj)
  const isAvailable = ({ availability }: PricedModel) => availability === 'available'
  return [...fitting.filter(isAvailable), ...fitting.filter((model) => !isAvailable(model))]
}
