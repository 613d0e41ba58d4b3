import type { ChannelTypeName } from '../../../shared/channel-types.ts'

/** The vendors in the order most people look for them; the others follow in their own. */
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

/** The vendors people know first, then the others as they come. */
export const wellKnownFirst = (vendors: readonly ChannelTypeName[]): readonly ChannelTypeName[] =>
  [...vendors].sort((one, other) => placeOf(one) - placeOf(other))

function placeOf(vendor: ChannelTypeName): number {
  const place = order.indexOf(vendor)
  return place < 0 ? order.length : place
}
