import type { ChannelChange } from '../../../../shared/api/channel.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { channelTypeById } from '../../../../shared/channel-types.ts'
import { readJson } from '../../../components/json-field/json-problem.ts'
import { type Draft, settingOf } from './draft.ts'

/** What is sent of a draft: everything but its id; without a key the stored one stays. */
type Fields = Omit<ChannelChange, 'id' | 'status' | 'groups'>

/** The columns a draft without problems stands for; `isMended` takes the address as the gateway would have it. */
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
 * What a draft changes of where its form began, so that what somebody else saved meanwhile stays. Whoever enters a secret
 * has seen where it goes: that is sent along, and so is what only means something together with the type.
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

/** What a type gives its meaning. */
const kind = ['type', 'base_url', 'other'] as const satisfies (keyof Fields)[]
/** What says who hears the secrets of a channel. */
const destination = [...kind, 'setting'] as const satisfies (keyof Fields)[]

/** The keys in a draft: one a line; where a key is JSON with lines of its own, the whole text or each of a list. */
export function keyCount({ type, key }: Draft): number {
  if (channelTypeById(type)?.keyFormat !== 'service-account-json')
    return key.split('\n').filter((line) => line.trim() !== '').length
  const read = readJson(key)
  return 'value' in read && Array.isArray(read.value) ? read.value.length : 1
}

/** A slash at the end is never stored (docs/reference/screens.md#channel-editor). */
function addressOf({ type, baseUrl }: Draft, isMended: boolean): string {
  return isMended ? channelAddress({ type, base_url: baseUrl }).base : baseUrl.trim().replace(/(?<!\/)\/+$/, '')
}

/** Spark without a version is v2.1 (docs/reference/screens.md#channel-editor). */
function otherOf({ type, other }: Draft): string {
  const text = other.trim()
  return text === '' && channelTypeById(type)?.other === 'version' ? 'v2.1' : text
}
