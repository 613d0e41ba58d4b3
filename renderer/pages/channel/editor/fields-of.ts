import type { ChannelChange } from '../../../../shared/api/channel.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { readJson } from '../../../components/json-field/json-problem.ts'
import { type Draft, settingOf } from './draft.ts'

type Fields = Omit<ChannelChange, 'id' | 'status' | 'groups'>

/** The request of a draft; without a key, the stored one stays. */
export function fieldsOf(draft: Draft, isMended: boolean): Fields {
  const key = draft.key.trim()
  return {
    type: draft.type,
    name: draft.name.trim(),
    ...(key === '' ? {} : { key }),
    base_url: addressOf(draft, isMended),
    other: otherOf(draft),
    openai_organization: draft.organization.trim(),
    models: draft.models.join(','),
    group: draft.groups.join(','),
    model_mapping: draft.modelMapping.trim(),
    test_model: draft.testModel.trim(),
    tag: draft.tag.trim() || null,
    priority: Number(draft.priority),
    weight: Number(draft.weight),
    max_input_tokens: Number(draft.maxInputTokens),
    auto_ban: draft.autoBan ? 1 : 0,
    setting: settingOf(draft),
    status_code_mapping: draft.statusMapping.trim(),
    param_override: draft.paramOverride.trim(),
  }
}

/**
 * The changed columns of a draft, so that concurrent changes by others are preserved. A new secret is sent together
 * with its destination, as the user has seen it; columns that depend on the type are sent with the type.
 */
export function changesOf(draft: Draft, initial: Draft, isMended: boolean): Fields {
  const before: Readonly<Record<string, unknown>> = fieldsOf(initial, false)
  const after = fieldsOf(draft, isMended)
  const isChanged = (name: string, value: unknown) => before[name] !== value
  const changed = new Set(Object.entries(after).flatMap(([name, value]) => (isChanged(name, value) ? [name] : [])))
  const together = new Set<string>([
    ...(changed.has('key') || changed.has('param_override') ? destination : []),
    ...(changed.has('type') ? kind : []),
  ])
  return Object.fromEntries(Object.entries(after).filter(([name]) => changed.has(name) || together.has(name)))
}

/** Columns whose meaning depends on the type. */
const kind = ['type', 'base_url', 'other'] as const satisfies (keyof Fields)[]
/** Columns that determine who receives the channel's secrets. */
const destination = [...kind, 'setting'] as const satisfies (keyof Fields)[]

/** Counts the keys in a draft: one per line; for JSON keys, the whole text or each entry of an array. */
export function keyCount({ type, key }: Draft): number {
  if (channelTypeById(type)?.keyFormat !== 'service-account-json')
    return key.split('\n').filter((line) => line.trim() !== '').length
  const read = readJson(key)
  return 'value' in read && Array.isArray(read.value) ? read.value.length : 1
}

/**
 * The address to store, corrected if `isMended`; trailing slashes are never stored
 * (docs/reference/screens.md#channel-editor).
 */
function addressOf({ type, baseUrl }: Draft, isMended: boolean): string {
  return isMended ? channelAddress({ type, base_url: baseUrl }).base : baseUrl.trim().replace(/(?<!\/)\/+$/, '')
}

/** The column `other` to store; Spark without a version is v2.1 (docs/reference/screens.md#channel-editor). */
function otherOf({ type, other }: Draft): string {
  const text = other.trim()
  return text === '' && channelTypeById(type)?.other === 'version' ? 'v2.1' : text
}
