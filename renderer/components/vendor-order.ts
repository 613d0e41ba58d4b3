import type { ChannelTypeName } from '../../shared/channel-types.ts'

/** Well-known vendors in order of popularity; all others follow in the order they were in. */
const order: readonly ChannelTypeName[] = [
  'openai',
  'anthropic',
  'gemini',
  'deepseek',
  'openrouter',
  'azure',
  'aws',
  'vertex',
  'xai',
  'mistral',
  'moonshot',
  'ali',
  'volcengine',
  'zhipu-v4',
  'siliconflow',
  'minimax',
  'perplexity',
  'cohere',
  'cloudflare',
  'ollama',
  'xinference',
  'custom',
  'baidu-v2',
  'tencent',
  'xunfei',
  'lingyiwanwu',
  'zhinao',
  'zhipu',
  'baidu',
  'jina',
  'mokaai',
  'dify',
  'coze',
  'fastgpt',
  'aiproxy-library',
  'midjourney',
  'midjourney-plus',
  'suno',
  'palm',
]

export const wellKnownFirst = (vendors: readonly ChannelTypeName[]): readonly ChannelTypeName[] =>
  [...vendors].sort((one, other) => rankOf(one) - rankOf(other))

function rankOf(vendor: ChannelTypeName): number {
  const index = order.indexOf(vendor)
  return index < 0 ? order.length : index
}
