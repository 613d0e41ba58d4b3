import { modelListUrl } from '../../../shared/channel-address.ts'
import { type ChannelAuth, channelTypeById, channelTypeNames, channelTypes } from '../../../shared/channel-types.ts'
import { nested } from '../../../shared/messages/format.ts'
import { refuse } from '../../base/errors.ts'
import { objectIn, parsed, textIn } from '../../base/json/json.ts'
import type { FetchRequest, FetchTrusted } from '../../base/network/http-client.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { baseUrlOf } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { defaultModels } from '../registry/default-models.ts'
import { keysFrom } from '../registry/keys.ts'
import { findChannel } from '../registry/write-channels.ts'

type ModelSource = Readonly<{ type: number; base_url: string; key: string; proxy?: string }>

/** Queries an upstream for its models (docs/reference/channels.md#model-lists). */
export interface ModelList {
  /** Uses an address and a key that are not stored yet; if there are several keys, the first. */
  of(source: ModelSource): Promise<string[]>
  ofChannel(id: number): Promise<string[]>
}

type ModelListDeps = Readonly<{ db: Db; registry: ChannelRegistry; fetchTrusted: FetchTrusted }>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 2 * 1024 * 1024
/** Max models read from a list; larger than any vendor's. */
const MAX_MODELS = 10_000

/** The request for an upstream's model list; undefined if it has none. If there are several keys, uses the first. */
export function modelListRequest({ type, base_url, key, proxy = '' }: ModelSource): ModelListRequest | undefined {
  const base = baseUrlOf(type, base_url)
  const source = (channelTypeById(type) ?? channelTypeById(channelTypes.openai.id))?.modelList
  const url = type === channelTypes.custom.id ? modelListUrl(base) : source && base && base + source.path
  if (!url) return undefined
  const [first = ''] = keysFrom(type, key)
  const headers = headersFor(source?.auth ?? 'bearer', first)
  return { url, options: { headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, proxy } }
}
type ModelListRequest = Readonly<{ url: string; options: FetchRequest }>

/** Parses the ids in a model list, unique and without Gemini's prefix; undefined if it is not a model list. */
export function modelsIn(text: string): string[] | undefined {
  const { data } = objectIn(parsed(text))
  if (!Array.isArray(data)) return undefined
  const ids = data.slice(0, MAX_MODELS).map((model) => textIn(objectIn(model).id)?.replace(/^models\//, '') ?? '')
  return ids.includes('') ? undefined : [...new Set(ids)]
}

/** Throws `models.fail` if the list cannot be read, with the upstream's status if there is one. */
export function createModelList(deps: ModelListDeps): ModelList {
  const of = async (source: ModelSource): Promise<string[]> => {
    const request = modelListRequest(source)
    if (!request) throw refuse('invalid', 'models.fail')
    const { status, text } = await deps.fetchTrusted(request.url, request.options).catch((cause: unknown) => {
      throw refuse('upstream', 'models.fail', {}, { cause })
    })
    if (status !== 200) throw refuse('upstream', 'http.other', { message: `${nested('models.fail')} (${status})` })
    const models = modelsIn(text)
    if (!models) throw refuse('upstream', 'models.fail')
    return models
  }
  return {
    of,
    async ofChannel(id) {
      const { type, baseUrl, key, setting } = await findChannel(deps, id)
      return of({ type, base_url: baseUrl, key, proxy: setting.proxy })
    },
  }
}

/** A vendor whose calls are signed takes the key as a bearer token here; without a key, sends no header (Ollama). */
function headersFor(auth: ChannelAuth, key: string): Record<string, string> {
  if (key === '') return {}
  if (auth === 'x-api-key') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return { authorization: `Bearer ${key}` }
}

type ModelObject = Readonly<{
  id: string
  object: 'model'
  /** Unix seconds; a constant used by related gateways, since the real time is unknown. */
  created: number
  owned_by: string
  permission: readonly never[]
  root: string
  parent: null
}>

const CREATED = 1_626_777_600

/**
 * The default models of all channel types and the models that channels offer now, unique and sorted by name, each owned
 * by the first type that has it, or by `custom` (docs/reference/api.md#groups-and-models).
 */
export function knownModels(offered: readonly string[]): ModelObject[] {
  const owners = new Map<string, string>()
  for (const name of channelTypeNames)
    for (const model of defaultModels[name]) if (!owners.has(model)) owners.set(model, channelTypes[name].label)
  for (const model of offered) if (!owners.has(model)) owners.set(model, 'custom')
  return [...owners]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, owned_by]) => ({
      id,
      object: 'model',
      created: CREATED,
      owned_by,
      permission: [],
      root: id,
      parent: null,
    }))
}
