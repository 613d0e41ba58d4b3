import { go } from 'fuzzysort'
import type { PricedModel } from './priced-model.ts'

/** Letters in their order, with gaps between them, are found; what has less in common is not. */
const MIN_SCORE = 0.3

/** The models that fit what was typed, the best first and those that can be called before all others; all where nothing was. */
export function findModels(models: readonly PricedModel[], typed: string): readonly PricedModel[] {
  const wanted = typed.trim()
  if (wanted === '') return models
  const found = go(wanted, models, { key: 'model_name', limit: 0, threshold: MIN_SCORE })
  const fitting = found.map(({ obj }) => obj)
  const isAvailable = ({ availability }: PricedModel) => availability === 'available'
  return [...fitting.filter(isAvailable), ...fitting.filter((model) => !isAvailable(model))]
}
