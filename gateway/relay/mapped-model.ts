import { refuse } from '../base/errors.ts'

/**
 * The upstream's name of a model: the channel's mapping followed to its end. A name that maps to itself ends the chain;
 * any other circle is refused (spec/relay.md §4.7).
 */
export function mappedModel(mapping: ReadonlyMap<string, string> | null, asked: string): string {
  if (!mapping) return asked
  const seen = new Set([asked])
  let model = asked
  for (let next = mapping.get(model); next !== undefined && next !== model; next = mapping.get(model)) {
    if (seen.has(next)) throw refuse('internal', 'relay.mappingCycle', {}, { code: 'model_mapping_contains_cycle' })
    seen.add(next)
    model = next
  }
  return model
}
