import { channelTypeNames, channelTypes } from '../../../shared/channel-types.ts'
import { defaultModels } from '../registry/default-models.ts'

/** A model as OpenAI's model list shows it. */
export type ModelObject = Readonly<{
  id: string
  object: 'model'
  /** Unix seconds; the family's fixed moment, since nobody knows the real one. */
  created: number
  owned_by: string
  permission: readonly never[]
  root: string
  parent: null
}>

const CREATED = 1_626_777_600

/**
 * The usual models of all channel types and the ones channels offer now, each once and sorted by name, owned by the
 * first type that has it (spec/console.md §6.3).
 */
export function knownModels(offered: readonly string[]): ModelObject[] {
  const owners = new Map<string, string>()
  for (const name of channelTypeNames)
    for (const model of defaultModels[name]) if (!owners.has(model)) owners.set(model, channelTypes[name].label)
  for (const model of offered) if (!owners.has(model)) owners.set(model, 'custom')
  return [...owners]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, owned_by]) => ({
      id,
      object: 'model',
      created: CREATED,
      owned_by,
      permission: [],
      root: id,
      parent: null,
    }))
}
