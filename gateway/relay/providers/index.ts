import { type ChannelTypeName, channelTypes } from '../../../shared/channel-types.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { cohere } from './cohere.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { elsewhere, fullUrl, openai, openaiFamily, openRouter } from './openai-family.ts'
import { aliRerank, jinaEmbeddings, mistralEmbeddings, siliconflowImages, xaiImages } from './own-fields.ts'
import type { Provider } from './provider.ts'

/** The vendors whose paths or headers differ from the plain OpenAI wire (spec/relay.md §2.3). */
const special: Readonly<Partial<Record<ChannelTypeName, Provider>>> = {
  openai,
  azure,
  anthropic,
  gemini,
  openrouter: openRouter,
  custom: fullUrl,
  minimax: elsewhere({ chat: '/v1/text/chatcompletion_v2' }),
  ollama,
  ali: {
    ...elsewhere({
      chat: '/compatible-mode/v1/chat/completions',
      completions: '/compatible-mode/v1/completions',
      embeddings: '/compatible-mode/v1/embeddings',
      rerank: '/api/v1/services/rerank/text-rerank/text-rerank',
    }),
    bridges: { rerank: aliRerank },
  },
  cohere,
  jina: {
    ...elsewhere({ embeddings: '/v1/embeddings', rerank: '/v1/rerank' }),
    bridges: { embeddings: jinaEmbeddings },
  },
  mokaai: elsewhere({ embeddings: '/embeddings' }),
  mistral: {
    ...elsewhere({
      chat: '/v1/chat/completions',
      embeddings: '/v1/embeddings',
      moderations: '/v1/moderations',
      transcriptions: '/v1/audio/transcriptions',
    }),
    bridges: { embeddings: mistralEmbeddings },
  },
  siliconflow: { ...openaiFamily, bridges: { images: siliconflowImages } },
  xai: { ...openaiFamily, bridges: { images: xaiImages } },
  'zhipu-v4': elsewhere({
    chat: '/api/paas/v4/chat/completions',
    embeddings: '/api/paas/v4/embeddings',
    images: '/api/paas/v4/images/generations',
  }),
  perplexity: elsewhere({ chat: '/chat/completions' }),
  deepseek: elsewhere({ chat: '/v1/chat/completions', completions: '/beta/completions' }),
  volcengine: elsewhere({
    chat: '/api/v3/chat/completions',
    embeddings: '/api/v3/embeddings',
    images: '/api/v3/images/generations',
  }),
  'baidu-v2': elsewhere({
    chat: '/v2/chat/completions',
    embeddings: '/v2/embeddings',
    images: '/v2/images/generations',
    rerank: '/v2/rerank',
  }),
  cloudflare: elsewhere({
    chat: '/client/v4/accounts/{other}/ai/v1/chat/completions',
    embeddings: '/client/v4/accounts/{other}/ai/v1/embeddings',
  }),
}

/** The provider of a channel type; undefined for a wire this release does not speak. */
export const providerFor = (type: ChannelTypeName): Provider | undefined =>
  special[type] ?? (channelTypes[type].wire === 'openai' ? openaiFamily : undefined)
