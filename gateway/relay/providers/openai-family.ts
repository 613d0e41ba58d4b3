import { chatModel } from '../capabilities/chat-models.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Provider, Target } from './provider.ts'

const bearer = ({ channel }: Target) => ({ authorization: `Bearer ${channel.key}` })
const below =
  (path: string) =>
  ({ channel }: Target) =>
    join(channel.baseUrl, path)

/** Vendors with OpenAI's wire format and paths (docs/reference/channel-types.md#openai). */
export const openaiFamily: Provider = {
  paths: {
    chat: below('/v1/chat/completions'),
    completions: below('/v1/completions'),
    edits: below('/v1/edits'),
    embeddings: below('/v1/embeddings'),
    moderations: below('/v1/moderations'),
    images: below('/v1/images/generations'),
    'image-edits': below('/v1/images/edits'),
    speech: below('/v1/audio/speech'),
    transcriptions: below('/v1/audio/transcriptions'),
    translations: below('/v1/audio/translations'),
    rerank: below('/v1/rerank'),
  },
  headers: bearer,
}

const responses = (target: Target): string => below(`/v1/responses${target.compacts ? '/compact' : ''}`)(target)

/** OpenAI itself, with the organization header if the channel has one. */
export const openai: Provider = {
  ...openaiFamily,
  paths: { ...openaiFamily.paths, responses, realtime },
  compacts: true,
  countTokensPaths: { responses: below('/v1/responses/input_tokens') },
  apiFormatOf: (model) => chatModel(model)?.apiFormat,
  isNativeOpenAi: true,
  takesCacheKey: ({ model }) => isOpenAiModel(model),
  headers: (target) => ({
    ...bearer(target),
    ...(target.channel.organization ? { 'openai-organization': target.channel.organization } : {}),
    ...(target.endpoint === 'realtime' && isBeta(target) ? { 'openai-beta': 'realtime=v1' } : {}),
  }),
}

/**
 * A session is opened for a model, or for transcription, whose model the session specifies
 * (docs/reference/channel-types.md#openai).
 */
function realtime(target: Target): string {
  const session = isTranscription(target) ? 'intent=transcription' : `model=${encodeURIComponent(target.model)}`
  return `${below('/v1/realtime')(target)}?${session}`
}

const isTranscription = ({ query }: Target): boolean => new URLSearchParams(query).get('intent') === 'transcription'

/**
 * Whether the realtime interface's beta is used: for models that predate its successor, and transcriptions that request
 * it.
 */
const isBeta = (target: Target): boolean =>
  isTranscription(target)
    ? /realtime=v1/.test(String(target.clientHeaders['openai-beta']))
    : !/^gpt-realtime/.test(target.model)

/**
 * Whether only OpenAI serves a model, even through a proxy: other vendors behind this type of channel refuse
 * OpenAI-only members.
 */
export const isOpenAiModel = (model: string): boolean => !model.includes('/') && chatModel(model)?.isOpenAi === true

const isClaude = (model: string): boolean => model.startsWith('anthropic/')

/** OpenRouter, which ranks applications by the headers `http-referer` and `x-title`. */
export const openRouter: Provider = {
  ...openaiFamily,
  takesCacheMarks: isClaude,
  cachesByMarks: ({ model }) => isClaude(model),
  headers: (target) => ({ ...bearer(target), 'http-referer': 'https://switchyard.dev', 'x-title': 'Switchyard' }),
}

/** The channel's URL is the complete request URL; `{model}` in it is replaced by the upstream's name of the model. */
export const fullUrl: Provider = {
  paths: Object.fromEntries(Object.keys(openaiFamily.paths).map((endpoint) => [endpoint, requestUrl])),
  headers: bearer,
}

/**
 * OpenAI's wire format at other paths; `{other}` is replaced by the channel's `other` field. Endpoints without a path
 * are not offered.
 */
export function elsewhere(paths: Readonly<Partial<Record<Endpoint, string>>>): Provider {
  const built = Object.entries(paths).map(([endpoint, path]) => [
    endpoint,
    ({ channel }: Target) => channel.baseUrl + path.replace('{other}', encodeURIComponent(channel.other)),
  ])
  return { paths: Object.fromEntries(built), headers: bearer }
}

function requestUrl({ channel, model }: Target): string {
  return channel.baseUrl.replaceAll('{model}', encodeURIComponent(model))
}

/** Cloudflare's AI gateway for OpenAI has no `/v1` (docs/reference/channel-types.md#common-rules). */
const join = (base: string, path: string): string =>
  base.startsWith('https://gateway.ai.cloudflare.com') ? base + path.slice('/v1'.length) : base + path
