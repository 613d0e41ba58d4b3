/**
 * Completion ratios by name; names that are not here follow the rules of gateway/billing. Built in
 * (docs/reference/billing.md#built-in-prices).
 */
export const completionRatio: Readonly<Record<string, number>> = {
  'gpt-4-gizmo-*': 2,
  'gpt-4o-gizmo-*': 3,
  'gpt-4-all': 2,
  'gpt-image-1': 8,
}
