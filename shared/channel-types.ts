import type { Locale } from './messages/format.ts'

/** How a call authenticates with the vendor (docs/reference/channel-types.md#common-rules). */
export type ChannelAuth =
  | 'bearer'
  | 'mj-api-secret'
  | 'api-key'
  | 'x-goog-api-key'
  | 'x-api-key'
  | 'access-token-query'
  | 'jwt'
  | 'signed-url'
  | 'tc3'
  | 'jwt-or-bearer'
  | 'sigv4'
  | 'google-token'

/** The format of the key field; all but the first and last are shown to users as is. */
type KeyFormat =
  | 'secret'
  | 'APIKey|SecretKey'
  | 'id.secret'
  | 'APPID|APISecret|APIKey'
  | 'APIKey-AppId'
  | 'AppId|SecretId|SecretKey'
  | 'AccessKey|SecretKey|Region'
  | 'service-account-json'

/** The meaning of the column `other` (docs/reference/channel-types.md#types). */
export type OtherMeaning = 'api-version' | 'plugin' | 'version' | 'library-id' | 'account-id' | 'region' | 'bot-id'

/** The console's form variant (docs/reference/screens.md#channel-editor, docs/reference/channel-types.md#types). */
export type FormVariant =
  | 'plain'
  | 'organization'
  | 'midjourney'
  | 'azure'
  | 'midjourney-plus'
  | 'full-url'
  | 'key-parts'
  | 'version'
  | 'library'
  | 'private-address'
  | 'suno'
  | 'chat-app'
  | 'account'
  | 'banner'
  | 'vertex'
  | 'endpoint-names'
  | 'bot'

/** The call that returns the balance (docs/reference/channels.md#balances). */
export type BalanceKind =
  | 'openai-billing'
  | 'aiproxy'
  | 'api2gpt'
  | 'aigc2d'
  | 'openrouter'
  | 'siliconflow'
  | 'deepseek'
  | 'moonshot'

type TagColor = 'blue' | 'green' | 'grey' | 'indigo' | 'light-blue' | 'orange' | 'pink' | 'purple' | 'teal' | 'violet'

/**
 * A kind of upstream service. An OpenAI-compatible vendor needs no code, only an entry here, its usual models and an
 * icon (CONTRIBUTING.md#add-a-thing).
 */
export interface ChannelType {
  readonly id: number
  readonly label: string
  readonly labelZh?: string
  /** The default address; empty if there is none. */
  readonly baseUrl: string
  /** `openai`: chat uses the OpenAI wire format. `own`: the type needs code in gateway/relay/providers. */
  readonly wire: 'openai' | 'own'
  readonly auth: ChannelAuth
  readonly keyFormat: KeyFormat
  readonly other: OtherMeaning | null
  readonly form: FormVariant
  readonly balance: BalanceKind | null
  /** The vendor's model list, below the base URL; null if there is none. */
  readonly modelList: { readonly path: string; readonly auth: ChannelAuth } | null
  /**
   * Whether chat streams request their usage with `stream_options`; the other types always report usage, or refuse this
   * field.
   */
  readonly streamOptions: boolean
  readonly testable: boolean
  readonly baseUrlRequired: boolean
  /** Whether new channels may be of this type; the others exist only for old channels. */
  readonly selectable: boolean
  readonly color: TagColor
}

const openaiWire = {
  wire: 'openai',
  auth: 'bearer',
  keyFormat: 'secret',
  other: null,
  form: 'plain',
  balance: null,
  modelList: { path: '/v1/models', auth: 'bearer' },
  streamOptions: true,
  testable: true,
  baseUrlRequired: false,
  selectable: true,
} as const

const ownWire = { ...openaiWire, wire: 'own', modelList: null, streamOptions: false } as const

/** The 45 channel types by name (docs/reference/channel-types.md#types); the tables store their ids. */
export const channelTypes = {
  openai: {
    ...openaiWire,
    id: 1,
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com',
    form: 'organization',
    balance: 'openai-billing',
    color: 'green',
  },
  midjourney: {
    ...ownWire,
    id: 2,
    label: 'Midjourney Proxy',
    baseUrl: 'https://oa.api2d.net',
    auth: 'mj-api-secret',
    form: 'midjourney',
    testable: false,
    baseUrlRequired: true,
    color: 'light-blue',
  },
  azure: {
    ...ownWire,
    id: 3,
    label: 'Azure OpenAI',
    baseUrl: '',
    auth: 'api-key',
    other: 'api-version',
    form: 'azure',
    streamOptions: true,
    baseUrlRequired: true,
    color: 'teal',
  },
  ollama: {
    ...openaiWire,
    id: 4,
    label: 'Ollama',
    baseUrl: 'http://localhost:11434',
    color: 'grey',
  },
  'midjourney-plus': {
    ...ownWire,
    id: 5,
    label: 'Midjourney Proxy Plus',
    baseUrl: 'https://api.openai-sb.com',
    auth: 'mj-api-secret',
    form: 'midjourney-plus',
    testable: false,
    baseUrlRequired: true,
    color: 'blue',
  },
  'openai-max': {
    ...openaiWire,
    id: 6,
    label: 'OpenAIMax',
    baseUrl: 'https://api.openaimax.com',
    selectable: false,
    color: 'blue',
  },
  ohmygpt: {
    ...openaiWire,
    id: 7,
    label: 'OhMyGPT',
    baseUrl: 'https://api.ohmygpt.com',
    selectable: false,
    color: 'blue',
  },
  custom: {
    ...openaiWire,
    id: 8,
    label: 'Custom endpoint',
    labelZh: '自定义渠道',
    baseUrl: '',
    form: 'full-url',
    balance: 'openai-billing',
    modelList: null,
    baseUrlRequired: true,
    color: 'pink',
  },
  ails: { ...openaiWire, id: 9, label: 'AILS', baseUrl: 'https://api.caipacity.com', selectable: false, color: 'blue' },
  aiproxy: {
    ...openaiWire,
    id: 10,
    label: 'AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    balance: 'aiproxy',
    selectable: false,
    color: 'blue',
  },
  palm: { ...ownWire, id: 11, label: 'Google PaLM2', baseUrl: '', auth: 'x-goog-api-key', color: 'orange' },
  api2gpt: {
    ...openaiWire,
    id: 12,
    label: 'API2GPT',
    baseUrl: 'https://api.api2gpt.com',
    balance: 'api2gpt',
    selectable: false,
    color: 'blue',
  },
  aigc2d: {
    ...openaiWire,
    id: 13,
    label: 'AIGC2D',
    baseUrl: 'https://api.aigc2d.com',
    balance: 'aigc2d',
    selectable: false,
    color: 'blue',
  },
  anthropic: {
    ...ownWire,
    id: 14,
    label: 'Anthropic Claude',
    baseUrl: 'https://api.anthropic.com',
    auth: 'x-api-key',
    modelList: { path: '/v1/models', auth: 'x-api-key' },
    streamOptions: true,
    color: 'indigo',
  },
  baidu: {
    ...ownWire,
    id: 15,
    label: 'Baidu Qianfan (v1)',
    labelZh: '百度文心千帆（v1）',
    baseUrl: 'https://aip.baidubce.com',
    auth: 'access-token-query',
    keyFormat: 'APIKey|SecretKey',
    form: 'key-parts',
    color: 'blue',
  },
  zhipu: {
    ...ownWire,
    id: 16,
    label: 'Zhipu ChatGLM (v3)',
    labelZh: '智谱 ChatGLM（v3）',
    baseUrl: 'https://open.bigmodel.cn',
    auth: 'jwt',
    keyFormat: 'id.secret',
    color: 'violet',
  },
  ali: {
    ...openaiWire,
    id: 17,
    label: 'Alibaba Qwen (DashScope)',
    labelZh: '阿里通义千问（DashScope）',
    baseUrl: 'https://dashscope.aliyuncs.com',
    other: 'plugin',
    modelList: { path: '/compatible-mode/v1/models', auth: 'bearer' },
    color: 'orange',
  },
  xunfei: {
    ...ownWire,
    id: 18,
    label: 'iFlytek Spark',
    labelZh: '讯飞星火认知',
    baseUrl: 'https://spark-api.xf-yun.com',
    auth: 'signed-url',
    keyFormat: 'APPID|APISecret|APIKey',
    other: 'version',
    form: 'version',
    color: 'blue',
  },
  zhinao: {
    ...openaiWire,
    id: 19,
    label: '360 Zhinao',
    labelZh: '360 智脑',
    baseUrl: 'https://api.360.cn',
    color: 'blue',
  },
  openrouter: {
    ...openaiWire,
    streamOptions: false,
    id: 20,
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api',
    balance: 'openrouter',
    color: 'green',
  },
  'aiproxy-library': {
    ...ownWire,
    id: 21,
    label: 'Knowledge base: AI Proxy',
    labelZh: '知识库：AI Proxy',
    baseUrl: 'https://api.aiproxy.io',
    other: 'library-id',
    form: 'library',
    testable: false,
    color: 'purple',
  },
  fastgpt: {
    ...openaiWire,
    streamOptions: false,
    id: 22,
    label: 'Knowledge base: FastGPT',
    labelZh: '知识库：FastGPT',
    baseUrl: 'https://fastgpt.run/api/openapi',
    keyFormat: 'APIKey-AppId',
    form: 'private-address',
    color: 'blue',
  },
  tencent: {
    ...ownWire,
    id: 23,
    label: 'Tencent Hunyuan',
    labelZh: '腾讯混元',
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    auth: 'tc3',
    keyFormat: 'AppId|SecretId|SecretKey',
    form: 'key-parts',
    color: 'teal',
  },
  gemini: {
    ...ownWire,
    id: 24,
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    auth: 'x-goog-api-key',
    modelList: { path: '/v1beta/openai/models', auth: 'bearer' },
    streamOptions: true,
    color: 'orange',
  },
  moonshot: {
    ...openaiWire,
    streamOptions: false,
    id: 25,
    label: 'Moonshot',
    labelZh: '月之暗面 Moonshot',
    baseUrl: 'https://api.moonshot.cn',
    balance: 'moonshot',
    color: 'green',
  },
  'zhipu-v4': {
    ...openaiWire,
    streamOptions: false,
    id: 26,
    label: 'Zhipu GLM-4V (v4)',
    labelZh: '智谱 GLM-4V（v4）',
    baseUrl: 'https://open.bigmodel.cn',
    auth: 'jwt-or-bearer',
    keyFormat: 'id.secret',
    modelList: { path: '/api/paas/v4/models', auth: 'jwt-or-bearer' },
    color: 'purple',
  },
  perplexity: {
    ...openaiWire,
    streamOptions: false,
    id: 27,
    label: 'Perplexity',
    baseUrl: 'https://api.perplexity.ai',
    modelList: null,
    color: 'blue',
  },
  lingyiwanwu: {
    ...openaiWire,
    id: 31,
    label: '01.AI Yi',
    labelZh: '零一万物',
    baseUrl: 'https://api.lingyiwanwu.com',
    color: 'green',
  },
  aws: {
    ...ownWire,
    id: 33,
    label: 'AWS Claude (Bedrock)',
    baseUrl: '',
    auth: 'sigv4',
    keyFormat: 'AccessKey|SecretKey|Region',
    form: 'key-parts',
    streamOptions: true,
    color: 'indigo',
  },
  cohere: {
    ...ownWire,
    id: 34,
    label: 'Cohere',
    baseUrl: 'https://api.cohere.ai',
    modelList: { path: '/v1/models', auth: 'bearer' },
    color: 'purple',
  },
  minimax: {
    ...openaiWire,
    streamOptions: false,
    id: 35,
    label: 'MiniMax',
    baseUrl: 'https://api.minimax.chat',
    modelList: null,
    color: 'green',
  },
  suno: {
    ...ownWire,
    id: 36,
    label: 'Suno API',
    baseUrl: '',
    form: 'suno',
    testable: false,
    baseUrlRequired: true,
    color: 'purple',
  },
  dify: { ...ownWire, id: 37, label: 'Dify', baseUrl: 'https://api.dify.ai', form: 'chat-app', color: 'teal' },
  jina: {
    ...ownWire,
    id: 38,
    label: 'Jina',
    baseUrl: 'https://api.jina.ai',
    modelList: { path: '/v1/models', auth: 'bearer' },
    color: 'blue',
  },
  cloudflare: {
    ...openaiWire,
    id: 39,
    label: 'Cloudflare Workers AI',
    baseUrl: 'https://api.cloudflare.com',
    other: 'account-id',
    form: 'account',
    modelList: null,
    color: 'grey',
  },
  siliconflow: {
    ...openaiWire,
    id: 40,
    label: 'SiliconCloud',
    labelZh: '硅基流动 SiliconCloud',
    baseUrl: 'https://api.siliconflow.cn',
    form: 'banner',
    balance: 'siliconflow',
    color: 'purple',
  },
  vertex: {
    ...ownWire,
    id: 41,
    label: 'Vertex AI',
    baseUrl: '',
    auth: 'google-token',
    keyFormat: 'service-account-json',
    other: 'region',
    form: 'vertex',
    color: 'blue',
  },
  mistral: {
    ...openaiWire,
    streamOptions: false,
    id: 42,
    label: 'Mistral AI',
    baseUrl: 'https://api.mistral.ai',
    color: 'blue',
  },
  deepseek: {
    ...openaiWire,
    id: 43,
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com',
    balance: 'deepseek',
    color: 'blue',
  },
  mokaai: {
    ...ownWire,
    id: 44,
    label: 'Embedding: MokaAI M3E',
    labelZh: '嵌入模型：MokaAI M3E',
    baseUrl: 'https://api.moka.ai',
    color: 'purple',
  },
  volcengine: {
    ...openaiWire,
    id: 45,
    label: 'Volcengine Ark / Doubao',
    labelZh: '字节火山方舟 / 豆包',
    baseUrl: 'https://ark.cn-beijing.volces.com',
    form: 'endpoint-names',
    modelList: { path: '/api/v3/models', auth: 'bearer' },
    color: 'blue',
  },
  'baidu-v2': {
    ...openaiWire,
    id: 46,
    label: 'Baidu Qianfan V2',
    labelZh: '百度文心千帆 V2',
    baseUrl: 'https://qianfan.baidubce.com',
    modelList: { path: '/v2/models', auth: 'bearer' },
    color: 'blue',
  },
  xinference: { ...openaiWire, id: 47, label: 'Xinference', baseUrl: '', baseUrlRequired: true, color: 'blue' },
  xai: { ...openaiWire, id: 48, label: 'xAI', baseUrl: 'https://api.x.ai', color: 'blue' },
  coze: {
    ...ownWire,
    id: 49,
    label: 'Coze',
    baseUrl: 'https://api.coze.cn',
    other: 'bot-id',
    form: 'bot',
    color: 'blue',
  },
} as const satisfies Record<string, ChannelType>

export type ChannelTypeName = keyof typeof channelTypes

/** Every name, in order of id. */
export const channelTypeNames = Object.keys(channelTypes) as ChannelTypeName[] // a literal of this module: no other keys

const namesById: ReadonlyMap<number, ChannelTypeName> = new Map(
  channelTypeNames.map((name) => [channelTypes[name].id, name]),
)

/** The name of a stored type id; undefined if unknown. */
export const channelTypeNameById = (id: number): ChannelTypeName | undefined => namesById.get(id)

/** The entry of a stored type id; undefined if unknown, in which case the relay treats the channel as `openai`. */
export function channelTypeById(id: number): ChannelType | undefined {
  const name = namesById.get(id)
  return name === undefined ? undefined : channelTypes[name]
}

export const channelTypeLabel = (type: ChannelType, locale: Locale): string =>
  locale === 'zh' ? (type.labelZh ?? type.label) : type.label
