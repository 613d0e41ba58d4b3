import { withoutBillingLine } from '../formats/anthropic/billing-line.ts'
import { withClaudeHeaders } from './claude-headers.ts'
import type { Members, Provider, Target } from './provider.ts'

const VERSION = '2023-06-01'

/**
 * Anthropic's own API (docs/reference/channel-types.md#anthropic): the caller's version and beta headers are forwarded.
 */
export const anthropic: Provider = {
  paths: {
    messages: ({ channel: { baseUrl, setting } }) =>
      `${baseUrl}/v1/messages${setting.claude_beta_query ? '?beta=true' : ''}`,
  },
  countTokensPaths: { messages: ({ channel }) => `${channel.baseUrl}/v1/messages/count_tokens` },
  headers: (target: Target) => {
    const { channel, clientHeaders } = target
    const version = clientHeaders['anthropic-version']
    const beta = clientHeaders['anthropic-beta']
    return withClaudeHeaders(target, {
      'x-api-key': channel.key,
      'anthropic-version': typeof version === 'string' && version !== '' ? version : VERSION,
      ...(beta === undefined ? {} : { 'anthropic-beta': String(beta) }),
    })
  },
  cachesByMarks: ({ model }) => isClaude(model),
  patchBody: ({ system }, { endpoint, model }) => {
    // Models other than Claude are other vendors'; their Anthropic-compatible APIs cache by prefix, which the billing
    // line would change.
    if (endpoint !== 'messages' || isClaude(model)) return UNCHANGED
    const cleaned = withoutBillingLine(system)
    return cleaned === system ? UNCHANGED : new Map([['system', cleaned]])
  },
}

const isClaude = (model: string): boolean => /claude/i.test(model)

const UNCHANGED: Members = new Map()
