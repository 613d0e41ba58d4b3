import { type GatewayError, refuse } from '../../base/errors.ts'
import { flagIn, isObject, type JsonObject, objectIn } from '../../base/json.ts'
import { JsonTooLarge, MOST_TEXT_MIB, type ReadJson, readJson, readJsonNow } from '../../base/json-read.ts'
import { LARGE, requestBounds } from '../../base/json-scan.ts'
import type { Arrival } from '../model/request-context.ts'
import { readBody } from './body.ts'
import type { BodyMemory } from './body-memory.ts'
import { knownInput } from './known-input.ts'
import { type Form, isForm, readForm, textsOf } from './form.ts'
import type { Format } from '../formats/format.ts'
import { type Outline, outlineIn } from './json-spans.ts'
import { type Reading, readings } from './endpoint-specs.ts'
import type { AskedEndpoint, Found, Route } from './surface.ts'
import { isConversation } from '../upstream/upstream-endpoint.ts'

/** What a caller asks for, understood once: the bytes as they came and what the gateway needs to know of them. */
export type Call = Readonly<{
  route: Route
  endpoint: AskedEndpoint
  /** The dialect of the caller. */
  format: Format
  /** The JSON as it came; of a form its texts as JSON. */
  bytes: Buffer
  json: Readonly<JsonObject>
  outline: Outline
  /** The body where it came as a form; its texts are in `json` as well. */
  form: Form | null
  model: string
  stream: boolean
  /** The caller asked for the usage event of a stream. */
  wantsUsage: boolean
  /** The most output the caller allows, over all its choices, in tokens; 0 when it set no limit. */
  mostOutput: number
  /** Tokens of the input where they are known before the call: characters to speak, minutes of a recording. */
  input: number | null
  /** The group the playground asks for; empty elsewhere. */
  group: string
  /** The most output of one choice that its account can pay for, where that is less than the call may have. */
  outputLimit?: number
  /** The response this one continues, whose conversation has been put in front of the input. */
  previousId?: string
  /** The ids of that conversation's responses from the first on, and the items that were said now. */
  continued?: Readonly<{ before: readonly string[]; items: readonly JsonObject[] }>
}>

/** Reads and checks the body (spec/relay.md §1.2 "Request validation"); throws refusals of kind `invalid` with their code. */
export async function understand(bodies: BodyMemory, arrival: Arrival, found: Found): Promise<Call> {
  const bytes = await readBody(arrival.request, bodies.roomFor(arrival.response))
  const body = bodyOf(bytes, arrival, readings[found.route.endpoint])
  return understood(found, body instanceof Promise ? await body : body)
}

/** The same of a body that has been read; of a conversation at once. */
export function understood(found: Found, body: Body): Call | Promise<Call> {
  const { route } = found
  const reading = readings[route.endpoint]
  const { json, form } = body
  const model = (route.format === 'gemini' ? found.model : (json.model ?? found.model)) ?? reading.model?.routed
  if (typeof model !== 'string' || model.trim() === '')
    throw refuse('invalid', 'relay.modelMissing', {}, { code: modelCode(route), param: 'model' })
  reading.check(json, model)
  const { endpoint } = route
  if (isConversation(endpoint)) return callOf(found, body, model, null)
  return knownInput({ endpoint, json, form }, model).then((input) => callOf(found, body, model, input))
}

function callOf({ route, stream }: Found, body: Body, model: string, input: number | null): Call {
  const { bytes, json, outline, form } = body
  const reading = readings[route.endpoint]
  return {
    route,
    endpoint: route.endpoint,
    format: route.format,
    bytes,
    json,
    outline,
    form,
    model,
    stream: stream ?? isStream(reading, body),
    wantsUsage: flagIn(objectIn(json.stream_options).include_usage) ?? false,
    mostOutput: reading.mostOutput(json, model),
    input,
    group: typeof json.group === 'string' && route.playground ? json.group : '',
  }
}

/** The upstream's name of the model: `mapped`, or what the vendor has for a body that names none. */
export function upstreamName(call: Call, mapped: string): string {
  const { model } = readings[call.endpoint]
  return model && mapped === model.routed && call.json.model === undefined ? model.asked : mapped
}

/** A body as it was read; a form's texts as JSON. */
export type Body = Pick<Call, 'bytes' | 'json' | 'outline' | 'form'>

/** At once where it is small, as most are: a promise would cost each of them a turn. */
function bodyOf(bytes: Buffer, { request }: Arrival, reading: Reading): Body | Promise<Body> {
  const type = request.headers['content-type']
  if (isForm(type) && reading.form) return readForm(bytes, type).then(formBody)
  if (reading.form === 'must') throw refuse('invalid', 'relay.formNeeded', {}, { code: reading.code })
  return bytes.length <= LARGE ? objectBody(bytes, readNow(bytes)) : jsonBody(bytes)
}

/** Reads bytes that must be one JSON object, of which there is not too much (base/json-scan.ts). */
export async function jsonBody(bytes: Buffer): Promise<Body> {
  const read = await readJson(bytes, requestBounds).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  return objectBody(bytes, read)
}

function readNow(bytes: Buffer): ReadJson {
  try {
    return readJsonNow(bytes, requestBounds)
  } catch (cause) {
    throw unreadable(cause)
  }
}

function objectBody(bytes: Buffer, { json, scan }: ReadJson): Body {
  if (!isObject(json)) throw bad('the body must be a JSON object')
  const outline = outlineIn(bytes, scan)
  if (outline.members.length !== Object.keys(json).length) throw bad('a field is given twice')
  return { bytes, json, outline, form: null }
}

/** Why JSON was not read: it has too much in it, or is none. */
export function unreadable(cause: unknown): GatewayError {
  if (!(cause instanceof JsonTooLarge)) return refuse('invalid', 'relay.badJson', {}, { cause })
  return tooMany(cause.excess)
}

/** The refusal of a request with too much in it. */
export function tooMany(excess: JsonTooLarge['excess']): GatewayError {
  if (excess === 'depth') return bad('too deeply nested')
  return refuse('tooLarge', tooMuch[excess], { count: mostOf[excess] }, { code: 'read_request_body_failed' })
}

const tooMuch = {
  values: 'relay.tooManyValues',
  names: 'relay.tooManyNames',
  text: 'relay.tooMuchText',
} as const
const mostOf = { values: requestBounds.values, names: requestBounds.names, text: MOST_TEXT_MIB }

function formBody(form: Form): Body {
  const json = textsOf(form)
  return { bytes: Buffer.from(JSON.stringify(json)), json, outline: NO_OUTLINE, form }
}

const NO_OUTLINE: Outline = { members: [], depth: 0, end: 0 }

/** Speech names its stream otherwise than all others do, and forms have `true` as a text. */
function isStream(reading: Reading, { json, form }: Body): boolean {
  if (reading === readings.speech) return json.stream_format === 'sse'
  return reading.streams && json.stream === (form ? 'true' : true)
}

/** The playground has a code of its own (spec/relay.md §1.6). */
const modelCode = (route: Route): string => (route.playground ? 'model_required' : readings[route.endpoint].code)

const bad = (reason: string) => refuse('invalid', 'relay.badRequest', { reason }, { code: 'invalid_text_request' })
