import type { MessageKey } from '../../../shared/messages/en.ts'
import { percentDecoded } from '../../base/bytes/percent.ts'
import type { Format } from '../formats/format.ts'
import type { RelayRoute, RequestedEndpoint, RouteMatch } from '../model/endpoint.ts'

const route = (format: Format, endpoint: RequestedEndpoint): RelayRoute => ({ format, endpoint, playground: false })

/**
 * The relayed paths that do not contain a model: `METHOD path` to dialect and endpoint
 * (docs/reference/endpoints.md#relayed-paths).
 */
export const routes: Readonly<Record<string, RelayRoute>> = {
  'POST /v1/chat/completions': route('openai', 'chat'),
  'POST /v1/responses': route('responses', 'responses'),
  'POST /v1/responses/compact': { ...route('responses', 'responses'), compacts: true },
  'POST /v1/messages': route('anthropic', 'messages'),
  'POST /v1/completions': route('openai', 'completions'),
  'POST /v1/edits': route('openai', 'edits'),
  'POST /v1/embeddings': route('openai', 'embeddings'),
  'POST /v1/moderations': route('openai', 'moderations'),
  'POST /v1/images/generations': route('openai', 'images'),
  'POST /v1/images/edits': route('openai', 'image-edits'),
  'POST /v1/audio/speech': route('openai', 'speech'),
  'POST /v1/audio/transcriptions': route('openai', 'transcriptions'),
  'POST /v1/audio/translations': route('openai', 'translations'),
  'POST /v1/rerank': route('openai', 'rerank'),
  'POST /v2/rerank': route('openai', 'rerank'),
  'POST /pg/chat/completions': { ...route('openai', 'chat'), playground: true },
}

export const actions: Readonly<Record<string, RequestedEndpoint>> = {
  generateContent: 'generate',
  streamGenerateContent: 'generate',
  embedContent: 'embed-content',
  batchEmbedContents: 'batch-embed-contents',
  predict: 'predict',
}

/** Google's prefix for its endpoints in OpenAI's dialect ("OpenAI compatibility"). */
const GOOGLE_OPENAI = '/v1beta/openai/'

const byPath = new Map(
  Object.entries(routes).flatMap(([key, found]) => {
    const alias = key.replace(' /v1/', ` ${GOOGLE_OPENAI}`)
    return found.format === 'openai' && alias !== key
      ? [[key, found] as const, [alias, found] as const]
      : [[key, found] as const]
  }),
)
const ENGINE = /^\/v1\/engines\/([^/]+)\/embeddings$/
const GEMINI = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/

export function routeFor(method: string, path: string): RouteMatch | undefined {
  const found = byPath.get(`${method} ${path}`)
  if (found) return { route: found }
  if (method !== 'POST') return undefined
  const engine = ENGINE.exec(path)?.[1]
  if (engine) return { route: route('openai', 'embeddings'), model: percentDecoded(engine) }
  const [, model = '', action = ''] = GEMINI.exec(path) ?? []
  const endpoint = actions[action]
  return endpoint
    ? { route: route('gemini', endpoint), model: percentDecoded(model), stream: action === 'streamGenerateContent' }
    : undefined
}

/** The dialect of responses on a path, relayed or not. */
export function dialectOf(path: string): Format {
  if (path.startsWith('/v1/messages')) return 'anthropic'
  if (path.startsWith('/v1/responses') || path.startsWith('/v1/conversations')) return 'responses'
  const isGoogles = path.startsWith('/v1beta/') || path.startsWith('/upload/v1beta/')
  return (isGoogles && !path.startsWith(GOOGLE_OPENAI)) || GEMINI.test(path) ? 'gemini' : 'openai'
}

/** Unsupported paths, with the message that explains why (docs/reference/endpoints.md#other-paths). */
const unoffered: readonly (readonly [path: RegExp, sentence: MessageKey])[] = [
  [/^\/v1\/(messages\/)?batches(\/|$)|^\/v1beta\/batches(\/|$)|:(async)?batch\w+$/i, 'relay.noBatches'],
  [/^\/v1\/(files|uploads)(\/|$)|^(\/upload)?\/v1beta\/files(\/|$)/, 'relay.noFiles'],
  [/^\/v1\/videos(\/|$)|:predictLongRunning$/, 'relay.noVideos'],
  [/^\/v1\/(fine-tunes|fine_tuning|images\/variations|assistants|threads|vector_stores)(\/|$)/, 'relay.notImplemented'],
]

/** Why a path of the vendors' APIs gets 501 rather than 404; undefined for every other path. */
export function unofferedBecause(method: string, path: string): MessageKey | undefined {
  if (method === 'DELETE' && path.startsWith('/v1/models/')) return 'relay.notImplemented'
  const own = path.startsWith(GOOGLE_OPENAI) ? `/v1/${path.slice(GOOGLE_OPENAI.length)}` : path
  return unoffered.find(([pattern]) => pattern.test(own))?.[1]
}
