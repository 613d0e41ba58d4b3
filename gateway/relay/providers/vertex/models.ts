import { isObject, objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { Target } from '../provider.ts'

/** Vertex's names of Claude models, with the date after `@` (docs/reference/channel-types.md#vertex-ai). */
const claudes: Readonly<Record<string, string>> = {
  'claude-3-sonnet-20240229': 'claude-3-sonnet@20240229',
  'claude-3-opus-20240229': 'claude-3-opus@20240229',
  'claude-3-haiku-20240307': 'claude-3-haiku@20240307',
  'claude-3-5-sonnet-20240620': 'claude-3-5-sonnet@20240620',
  'claude-3-5-sonnet-20241022': 'claude-3-5-sonnet-v2@20241022',
  'claude-3-7-sonnet-20250219': 'claude-3-7-sonnet@20250219',
  'claude-sonnet-4-20250514': 'claude-sonnet-4@20250514',
  'claude-opus-4-20250514': 'claude-opus-4@20250514',
  'claude-opus-4-1-20250805': 'claude-opus-4-1@20250805',
  'claude-sonnet-4-5-20250929': 'claude-sonnet-4-5@20250929',
  'claude-haiku-4-5-20251001': 'claude-haiku-4-5@20251001',
  'claude-opus-4-5-20251101': 'claude-opus-4-5@20251101',
}

export const claudeName = (model: string): string => claudes[model] ?? model

/** Open models are requested with their publisher; Llama's is optional. */
export const openName = (model: string): string => (model.includes('/') ? model : `meta/${model}`)

/** The models of each endpoint (docs/reference/channel-types.md#vertex-ai). */
const families: Readonly<Partial<Record<Endpoint, RegExp>>> = {
  messages: /^claude/,
  generate: /^gemini(?!-embedding)/,
  chat: /llama|-maas$/,
  images: /^imagen/,
  predict: /^imagen/,
  embeddings: /^(text-embedding|text-multilingual-embedding|gemini-embedding)/,
}

/** Whether a model is available at an endpoint; an empty name means a Gemini model. */
export const isRequestedAt = (endpoint: Endpoint, model: string): boolean =>
  model === '' ? endpoint === 'generate' : (families[endpoint]?.test(model) ?? false)

const DEFAULT = 'us-central1'
/** Multi-region locations, whose hosts have another form. */
const MULTI_REGIONS = new Set(['us', 'eu'])

/**
 * Returns the region of a call: the channel's, or, if it is a map, the entry for the caller's name of the model, the
 * vendor's name, or the default.
 */
export function regionOf({ channel, requestedModel = '', model }: Target): string {
  const other = channel.other.trim()
  const map = parsed(other)
  if (!isObject(map)) return other || DEFAULT
  return [map[requestedModel], map[model], map.default].map(textIn).find(Boolean) ?? DEFAULT
}

/** The host of a region ("Locations" of Vertex AI). */
export function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com'
  return MULTI_REGIONS.has(region) ? `aiplatform.${region}.rep.googleapis.com` : `${region}-aiplatform.googleapis.com`
}

/** A Google service account, from the JSON file that is a channel's key; missing members are empty. */
export type ServiceAccount = Readonly<{
  project: string
  email: string
  privateKey: string
  keyId: string
  /** The endpoint that issues tokens, and the audience of the assertion. */
  tokenUrl: string
}>

const TOKEN_URL = 'https://oauth2.googleapis.com/token'

/** Reads a channel's key ("Service account key files" of Google Cloud). */
export function serviceAccount(key: string): ServiceAccount {
  const { project_id, client_email, private_key, private_key_id, token_uri } = objectIn(parsed(key))
  return {
    project: textIn(project_id) ?? '',
    email: textIn(client_email) ?? '',
    privateKey: textIn(private_key) ?? '',
    keyId: textIn(private_key_id) ?? '',
    tokenUrl: textIn(token_uri) || TOKEN_URL,
  }
}
