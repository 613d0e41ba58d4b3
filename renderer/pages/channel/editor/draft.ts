import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { namesIn } from '../list/row.ts'
import { objectIn } from './json-rules.ts'

/** A channel as it is being written; numbers are texts until they are sent. */
export type Draft = Readonly<{
  type: number
  name: string
  /** Empty keeps what is stored, which the console never sees. */
  key: string
  /** What the key of a new channel is: one, or several for as many channels (`split`) or for one (`pool`). */
  keyMode: 'single' | 'split' | 'pool'
  baseUrl: string
  other: string
  organization: string
  models: readonly string[]
  groups: readonly string[]
  modelMapping: string
  testModel: string
  tag: string
  priority: string
  weight: string
  maxInputTokens: string
  autoBan: boolean
  /** Part of the column `setting`, with a field of its own. */
  proxy: string
  /** The rest of the column `setting`. */
  setting: string
  statusMapping: string
  paramOverride: string
}>

/**
 * Where the form starts: at a channel, or at a new one, which the system may disable when it fails
 * (docs/reference/screens.md#channel-editor).
 */
export function draftOf(channel: ChannelView | undefined): Draft {
  if (!channel) return newDraft
  const { proxy, setting } = splitSetting(channel.setting)
  return {
    type: channel.type,
    name: channel.name,
    key: '',
    keyMode: 'single',
    baseUrl: channel.base_url,
    other: channel.other,
    organization: channel.openai_organization,
    models: namesIn(channel.models),
    groups: namesIn(channel.group),
    modelMapping: channel.model_mapping,
    testModel: channel.test_model,
    tag: channel.tag ?? '',
    priority: String(channel.priority),
    weight: String(channel.weight),
    maxInputTokens: String(channel.max_input_tokens),
    autoBan: channel.auto_ban === 1,
    proxy,
    setting,
    statusMapping: channel.status_code_mapping,
    paramOverride: channel.param_override,
  }
}

/** The column `setting` of a draft: its JSON with the proxy put back in. */
export function settingOf({ setting, proxy }: Pick<Draft, 'setting' | 'proxy'>): string {
  if (proxy.trim() === '') return setting.trim()
  return JSON.stringify({ ...objectIn(setting), proxy: proxy.trim() })
}

const newDraft: Draft = {
  type: channelTypes.openai.id,
  name: '',
  key: '',
  keyMode: 'single',
  baseUrl: '',
  other: '',
  organization: '',
  models: [],
  groups: ['default'],
  modelMapping: '',
  testModel: '',
  tag: '',
  priority: '0',
  weight: '0',
  maxInputTokens: '0',
  autoBan: true,
  proxy: '',
  setting: '',
  statusMapping: '',
  paramOverride: '',
}

function splitSetting(text: string): { proxy: string; setting: string } {
  const { proxy, ...rest } = objectIn(text) ?? {}
  if (typeof proxy !== 'string') return { proxy: '', setting: text }
  return { proxy, setting: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2) }
}
