import { type ChannelTypeName, channelTypeNameById } from '../../../../shared/channel-types.ts'

/**
 * Members of the column `setting` with a field here (docs/reference/selection.md#channel-settings); proxy and API
 * format have fields elsewhere. `only` restricts a member to one channel type.
 */
const settingTable = [
  { name: 'max_concurrency', as: 'number' },
  { name: 'system_prompt', as: 'text' },
  { name: 'system_prompt_override', as: 'switch' },
  { name: 'structured_output', as: 'choice', choices: ['auto', 'native', 'tool', 'prompt'] },
  { name: 'force_format', as: 'switch' },
  { name: 'thinking_to_content', as: 'switch' },
  { name: 'pass_through_body_enabled', as: 'switch' },
  { name: 'tools_as_functions', as: 'switch' },
  { name: 'disable_store', as: 'switch' },
  { name: 'keep_bodies', as: 'switch' },
  { name: 'free_of_charge', as: 'switch' },
  { name: 'allow_account_data', as: 'switch' },
  { name: 'allow_service_tier', as: 'switch' },
  { name: 'allow_safety_identifier', as: 'switch' },
  { name: 'allow_inference_geo', as: 'switch' },
  { name: 'allow_speed', as: 'switch' },
  { name: 'claude_beta_query', as: 'switch', only: 'anthropic' },
  { name: 'azure_responses_version', as: 'line', only: 'azure' },
  { name: 'vertex_key_type', as: 'choice', choices: ['json', 'api_key'], only: 'vertex' },
] as const satisfies readonly Readonly<{
  name: string
  as: 'switch' | 'text' | 'line' | 'number' | 'choice'
  choices?: readonly string[]
  only?: ChannelTypeName
}>[]
export type SettingField = (typeof settingTable)[number]

/** The fields of a channel type, and those of other types whose members are set nevertheless. */
export const settingsOf = (type: number, set: Readonly<Record<string, unknown>>): readonly SettingField[] =>
  settingTable.filter((field) => !('only' in field) || field.only === channelTypeNameById(type) || field.name in set)

/** Members without a field; they are preserved. */
export const otherSettings = (set: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(set).filter((name) => settingTable.every((field) => field.name !== name))
