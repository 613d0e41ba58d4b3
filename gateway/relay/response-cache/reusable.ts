import { objectIn, objectsIn } from '../../base/json/json.ts'
import { choicesOf } from '../intake/choices.ts'
import type { Call } from '../model/call.ts'
import type { RequestedEndpoint } from '../model/endpoint.ts'

/** Max bytes of a request that is cached: hashing longer ones would block others. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024

/**
 * Whether a response may be reused for an identical call (docs/reference/cache.md#cached-requests): the call sets
 * temperature 0, or `isRequested` is set, and it requests a single choice, has no side effects and refers to no data
 * stored elsewhere.
 */
export function isReusable(call: Call, isRequested: boolean): boolean {
  const { endpoint, json, form, bytes, route } = call
  if (form || route.compacts || !reused.includes(endpoint) || bytes.length > MAX_REQUEST_BYTES) return false
  if (!isRequested && temperatureOf(call) !== 0) return false
  return choicesOf(endpoint, json) === 1 && !isStored(call) && !reachesOut(call)
}

const reused: readonly RequestedEndpoint[] = [
  'chat',
  'responses',
  'messages',
  'generate',
  'completions',
  'embeddings',
  'embed-content',
  'batch-embed-contents',
  'rerank',
  'moderations',
]

function temperatureOf({ endpoint, json }: Call): unknown {
  if (endpoint !== 'generate') return json.temperature
  return objectIn(json.generationConfig ?? json.generation_config).temperature
}

/**
 * Whether the response, or what the request continues, is stored by the vendor or the gateway; Responses are stored by
 * default.
 */
function isStored({ endpoint, json, previousId, conversation }: Call): boolean {
  if (previousId !== undefined || conversation !== undefined || storedElsewhere.some((name) => json[name])) return true
  return endpoint === 'responses' ? json.store !== false : Boolean(json.store)
}

const storedElsewhere = [
  'previous_response_id',
  'conversation',
  'background',
  'container',
  'cachedContent',
  'cached_content',
]

/**
 * Whether the vendor looks up, runs or does something for the response, or stores a part of the prompt; client tools do
 * not count.
 */
function reachesOut({ endpoint, json }: Call): boolean {
  if (reaching.some((name) => json[name])) return true
  const tools = objectsIn(json.tools)
  if (endpoint === 'generate') return tools.some((tool) => Object.keys(tool).some((name) => !declared.includes(name)))
  return tools.some(({ type }) => type !== undefined && type !== 'function' && type !== 'custom')
}

const reaching = ['web_search_options', 'search_parameters', 'enable_search', 'plugins', 'mcp_servers', 'audio']
const declared = ['functionDeclarations', 'function_declarations']
