import { type ChannelTypeName, channelTypes } from '../../../shared/channel-types.ts'
import { elsewhere, fullUrl, openai, openaiFamily, openRouter } from './openai-family.ts'
import type { Provider } from './provider.ts'

/** The vendors whose paths or headers differ from the plain OpenAI wire (spec/relay.md §2.3). */
const special: Readonly<Partial<Record<ChannelTypeName, Provider>>> = {
  openai,
  openrouter: openRouter,
  custom: fullUrl,
  minimax: elsewhere({ chat: '/v1/text/chatcompletion_v2' }),
  ollama: elsewhere({ chat: '/v1/chat/completions', completions: '/v1/completions' }),
  ali: elsewhere({
    chat: '/compatible-mode/v1/chat/completions',
    completions: '/compatible-mode/v1/completions',
    embeddings: '/compatible-mode/v1/embeddings',
  }),
  'zhipu-v4': elsewhere({ chat: '/api/paas/v4/chat/completions', embeddings: '/api/paas/v4/embeddings' }),
  perplexity: elsewhere({ chat: '/chat/completions' }),
  deepseek: elsewhere({ chat: '/v1/chat/completions', completions: '/beta/completions' }),
  volcengine: elsewhere({ chat: '/api/v3/chat/completions', embeddings: '/api/v3/embeddings' }),
  'baidu-v2': elsewhere({ chat: '/v2/chat/completions', embeddings: '/v2/embeddings' }),
  cloudflare: elsewhere({
    chat: '/client/v4/accounts/{other}/ai/v1/chat/completions',
    embeddings: '/client/v4/accounts/{other}/ai/v1/embeddings',
  }),
}

/** The provider of a channel type; undefined for a wire this release does not speak. */
export const providerFor = (type: ChannelTypeName): Provider | undefined =>
  special[type] ?? (channelTypes[type].wire === 'openai' ? openaiFamily : undefined)
