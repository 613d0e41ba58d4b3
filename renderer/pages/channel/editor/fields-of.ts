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

/** The keys in a draft: one a line; where a key is JSON with lines of its own, the whole text or each of a list. */
export function keyCount({ type, key }: Draft): number {
  if (channelTypeById(type)?.keyFormat !== 'service-account-json')
    return key.split('\n').filter((line) => line.trim() !== '').length
  const read = readJson(key)
  return 'value' in read && Array.isArray(read.value) ? read.value.length : 1
}

/** A slash at the end is never stored (docs/reference/screens.md#channel-editor). */
function addressOf({ type, baseUrl }: Draft, isMended: boolean): string {
  return isMended ? channelAddress({ type, base_url: baseUrl }).base : baseUrl.trim().replace(/\/+$/, '')
}

/** Spark without a version is v2.1 (docs/reference/screens.md#channel-editor). */
function otherOf({ type, other }: Draft): string {
  const text = other.trim()
  return text === '' && channelTypeById(type)?.other === 'version' ? 'v2.1' : text
}
