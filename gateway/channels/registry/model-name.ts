import { refuse } from '../../base/errors.ts'

/**
 * The wildcard a model may be offered under if no channel lists its own name: `gpt-4-gizmo-*`, `gpt-4o-gizmo-*`, or for
 * a trailing thinking budget (`gemini-2.5-pro-thinking-1024`) the name with `*` as the budget; else undefined
 * (docs/reference/selection.md#groups).
 */
export function wildcardOf(model: string): string | undefined {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*'
  const budget = model.search(/-thinking-\d+$/)
  return budget === -1 ? undefined : `${model.slice(0, budget)}-thinking-*`
}

/**
 * Returns the upstream's name for a model: follows the mapping until it ends or maps a name to itself. Throws
 * `model_mapping_contains_cycle` on a cycle (docs/reference/selection.md#model-mapping).
 */
export function mappedModel(model: string, mapping: ReadonlyMap<string, string> | null): string {
  if (!mapping) return model
  const visited = new Set<string>()
  let name = model
  for (let next = mapping.get(name); next !== undefined && next !== name; next = mapping.get(name)) {
    visited.add(name)
    if (visited.has(next)) throw refuse('internal', 'relay.mappingCycle', {}, { code: 'model_mapping_contains_cycle' })
    name = next
  }
  return name
}
