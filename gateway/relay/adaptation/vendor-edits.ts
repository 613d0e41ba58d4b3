import { isObject } from '../../base/json/json.ts'
import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import { PLAIN } from '../admission/plain-members.ts'
import type { Json } from '../formats/codec.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Members, NamedModel, Provider, Target } from '../providers/provider.ts'

export type VendorTarget = Readonly<{ provider: Provider; target: Target; named: NamedModel | undefined }>

export type Wanted = Readonly<{ edits: Members; dropped: readonly string[] }>

/**
 * Adds the edits required by the channel's settings, the model's name and the vendor (`Provider.parseModelName`,
 * `Provider.patchBody`).
 */
export function vendorEdits({ provider, target, named }: VendorTarget, json: Json, edits: Members): Wanted {
  if (target.endpoint === 'own') return { edits, dropped: NOTHING }
  const { setting } = target.channel
  const withheld = withheldIn(json, target.endpoint, setting)
  const mustNotStore = !target.compacts && mayStore(json, target.endpoint) && setting.disable_store
  const routed = target.endpoint === 'generate' ? withoutRouting(json) : NO_MEMBERS
  const isRenamed = MODEL_IN_PATH.has(target.endpoint) && json.model !== undefined
  const isChanged = withheld.length > 0 || routed.length > 0 || mustNotStore || isRenamed
  if (!provider.patchBody && !named?.members && !isChanged) return { edits, dropped: NOTHING }
  const all = new Map(edits)
  const dropped: string[] = [...withheld]
  for (const name of withheld) all.set(name, undefined)
  for (const { name, value, removed } of routed) {
    all.set(name, value)
    dropped.push(...removed.map((member) => `${name}.${member}`))
  }
  if (isRenamed) all.set('model', undefined)
  if (mustNotStore) all.set('store', false)
  if (mustNotStore && (json.store ?? false) !== false) dropped.push('store')
  if (target.endpoint === 'chat')
    for (const [name, value] of Object.entries(named?.members ?? {})) all.set(name, within(json[name], value))
  const patched = provider.patchBody?.(edited(json, all), target, (name) => void dropped.push(name)) ?? []
  for (const [name, value] of patched) all.set(name, value)
  return { edits: all, dropped }
}

/**
 * Members that the channel does not pass on (docs/reference/selection.md#channel-settings): most have a cost that
 * callers are not charged.
 */
function withheldIn(json: Json, endpoint: Endpoint, setting: ChannelSetting): readonly string[] {
  let withheld = unpaidIn(json, unpaid[endpoint])
  for (const name of gated[endpoint] ?? [])
    if (json[name] !== undefined && !setting[`allow_${name}`]) withheld = [...withheld, name]
  if (endpoint === 'generate' && json.serviceTier !== undefined && !setting.allow_service_tier)
    withheld = [...withheld, 'serviceTier']
  return withheld
}

/**
 * A request without the members that select other models or work that is not paid for; `drop` gets their names. Also
 * removes the model of a body if the path names it.
 */
export function paidMembers(json: Json, endpoint: Endpoint, drop: (name: string) => void): Json {
  const names = unpaidIn(json, unpaid[endpoint])
  for (const name of names) drop(name)
  const isRenamed = MODEL_IN_PATH.has(endpoint) && json.model !== undefined
  const removed = isRenamed ? [...names, 'model'] : names
  return removed.length > 0 ? edited(json, new Map(removed.map((name) => [name, undefined]))) : json
}

function unpaidIn(json: Json, names: readonly string[] | undefined): readonly string[] {
  if (!names) return NOTHING
  const found = Object.keys(json).filter((name) => names.includes(name) || namesModels(name, json[name]))
  return found.length > 0 ? found : NOTHING
}

/** Endpoints whose path names the model: a gateway behind the channel may prefer a model in the body. */
const MODEL_IN_PATH: ReadonlySet<Endpoint> = new Set(['generate', 'embed-content', 'batch-embed-contents', 'predict'])

/** Texts of callers, and Google's embeddings and predictions, whose models are checked elsewhere. */
const CONTENT: ReadonlySet<string> = new Set([
  ...['documents', 'query', 'texts', 'prediction', 'content', 'requests', 'instances', 'parameters'],
])

/**
 * Names by which gateways behind a channel choose another model, or accept further members of the body (`extra_body`).
 */
const MODELS =
  /model|fallback|routing|deployment|variant|extra_body|^(engine|config|router|prompt_id|custom_llm_provider)$/i
/** Max values of a member that are searched; a member with more of them is removed. */
const MAX_VALUES = 10_000

/**
 * Whether `provider`, or a member that this gateway does not know, selects other models, at any depth (Vercel, "Model
 * fallbacks": `providerOptions.gateway.models`; ZenMux, "Fallback": `provider.fallback`; Orq, "Fallbacks"; LiteLLM,
 * `mock_testing_fallbacks`, `deployment_id`, `prompt_id`; Groq, "Compound"; TensorZero, "extra_body").
 */
function namesModels(name: string, value: unknown): boolean {
  if ((PLAIN.has(name) && name !== 'provider') || CONTENT.has(name) || !value) return false
  if (MODELS.test(name)) return true
  let values = 0
  const isNamed = (inner: unknown): boolean => {
    values += 1
    if (values > MAX_VALUES) return true
    if (Array.isArray(inner)) return inner.some(isNamed)
    return isObject(inner) && Object.entries(inner).some(([key, one]) => isName(key, one) || isNamed(one))
  }
  const isName = (key: string, one: unknown) =>
    MODELS.test(key) && (typeof one === 'string' || isObject(one) || Array.isArray(one))
  return isNamed(value)
}

/**
 * Members with costs that are not counted here (docs/reference/billing.md#second-models): they select models other than
 * the call's own, the only one that the token allows and pays for, or they add models or work (OpenRouter, "Model
 * fallbacks", "Plugins", "Presets"; LiteLLM, "Fallbacks"; Anthropic, "Server-side fallbacks").
 */
const TALKS = [
  'models',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'plugins',
  'preset',
  'extra_body',
]
/**
 * Vendors' members for the number of images, other than `n`, in OpenAI's image API (SiliconFlow, Fireworks, Replicate,
 * fal.ai, Imagen; Volcengine, "Seedream").
 */
const IMAGES = [
  'batch_size',
  'num_images',
  'num_images_per_prompt',
  'num_outputs',
  'number_of_images',
  'sample_count',
  'sequential_image_generation',
  'sequential_image_generation_options',
]
const unpaid: Readonly<Partial<Record<Endpoint, readonly string[]>>> = {
  chat: TALKS,
  completions: TALKS,
  responses: TALKS,
  messages: TALKS,
  edits: TALKS,
  embeddings: TALKS,
  rerank: TALKS,
  moderations: TALKS,
  speech: TALKS,
  images: [...TALKS, ...IMAGES],
  'image-edits': [...TALKS, ...IMAGES],
  transcriptions: TALKS,
  translations: TALKS,
  generate: TALKS,
  'embed-content': TALKS,
  'batch-embed-contents': TALKS,
  predict: TALKS,
}

type Routed = Readonly<{ name: string; value: Json; removed: readonly string[] }>

/**
 * Returns the generation configs that have members by which Vertex serves a request by another model, without these
 * members (Vertex AI, "GenerationConfig.RoutingConfig").
 */
function withoutRouting(json: Json): readonly Routed[] {
  return ['generationConfig', 'generation_config'].flatMap((name) => {
    const config = json[name]
    const removed = isObject(config) ? ROUTING.filter((member) => member in config) : []
    if (!isObject(config) || removed.length === 0) return []
    const others = Object.entries(config).filter(([member]) => !removed.includes(member))
    return [{ name, value: Object.fromEntries(others), removed }]
  })
}

const ROUTING = ['routingConfig', 'routing_config', 'modelConfig', 'model_config']
const NO_MEMBERS: readonly Routed[] = []

const ofOpenai = ['service_tier', 'safety_identifier'] as const
const gated: Readonly<Partial<Record<Endpoint, readonly Gated[]>>> = {
  chat: ofOpenai,
  responses: ofOpenai,
  messages: ['service_tier', 'inference_geo', 'speed'],
  generate: ['service_tier'],
}
type Gated = (typeof ofOpenai)[number] | 'inference_geo' | 'speed'

/** The members that are removed by name; others are removed by pattern (`namesModels`). */
export const withheldMembers: readonly string[] = [...Object.values(unpaid), ...Object.values(gated)].flat()

/** Whether the vendor would store the response; with Responses, it does by default. */
const mayStore = ({ store }: Json, endpoint: Endpoint): boolean =>
  (endpoint === 'responses' && store !== false) || (endpoint === 'chat' && (store ?? false) !== false)

const NOTHING: readonly string[] = []

export const UNCHANGED: Wanted = { edits: new Map(), dropped: NOTHING }

export function edited(json: Json, edits: Members): Json {
  if (edits.size === 0) return json
  const changed: Record<string, unknown> = { ...json }
  for (const [name, value] of edits) {
    if (value === undefined) delete changed[name]
    else changed[name] = value
  }
  return changed
}

const within = (given: unknown, value: unknown): unknown =>
  isObject(given) && isObject(value) ? { ...given, ...value } : value
