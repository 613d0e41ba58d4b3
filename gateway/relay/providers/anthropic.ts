import { withClaudeHeaders } from './claude-headers.ts'
import type { Provider, Target } from './provider.ts'

const VERSION = '2023-06-01'

/** Anthropic itself (spec/relay.md §2.3 "claude"): the caller's version and beta headers go on. */
export const anthropic: Provider = {
  paths: {
    messages: ({ channel: { baseUrl, setting } }) =>
      `${baseUrl}/v1/messages${setting.claude_beta_query ? '?beta=true' : ''}`,
  },
  counts: { messages: ({ channel }) => `${channel.baseUrl}/v1/messages/count_tokens` },
  headers: (target: Target) => {
    const { channel, client } = target
    const version = client['anthropic-version']
    const beta = client['anthropic-beta']
    return withClaudeHeaders(target, {
      'x-api-key': channel.key,
      'anthropic-version': typeof version === 'string' && version !== '' ? version : VERSION,
      ...(beta === undefined ? {} : { 'anthropic-beta': String(beta) }),
    })
  },
}
