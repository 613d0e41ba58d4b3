import type { BatchFill } from './batch-dialog.tsx'
import { isPerRequest, type PriceTexts } from './price-draft.ts'

/**
 * What filling the same into several models makes of each. A price by the request, or a model ratio, decides how a model is
 * charged from then on; any other ratio leaves out the models that are charged by the request, for which it means nothing.
 */
export function filledIn(
  fill: BatchFill,
  models: Iterable<string>,
  textsOf: (model: string) => PriceTexts,
): Readonly<{ typed: ReadonlyMap<string, Partial<PriceTexts>>; left: number }> {
  const decides = fill.ModelPrice !== undefined || fill.ModelRatio !== undefined
  const all = [...models]
  const taken = all.filter((model) => decides || !isPerRequest(textsOf(model)))
  const change = fill.ModelPrice === undefined ? { ModelPrice: '', ...fill } : fill
  return { typed: new Map(taken.map((model) => [model, change])), left: all.length - taken.length }
}
