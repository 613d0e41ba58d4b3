import { refuse } from '../base/errors.ts'
import type { Arrival } from './arrival.ts'
import { readBody } from './body.ts'
import { type Outline, outlineOf } from './outline.ts'
import type { Endpoint, Route } from './surface.ts'

/** What a caller asks for, understood once: the bytes as they came and what the gateway needs to know of them. */
export type Call = Readonly<{
  route: Route
  endpoint: Endpoint
  bytes: Buffer
  json: Readonly<Record<string, unknown>>
  outline: Outline
  model: string
  stream: boolean
  /** The caller asked for the usage event of a stream. */
  wantsUsage: boolean
  /** The most output the caller allows, over all its choices, in tokens; 0 when it set no limit. */
  mostOutput: number
  /** The group the playground asks for; empty elsewhere. */
  group: string
}>

const DEEPEST = 64
const MOST_TOKENS = 1_073_741_823
const MOST_CHOICES = 128

/** Reads and checks the body (spec/relay.md §1.2 "Request validation"); throws refusals of kind `invalid` with their code. */
export async function understand(arrival: Arrival, route: Route, modelInPath: string | undefined): Promise<Call> {
  const bytes = await readBody(arrival.request)
  const json = parse(bytes)
  const outline = outlineOf(bytes)
  if (outline.depth > DEEPEST) throw bad('too deeply nested')
  if (outline.members.length !== Object.keys(json).length) throw bad('a field is given twice')
  const model = json.model ?? modelInPath
  if (typeof model !== 'string' || model.trim() === '')
    throw refuse('invalid', 'relay.modelMissing', {}, { ...modelCodeOf(route), param: 'model' })
  required[route.endpoint](json)
  const options = json.stream_options
  return {
    route,
    endpoint: route.endpoint,
    bytes,
    json,
    outline,
    model,
    stream: route.endpoint !== 'embeddings' && json.stream === true,
    wantsUsage: isObject(options) && options.include_usage === true,
    mostOutput: mostOutput(json, route.endpoint),
    group: typeof json.group === 'string' && route.playground ? json.group : '',
  }
}

function parse(bytes: Buffer): Record<string, unknown> {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw refuse('invalid', 'relay.badJson', {}, { cause })
  }
  if (!isObject(json)) throw bad('the body must be a JSON object')
  return json
}

const required: Readonly<Record<Endpoint, (json: Record<string, unknown>) => void>> = {
  chat(json) {
    if (!Array.isArray(json.messages) || json.messages.length === 0)
      throw refuse('invalid', 'relay.messagesMissing', {}, { ...codeOf('chat'), param: 'messages' })
  },
  completions: (json) => present(json, 'prompt', 'completions'),
  embeddings: (json) => present(json, 'input', 'embeddings'),
}

function present(json: Record<string, unknown>, field: string, endpoint: Endpoint): void {
  const value = json[field]
  const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  if (empty) throw refuse('invalid', 'relay.fieldMissing', { field }, { ...codeOf(endpoint), param: field })
}

/** max_tokens and max_completion_tokens, whichever is larger, times the number of choices. */
function mostOutput(json: Record<string, unknown>, endpoint: Endpoint): number {
  if (endpoint === 'embeddings') return 0
  const tokens = Math.max(
    count(json, 'max_tokens', MOST_TOKENS, 0),
    count(json, 'max_completion_tokens', MOST_TOKENS, 0),
  )
  return tokens * count(json, 'n', MOST_CHOICES, 1)
}

function count(json: Record<string, unknown>, field: string, most: number, fallback: number): number {
  const value = json[field]
  if (value === undefined || value === null) return fallback
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_text_request', param: field })
  return Math.max(value, fallback)
}

const codeOf = (endpoint: Endpoint) => ({
  code: endpoint === 'embeddings' ? 'invalid_embedding_request' : 'invalid_text_request',
})

/** The playground has a code of its own (spec/relay.md §1.6). */
const modelCodeOf = (route: Route) => (route.playground ? { code: 'model_required' } : codeOf(route.endpoint))

const bad = (reason: string) => refuse('invalid', 'relay.badRequest', { reason }, { code: 'invalid_text_request' })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
