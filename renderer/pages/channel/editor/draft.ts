import type { ChannelView } from '../../../../shared/api/channel.ts'
import { type ApiFormatChoice, apiFormatChoice } from '../../../../shared/api-format.ts'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { namesIn } from '../list/row.ts'
import { objectIn } from './json-rules.ts'

export type Draft = Readonly<{
  type: number
  name: string
  /** If empty, the stored key stays unchanged; the console never receives it. */
  key: string
  /**
   * How the keys of a new channel are used: one key, one channel per key (`split`), or one channel with all (`pool`).
   */
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
  /** Part of the column `setting`, with its own field. */
  proxy: string
  /** Part of the column `setting`, with its own field. */
  apiFormat: ApiFormatChoice
  /** The rest of the column `setting`. */
  setting: string
  statusMapping: string
  paramOverride: string
}>

/** The form's initial draft, from a channel or for a new one (docs/reference/screens.md#channel-editor). */
export function draftOf(channel: ChannelView | undefined): Draft {
  if (!channel) return newDraft
  const { proxy, apiFormat, setting } = splitSetting(channel.setting)
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
    apiFormat,
    setting,
    statusMapping: channel.status_code_mapping,
    paramOverride: channel.param_override,
  }
}

/** The column `setting` of a draft, including the members with their own fields. */
export function settingOf({ setting, proxy, apiFormat }: Pick<Draft, 'setting' | 'proxy' | 'apiFormat'>): string {
  const own = {
    ...(proxy.trim() === '' ? {} : { proxy: proxy.trim() }),
    ...(apiFormat === 'auto' ? {} : { api_format: apiFormat }),
  }
  return Object.keys(own).length === 0 ? setting.trim() : JSON.stringify({ ...objectIn(setting), ...own })
}

/** A new channel; the system may disable it on failures. */
export const newDraft: Draft = {
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
  apiFormat: 'auto',
  setting: '',
  statusMapping: '',
  paramOverride: '',
}

/** Members that have no field, or whose values no field can show, stay in the JSON. */
function splitSetting(text: string): Pick<Draft, 'proxy' | 'apiFormat' | 'setting'> {
  const all = objectIn(text) ?? {}
  const { proxy, api_format, ...rest } = all
  const apiFormat = apiFormatChoice(api_format)
  const isSplit = typeof proxy === 'string' || apiFormat !== undefined
  if (!isSplit) return { proxy: '', apiFormat: 'auto', setting: text }
  const unshown = {
    ...(proxy === undefined || typeof proxy === 'string' ? {} : { proxy }),
    ...(api_format === undefined || apiFormat ? {} : { api_format }),
    ...rest,
  }
  return {
    proxy: typeof proxy === 'string' ? proxy : '',
    apiFormat: apiFormat ?? 'auto',
    setting: Object.keys(unshown).length === 0 ? '' : JSON.stringify(unshown, null, 2),
  }
}
