import { objectIn, objectsIn } from '../../base/json/json.ts'
import { choicesOf } from '../intake/choices.ts'
import type { Call } from '../model/call.ts'
import type { AskedEndpoint } from '../model/endpoint.ts'

/** Longer requests are asked again each time: their bytes would have to be hashed between those of others. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024

/**
 * Whether an answer to the call may be given again to a call of the same bytes (docs/reference/cache.md#cached-requests): it
 * says temperature 0, or `isAsked` for, and neither acts on the world nor refers to what is kept elsewhere.
 */
export function isReusable(call: Call, isAsked: boolean): boolean {
  const { endpoint, json, form, bytes, route } = call
  if (form || route.compacts || !reused.includes(endpoint) || bytes.length > MAX_REQUEST_BYTES) return false
  if (!isAsked && temperatureOf(call) !== 0) return false
  return choicesOf(endpoint, json) === 1 && !isStored(call) && !reachesOut(call)
}

const reused: readonly AskedEndpoint[] = [
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

/** Whether the answer, or what the request goes on from, is kept by the vendor or the gateway; Responses keeps unless told not to. */
function isStored({ endpoint, json, previousId, conversation }: Call): boolean {
  if (previousId !== undefined || conversation !== undefined || kept.some((name) => json[name])) return true
  return endpoint === 'responses' ? json.store !== false : Boolean(json.store)
}

const kept = ['previous_response_id', 'conversation', 'background', 'container', 'cachedContent', 'cached_content']

/** Whether the vendor looks things up, runs or does something for the answer, or has a part of the prompt; what the client runs itself does not. */
function reachesOut({ endpoint, json }: Call): boolean {
  if (reaching.some((name) => json[name])) return true
  const tools = objectsIn(json.tools)
  if (endpoint === 'generate') return tools.some((tool) => Object.keys(tool).some((name) => !declared.includes(name)))
  return tools.some(({ type }) => type !== undefined && type !== 'function' && type !== 'custom')
}

const reaching = ['web_search_options', 'search_parameters', 'enable_search', 'plugins', 'mcp_servers', 'audio']
const declared = ['functionDeclarations', 'function_declarations']
