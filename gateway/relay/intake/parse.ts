import { type Form, isForm, readForm, textsOf } from '../../base/bytes/form.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { flagIn, isObject, type JsonObject, objectIn, objectsIn } from '../../base/json/json.ts'
import {
  JsonTooLarge,
  MAX_TEXT_MIB,
  type ReadJson,
  readJson,
  readJsonNow,
  repeatsNames,
} from '../../base/json/json-read.ts'
import { type JsonScan, MAX_NAME_LENGTH, MAX_NUMBER_LENGTH, requestBounds, SMALL } from '../../base/json/json-scan.ts'
import { type JsonSpans, spansIn } from '../../base/json/json-spans.ts'
import type { Body, Call } from '../model/call.ts'
import { isConversation, type RelayRoute, type RouteMatch } from '../model/endpoint.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { RecordingMeter } from '../tokenizer/recording-meter.ts'
import { readBody } from './body.ts'
import { type BodyMemory, type MemoryShare, memoryOfJson } from './body-memory.ts'
import { type EndpointSpec, endpointSpecs } from './endpoint-specs.ts'
import { knownInput, type SecondsOf } from './known-input.ts'
import { disguisedInside, disguisedMember, listedMember } from './known-members.ts'

type ParseDeps = Readonly<{ bodies: BodyMemory; recordings: RecordingMeter }>

/**
 * Reads and checks the body (docs/reference/endpoints.md#request-validation); throws refusals with their code, those of
 * a malformed body of kind `invalid`.
 */
export async function parseRequest(
  deps: ParseDeps,
  context: RequestContext,
  accountId: number,
  found: RouteMatch,
): Promise<Call> {
  const share = deps.bodies.shareFor(context.owner, accountId)
  const bytes = await readBody(context.request, share)
  const body = bodyOf(bytes, context, endpointSpecs[found.route.endpoint], share)
  return callFrom(found, body instanceof Promise ? await body : body, (files) =>
    deps.recordings.seconds(accountId, files),
  )
}

/** Max characters of a model's name, which is logged. */
const MAX_MODEL = 255

export function checkModelName(model: string): void {
  // A database would store another name instead.
  if (/\p{Cc}/u.test(model) || !model.isWellFormed())
    throw refuse('invalid', 'relay.fieldInvalid', { field: 'model' }, { code: 'invalid_request', param: 'model' })
  if (model.length > MAX_MODEL)
    throw refuse('invalid', 'relay.modelTooLong', { limit: MAX_MODEL }, { code: 'model_too_long', param: 'model' })
}

/** The call of a body; synchronous for conversations. Recordings only come in forms. */
export function callFrom(found: RouteMatch, body: Body, seconds: SecondsOf | null = null): Call | Promise<Call> {
  const { route } = found
  const reading = endpointSpecs[route.endpoint]
  const { json, form } = body
  const model = (route.format === 'gemini' ? found.model : (json.model ?? found.model)) ?? reading.model?.routed
  if (typeof model !== 'string' || model.trim() === '')
    throw refuse('invalid', 'relay.modelMissing', {}, { code: modelCode(route), param: 'model' })
  checkModelName(model)
  reading.check(json, model)
  const { endpoint } = route
  if (isConversation(endpoint)) return callOf(found, body, model, null)
  return knownInput({ endpoint, json, form, seconds }, model).then((input) => callOf(found, body, model, input))
}

function callOf({ route, stream }: RouteMatch, body: Body, model: string, input: number | null): Call {
  const { bytes, json, spans, form } = body
  const reading = endpointSpecs[route.endpoint]
  return {
    route,
    endpoint: route.endpoint,
    format: route.format,
    bytes,
    json,
    spans,
    form,
    model,
    stream: !route.compacts && (stream ?? isStream(reading, body)),
    wantsUsage: flagIn(objectIn(json.stream_options).include_usage) ?? false,
    maxOutput: reading.maxOutput(json, model),
    input,
    group: typeof json.group === 'string' && route.playground ? json.group : '',
  }
}

export function upstreamName(call: Call, mapped: string): string {
  const { model } = endpointSpecs[call.endpoint]
  return model && mapped === model.routed && call.json.model === undefined ? model.requested : mapped
}

/** Small bodies, the usual case, are parsed synchronously: a promise would delay each of them. */
function bodyOf(
  bytes: Buffer,
  { request }: RequestContext,
  reading: EndpointSpec,
  share: MemoryShare,
): Body | Promise<Body> {
  const type = request.headers['content-type']
  if (isForm(type) && reading.form) return readForm(bytes, type).then(formBody)
  if (reading.form === 'must') throw refuse('invalid', 'relay.formNeeded', {}, { code: reading.code })
  return bytes.length <= SMALL ? objectBody(bytes, readNow(bytes, share)) : jsonBody(bytes, share)
}

/**
 * Parses bytes that must be one JSON object within the limits (base/json/json-scan.ts). `share` is the memory of the
 * bytes, raised by what the parsed values take.
 */
export async function jsonBody(bytes: Buffer, share?: MemoryShare): Promise<Body> {
  const reserve = (scan: JsonScan) => share?.grow(memoryOfJson(bytes.length, scan))
  const read = await readJson(bytes, requestBounds, reserve).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  return objectBody(bytes, read)
}

function readNow(bytes: Buffer, share: MemoryShare): ReadJson {
  try {
    const read = readJsonNow(bytes, requestBounds)
    share.grow(memoryOfJson(bytes.length, read.scan))
    return read
  } catch (cause) {
    throw unreadable(cause)
  }
}

function objectBody(bytes: Buffer, { json, scan }: ReadJson): Body {
  if (!isObject(json)) throw bad('the body must be a JSON object')
  const spans = spansIn(bytes, scan)
  const names = Object.keys(json)
  if (spans.members.length !== names.length || repeatsNames({ json, scan })) throw repeated()
  const other = disguisedMember(names)
  if (other !== undefined) throw bad(`the field "${other}" is written in another case`)
  checkInside(json)
  return { bytes, json, spans, form: null }
}

/** Throws if a vendor could read nested objects differently from the gateway. */
function checkInside(json: JsonObject): void {
  const plainNames = new Map<string, string>()
  const checkSpelling = (field: string, value: unknown) => {
    const other = disguisedInside(value, plainNames)
    if (other !== undefined) throw bad(`the field "${field}.${other.slice(0, MAX_SHOWN)}" is written in another way`)
  }
  for (const field of INNER) if (json[field] !== undefined) checkSpelling(field, json[field])
  const { tools, input } = json
  checkLoadedTools(objectsIn(input))
  if (tools === undefined || tools === null) return
  // Gemini reads an object as a list of one, which the checks here would miss.
  if (!Array.isArray(tools)) throw bad('the field "tools" is not a list')
  if (countTools(tools) > MAX_TOOLS) throw bad(`the field "tools" has more than ${MAX_TOOLS} entries`)
  for (const tool of objectsIn(tools)) checkSpelling('tools', tool)
}

/** Throws if the items of an input have too many tools. */
export function checkLoadedTools(items: readonly JsonObject[]): void {
  const loaded = items.flatMap((item) => (isLoading(item) ? objectsIn(item.tools) : []))
  if (countTools(loaded) > MAX_TOOLS) throw bad(`the items of "input" have more than ${MAX_TOOLS} tools`)
}

/** Items with tools (`responses/tools-in.ts`). */
const isLoading = ({ type }: JsonObject): boolean => type === 'tool_search_output' || type === 'additional_tools'

/** Counts the entries, and those of their lists: Gemini's declarations, tools of a namespace. */
function countTools(tools: readonly unknown[]): number {
  let count = tools.length
  for (const tool of objectsIn(tools))
    for (const list of [tool.functionDeclarations, tool.function_declarations, tool.tools])
      if (Array.isArray(list)) count += list.length
  return count
}

const INNER = ['generationConfig', 'generation_config', 'parameters', 'web_search_options', 'stream_options'] as const

const MAX_SHOWN = 64
/** Max tools of a request; no vendor accepts more. */
const MAX_TOOLS = 2000

/** Why JSON was not read: over a limit, without memory, or invalid. */
export function unreadable(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause
  if (!(cause instanceof JsonTooLarge)) return refuse('invalid', 'relay.badJson', {}, { cause })
  return tooMany(cause.excess)
}

export function tooMany(excess: JsonTooLarge['excess']): GatewayError {
  if (excess === 'depth') return bad('too deeply nested')
  if (excess === 'name') return bad(`a member has a name of more than ${MAX_NAME_LENGTH} bytes`)
  if (excess === 'number') return bad(`a number has more than ${MAX_NUMBER_LENGTH} characters`)
  if (excess === 'surrogates') return bad('too many surrogates without their other half')
  return refuse('tooLarge', tooMuch[excess], { count: limits[excess] }, { code: 'read_request_body_failed' })
}

const tooMuch = {
  values: 'relay.tooManyValues',
  fields: 'relay.tooManyFields',
  names: 'relay.tooManyNames',
  text: 'relay.tooMuchText',
} as const
const limits = { ...requestBounds, text: MAX_TEXT_MIB }

function formBody(form: Form): Body {
  const json = textsOf(form)
  const other = disguisedMember(Object.keys(json)) ?? listedMember(Object.keys(json))
  if (other !== undefined) throw bad(`the field "${other}" has another name`)
  return { bytes: Buffer.from(JSON.stringify(json)), json, spans: NO_SPANS, form }
}

const NO_SPANS: JsonSpans = { members: [], depth: 0, end: 0 }

/** Speech requests have another member for streaming, and forms carry `true` as text. */
function isStream(reading: EndpointSpec, { json, form }: Body): boolean {
  if (reading === endpointSpecs.speech) return json.stream_format === 'sse'
  return reading.streams && json.stream === (form ? 'true' : true)
}

/** The playground has a separate code (docs/reference/endpoints.md#playground). */
const modelCode = (route: RelayRoute): string =>
  route.playground ? 'model_required' : endpointSpecs[route.endpoint].code

/** If two fields have one name, some vendors read the first and others the last. */
export const repeated = (): GatewayError => bad('a field appears twice')

const bad = (reason: string) => refuse('invalid', 'relay.badRequest', { reason }, { code: 'invalid_text_request' })
