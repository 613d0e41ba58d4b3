const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/^gpt-4-gizmo/, 'gpt-4-gizmo-*'],
  [/^gpt-4o-gizmo/, 'gpt-4o-gizmo-*'],
  [/^gemini-2\.5-flash-lite.*-thinking-/, 'gemini-2.5-flash-lite-thinking-*'],
  [/^gemini-2\.5-flash.*-thinking-/, 'gemini-2.5-flash-thinking-*'],
  [/^gemini-2\.5-pro.*-thinking-/, 'gemini-2.5-pro-thinking-*'],
]

/**
 * The name a model is priced under: families with the same price share one (docs/reference/billing.md#price-lookup).
 */
export function pricedName(model: string): string {
  if (!model.startsWith('g')) return model
  return FOLDS.find(([pattern]) => pattern.test(model))?.[1] ?? model
}
