import { refuse } from '../../base/errors.ts'

/**
 * The wildcard a model may be offered under when no channel lists it by its own name: `gpt-4-gizmo-*`,
 * `gpt-4o-gizmo-*`, and for a thinking budget at the end (`gemini-2.5-pro-thinking-1024`) the name with `*` for the
 * budget; else undefined (docs/reference/selection.md#groups).
 */
export function wildcardOf(model: string): string | undefined {
  if (model.startsWith('gpt-4-gizmo')) return 'gpt-4-gizmo-*'
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*'
  const budget = model.search(/-thinking-\d+$/)
  return budget === -1 ? undefined : `${model.slice(0, budget)}-thinking-*`
}

/**
 * The upstream's name of a model: the mapping followed from name to name until it ends or names itself. Throws a
 * refusal with code `model_mapping_contains_cycle` when it runs in a circle
 * (docs/reference/selection.md#model-mapping).
 */
export function mappedModel(model: string, mapping: ReadonlyMap<string, string> | null): string {
  if (!mapping) return model
  const passed = new Set<string>()
  let name = model
  for (let next = mapping.get(name); next !== undefined && next !== name; next = mapping.get(name)) {
    passed.add(name)
    if (passed.has(next)) throw refuse('internal', 'relay.mappingCycle', {}, { code: 'model_mapping_contains_cycle' })
    name = next
  }
  return name
}
