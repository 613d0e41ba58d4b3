import type { ChannelTypeName } from '../../../shared/channel-types.ts'

/** Two letters for every vendor, no two alike, in the order most people look for them; the others follow in their own. */
const marks = {
  openai: 'OA',
  anthropic: 'An',
  gemini: 'Ge',
  deepseek: 'DS',
  openrouter: 'OR',
  azure: 'Az',
  aws: 'Be',
  vertex: 'Ve',
  xai: 'xA',
  mistral: 'Mi',
  moonshot: 'Mo',
  ali: 'Qw',
  volcengine: 'Db',
  'zhipu-v4': 'Zp',
  siliconflow: 'SF',
  minimax: 'MM',
  perplexity: 'Pe',
  cohere: 'Co',
  cloudflare: 'CF',
  ollama: 'Ol',
  xinference: 'Xi',
  custom: '…',
  'baidu-v2': 'B2',
  tencent: 'Hy',
  xunfei: 'Sp',
  lingyiwanwu: 'Yi',
  zhinao: '36',
  zhipu: 'Z3',
  baidu: 'B1',
  jina: 'Ji',
  mokaai: 'M3',
  dify: 'Df',
  coze: 'Cz',
  fastgpt: 'FG',
  'aiproxy-library': 'AP',
  midjourney: 'MJ',
  'midjourney-plus': 'M+',
  suno: 'Su',
  palm: 'PL',
} as const satisfies Partial<Record<ChannelTypeName, string>>

const markOf: Readonly<Partial<Record<ChannelTypeName, string>>> = marks
const order: readonly string[] = Object.keys(marks)

/** The letters on a vendor's card; the beginning of its name where it has none of its own. */
export const vendorMark = (vendor: ChannelTypeName): string => markOf[vendor] ?? vendor.slice(0, 2)

/** The vendors people know first, then the others as they come. */
export const wellKnownFirst = (vendors: readonly ChannelTypeName[]): readonly ChannelTypeName[] =>
  [...vendors].sort((one, other) => placeOf(one) - placeOf(other))

function placeOf(vendor: ChannelTypeName): number {
  const place = order.indexOf(vendor)
  return place < 0 ? order.length : place
}
