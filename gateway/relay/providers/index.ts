import { type ChannelTypeName, channelTypes } from '../../../shared/channel-types.ts'
import { aiProxyLibrary } from './ai-proxy-library.ts'
import { ali } from './ali.ts'
import { anthropic } from './anthropic.ts'
import { aws } from './aws/provider.ts'
import { azure } from './azure.ts'
import { midjourneyProxy, sunoApi } from './background.ts'
import { baidu } from './baidu/provider.ts'
import { baiduV2 } from './baidu-v2.ts'
import { cloudflare } from './cloudflare.ts'
import { cohere } from './cohere/request.ts'
import { coze } from './coze/provider.ts'
import { deepseek } from './deepseek.ts'
import { dify } from './dify/provider.ts'
import { gemini } from './gemini.ts'
import { limitEdits } from './ignored-params.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { mokaai } from './mokaai.ts'
import { ollama } from './ollama.ts'
import { elsewhere, fullUrl, openai, openaiFamily, openRouter } from './openai-family.ts'
import { jinaEmbeddings, siliconflowImages } from './own-fields.ts'
import { palm } from './palm.ts'
import { perplexity } from './perplexity.ts'
import type { Provider } from './provider.ts'
import { tencent } from './tencent/provider.ts'
import { vertex } from './vertex/provider.ts'
import { volcengine } from './volcengine.ts'
import { xai } from './xai.ts'
import { xunfei } from './xunfei/provider.ts'
import { zhipu } from './zhipu/provider.ts'
import { zhipuV4 } from './zhipu-v4.ts'

/** The channel types that differ from plain OpenAI (docs/reference/channel-types.md#types). */
const special: Readonly<Partial<Record<ChannelTypeName, Provider>>> = {
  openai,
  azure,
  anthropic,
  aws,
  vertex,
  coze,
  dify,
  baidu,
  zhipu,
  tencent,
  xunfei,
  gemini,
  openrouter: openRouter,
  custom: fullUrl,
  minimax,
  ollama,
  ali,
  cohere,
  jina: {
    ...elsewhere({ embeddings: '/v1/embeddings', rerank: '/v1/rerank' }),
    bridges: { embeddings: jinaEmbeddings },
  },
  mokaai,
  moonshot: { ...openaiFamily, takesCacheKey: () => true },
  mistral,
  siliconflow: {
    ...openaiFamily,
    excludesReasoning: true,
    patchBody: (json, { endpoint }) => new Map(endpoint === 'chat' ? limitEdits(json) : []),
    bridges: { images: siliconflowImages },
  },
  xai,
  'zhipu-v4': zhipuV4,
  perplexity,
  deepseek,
  volcengine,
  'baidu-v2': baiduV2,
  cloudflare,
  palm,
  'aiproxy-library': aiProxyLibrary,
  midjourney: midjourneyProxy,
  'midjourney-plus': midjourneyProxy,
  suno: sunoApi,
}

/** Returns undefined for a wire format that this release does not support. */
export const providerFor = (type: ChannelTypeName): Provider | undefined =>
  special[type] ?? (channelTypes[type].wire === 'openai' ? openaiFamily : undefined)
