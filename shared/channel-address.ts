import { baiduName } from './baidu-models.ts'
import { type ChannelTypeName, channelTypeNameById, channelTypes } from './channel-types.ts'
import { sparkVersion } from './spark-version.ts'

type AddressFields = Readonly<{
  type: number
  /** As typed; empty for the type's own address. */
  base_url: string
  other?: string
  /** The upstream's name of a model; without one, the URL contains `{model}`. */
  model?: string
}>

/**
 * What is wrong with a typed address. `doubled`: it repeats what the gateway adds; `missing`: it lacks a part that
 * calls need.
 */
type AddressFlaw = 'doubled' | 'missing' | 'invalid'

type ChannelAddress = Readonly<{
  flaw: AddressFlaw | null
  /** The address to store: corrected, without a trailing slash; as typed if it cannot be corrected. */
  base: string
  /** The exact URL of an ordinary call, with the corrected address; empty if it cannot be determined. */
  url: string
}>

/** Determines a channel's corrected address and the URL of its calls (docs/reference/design.md#first-five-minutes). */
export function channelAddress({ type, base_url, other = '', model = '' }: AddressFields): ChannelAddress {
  const name = channelTypeNameById(type) ?? 'openai'
  const typed = base_url.trim().replace(/(?<!\/)\/+$/, '')
  if (typed !== '' && !isAddress(typed)) return { flaw: 'invalid', base: typed, url: '' }
  const base = corrected(name, typed)
  const flaw = flawBetween(typed, base)
  const fullBase = base || channelTypes[name].baseUrl
  return { flaw, base, url: fullBase === '' ? '' : urlOf(name, fullBase, other, model) }
}

/** The URL of an ordinary call below a base address, as the relay builds it (docs/reference/channel-types.md#types). */
function urlOf(name: ChannelTypeName, base: string, other: string, model: string): string {
  const shown = model === '' ? '{model}' : encodeURIComponent(name === 'baidu' ? baiduName(model) : model)
  if (name === 'custom') return base.replaceAll('{model}', shown)
  const path = name === 'volcengine' && model.startsWith('bot') ? BOTS : pathOf(name)
  if (path === undefined) return ''
  const given = other.trim() || fallbacks[name]
  const filled = path
    .replace('{other}', given ? encodeURIComponent(given) : '{id}')
    .replace('{model}', shown)
    .replace('{version}', encodeURIComponent(sparkVersion(model, other)))
  return base + (base.startsWith(AI_GATEWAY) ? withoutGatewayPrefix(name, filled) : filled)
}

/** The path of Volcengine's bots, which are called by id instead of a model. */
const BOTS = '/api/v3/bots/chat/completions'

/** The path of an ordinary call below the address: a chat if the vendor has one. */
const pathOf = (name: ChannelTypeName): string | undefined =>
  callPaths[name] ?? (channelTypes[name].wire === 'openai' ? '/v1/chat/completions' : undefined)

const callPaths: Readonly<Partial<Record<ChannelTypeName, string>>> = {
  minimax: '/v1/text/chatcompletion_v2',
  ollama: '/v1/chat/completions',
  deepseek: '/v1/chat/completions',
  ali: '/compatible-mode/v1/chat/completions',
  tencent: '/',
  xunfei: '/{version}/chat',
  zhipu: '/api/paas/v3/model-api/{model}/invoke',
  'zhipu-v4': '/api/paas/v4/chat/completions',
  perplexity: '/chat/completions',
  volcengine: '/api/v3/chat/completions',
  baidu: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/{model}',
  'baidu-v2': '/v2/chat/completions',
  cloudflare: '/client/v4/accounts/{other}/ai/v1/chat/completions',
  azure: '/openai/deployments/{model}/chat/completions?api-version={other}',
  anthropic: '/v1/messages',
  aws: '/model/{model}/invoke',
  gemini: '/v1beta/models/{model}:generateContent',
  cohere: '/v1/chat',
  mistral: '/v1/chat/completions',
  dify: '/v1/chat-messages',
  coze: '/v3/chat',
  jina: '/v1/embeddings',
  mokaai: '/embeddings',
  palm: '/v1beta2/models/{model}:generateMessage',
  'aiproxy-library': '/api/library/ask',
  midjourney: '/mj/submit/imagine',
  'midjourney-plus': '/mj/submit/imagine',
  suno: '/suno/submit/MUSIC',
}

/** The value used for an empty `other`, by type. */
const fallbacks: Readonly<Partial<Record<ChannelTypeName, string>>> = { azure: '2025-04-01-preview' }

/** The model list URL next to a full chat URL; undefined if the URL does not look like OpenAI's API. */
export function modelListUrl(chatUrl: string): string | undefined {
  const base = CHAT_URL.exec(chatUrl)?.[1]
  return base === undefined ? undefined : `${base}/models`
}

const CHAT_URL = /^([^?{]{1,2000})\/chat\/completions$/

/** URL suffixes that users paste with the address; each call adds its own. */
const pastedEnds = /\/(chat\/completions|completions|embeddings|responses|messages|models)$/

/** Removes what the gateway adds itself, and adds missing parts of the vendor's own address. */
function corrected(name: ChannelTypeName, typed: string): string {
  if (typed === '') return ''
  if (name === 'custom') return fullUrl(typed)
  const bare = withoutPath(typed.replace(pastedEnds, ''), pathOf(name) ?? '/v1')
  const own = channelTypes[name].baseUrl
  return own !== '' && isBareHostOf(own, bare) ? own : bare
}

/**
 * A custom channel's address is the full URL: one that ends at the host or at `/v1`, without a query, is extended to
 * the chat path.
 */
function fullUrl(typed: string): string {
  const [, , path = '', query = ''] = addressParts.exec(typed) ?? []
  if (query !== '') return typed
  if (path === '') return `${typed}/v1/chat/completions`
  return path.endsWith('/v1') ? `${typed}/chat/completions` : typed
}

/** Removes the longest prefix of the call's path, or else `/v1`, from the end of the address, by whole segments. */
function withoutPath(address: string, path: string): string {
  const segments = path.split('?')[0]?.split('/').slice(1) ?? []
  const beginnings = segments.map((_, index) => `/${segments.slice(0, segments.length - index).join('/')}`)
  const doubled = [...beginnings, '/v1'].find((beginning) => address.endsWith(beginning))
  return doubled === undefined ? address : address.slice(0, -doubled.length).replace(/(?<!\/)\/+$/, '')
}

/** Whether the address is the vendor's own host without its path. */
function isBareHostOf(own: string, address: string): boolean {
  const [, ownHost, ownPath = ''] = addressParts.exec(own) ?? []
  const [, host, path = ''] = addressParts.exec(address) ?? []
  return ownPath !== '' && host === ownHost && path === ''
}

const AI_GATEWAY = 'https://gateway.ai.cloudflare.com'

/**
 * The path behind Cloudflare's AI gateway, which itself adds the prefix for plain OpenAI wires and Azure
 * (docs/reference/channel-types.md#common-rules).
 */
function withoutGatewayPrefix(name: ChannelTypeName, path: string): string {
  if (name === 'azure') return path.replace('/openai/deployments', '')
  return callPaths[name] === undefined ? path.slice('/v1'.length) : path
}

/** Host, path without a trailing slash, and query of an address. */
const addressParts = /^https?:\/\/([^/?#\s]+)((?:\/[^?#\s]*)?)(\?\S*)?$/i

const isAddress = (typed: string): boolean => addressParts.test(typed)

function flawBetween(typed: string, base: string): AddressFlaw | null {
  if (typed === base) return null
  return base.length < typed.length ? 'doubled' : 'missing'
}
