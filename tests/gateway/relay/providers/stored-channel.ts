import { type ActiveChannel, activeChannel } from '../../../../gateway/channels/registry/active-channel.ts'

/** A channel as the relay reads it, with defaults except for the given columns. */
export function storedChannel(fields: Readonly<{ type: number; key?: string; other?: string }>): ActiveChannel {
  const texts = { key: '', openai_organization: '', model_mapping: '', status_code_mapping: '', setting: '' }
  const numbers = { id: 1, status: 1, max_input_tokens: 0, auto_ban: 1, priority: 0, weight: 0, created_time: 0 }
  const tested = { test_time: 0, response_time: 0, test_code: '', test_status: 0, test_message: '' } as const
  const unused = { ...tested, balance: 0, balance_updated_time: 0, used_quota: 0, other_info: '' }
  const rest = { name: 'a', base_url: '', other: '', param_override: '', test_model: '', models: 'm', tag: null }
  const row = { ...texts, ...numbers, ...unused, ...rest, group: 'default', ...fields }
  return activeChannel(row, { open: (text) => text })
}
