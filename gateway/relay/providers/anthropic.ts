import { betasFor, withClaudeHeaders } from './claude-headers.ts'
import type { Provider, Target } from './provider.ts'

const VERSION = '2023-06-01'

/** Anthropic itself (docs/reference/channel-types.md#anthropic): the caller's version and beta headers go on. */
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
}

/** Betas of Anthropic's own service; the clouds that host its models refuse a request that names one. */
const OWN_BETAS =
  /^(claude-code|oauth|files-api|mcp-client|skills|code-execution|web-fetch|message-batches|token-counting|prompt-caching|fast-mode)-/

/** The betas that are wanted of a Claude model that is hosted elsewhere than with Anthropic. */
export const hostedBetas = (target: Target): readonly string[] =>
  betasFor(target).filter((beta) => !OWN_BETAS.test(beta))
