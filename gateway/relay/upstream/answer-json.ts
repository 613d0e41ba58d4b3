import { GatewayError } from '../../base/errors.ts'
import { isObject, objectIn } from '../../base/json/json.ts'
import { JsonTooLarge, readJson, readValueNow } from '../../base/json/json-read.ts'
import { answerBounds, type JsonScan, SMALL } from '../../base/json/json-scan.ts'
import { shortMembersOf } from '../../base/json/json-spans.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import { type MemoryShare, memoryOfJson } from '../intake/body-memory.ts'
import { usageIn } from '../metering/endpoint-usage.ts'
import type { WholeBody } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isConversation } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'
import { toolMarksIn } from './tool-marks.ts'
import { errorInAnswer, OversizeAnswer, UpstreamError } from './upstream-error.ts'

/**
 * Whether a response is a transcript without an envelope: such a response has no members of the vendor, such as usage
 * or an error.
 */
export function isPlainTranscript(provider: Provider, channel: ActiveChannel, { json }: Call, endpoint: Endpoint) {
  if (!isText(endpoint) || provider.bridges?.[endpoint]?.answer) return false
  return [json.response_format, channel.paramOverride?.response_format].some((format) => !isJsonFormat(format))
}

/** Values of `response_format` for JSON, which is also the default (OpenAI's API reference, "Create transcription"). */
const JSON_FORMATS: ReadonlySet<unknown> = new Set(['json', 'verbose_json', 'diarized_json'])

const isJsonFormat = (format: unknown): boolean =>
  format === undefined || format === null || format === '' || JSON_FORMATS.has(format)

/**
 * The JSON of a response, or the text of a transcript that is not JSON; long JSON is parsed asynchronously in slices.
 * Throws `UpstreamError` for an error in it or an unreadable body, and `OversizeAnswer` beyond the bounds of JSON.
 */
export const jsonOf = (bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint, memory: MemoryShare): unknown =>
  bytes.length <= SMALL
    ? jsonIn(bytes, provider, upstreamEndpoint)
    : longJsonIn(bytes, provider, upstreamEndpoint, memory)

/** The error in a successful response: in the vendor's shape, or in common ones. */
export function errorOf(json: unknown, { errorIn }: Provider): UpstreamError | undefined {
  const error = errorIn?.(json)
  if (!error) return errorInAnswer(json)
  const { usage, ...body } = error
  return new UpstreamError(error.status, error.message, { body, usage })
}

async function longJsonIn(
  bytes: Buffer,
  provider: Provider,
  upstreamEndpoint: Endpoint,
  memory: MemoryShare,
): Promise<unknown> {
  const reserve = (scan: JsonScan) => memory.grow(memoryOfJson(bytes.length, scan))
  try {
    return checked((await readJson(bytes, answerBounds, reserve)).json, bytes, provider, upstreamEndpoint)
  } catch (cause) {
    return unread(bytes, upstreamEndpoint, cause)
  }
}

function jsonIn(bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint): unknown {
  try {
    return checked(readValueNow(bytes, answerBounds), bytes, provider, upstreamEndpoint)
  } catch (cause) {
    return unread(bytes, upstreamEndpoint, cause)
  }
}

const UNREADABLE = 'the upstream sent a response that could not be read'

const isText = (upstreamEndpoint: Endpoint): boolean =>
  upstreamEndpoint === 'transcriptions' || upstreamEndpoint === 'translations'

function unread(bytes: Buffer, upstreamEndpoint: Endpoint, cause: unknown): string {
  if (cause instanceof UpstreamError || cause instanceof GatewayError) throw cause
  if (cause instanceof JsonTooLarge) throw new OversizeAnswer()
  if (isText(upstreamEndpoint) && bytes.length > 0) return bytes.toString('utf8')
  throw new UpstreamError(502, UNREADABLE, { cause })
}

function checked(json: unknown, bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint): unknown {
  if (!isObject(json) && !Array.isArray(json)) {
    if (isText(upstreamEndpoint)) return bytes.toString('utf8')
    throw new UpstreamError(502, UNREADABLE)
  }
  const error = errorOf(json, provider)
  if (error) throw error
  return json
}

type Responding = Readonly<{ provider: Provider; call: Call; upstreamEndpoint: Endpoint; isUnconverted: boolean }>

/**
 * A response with too many values, such as one with log probabilities: passed on unparsed if its dialect is the
 * caller's. Throws the error in it, or `OversizeAnswer` if the response must be converted, is a conversation without
 * usage, or has members that cannot be read; the vendor bills it.
 */
export async function partialBody(
  codecs: Codecs,
  { provider, call, upstreamEndpoint, isUnconverted }: Responding,
  wire: Wire | undefined,
  bytes: Buffer,
): Promise<WholeBody> {
  const members = await shortMembersOf(bytes)
  if (!members) throw new OversizeAnswer()
  const partial = { ...members, ...(await toolMarksIn(bytes)) }
  const error = errorOf(partial, provider)
  if (error) throw error
  const codec = wire ?? (isConversation(call.endpoint) ? codecs[call.format] : undefined)
  const usage = codec
    ? codec.decodeAnswer(partial).findLast((event) => event.type === 'usage')?.usage
    : usageIn(objectIn(partial))
  const isConverted = wire !== undefined || !isUnconverted || provider.bridges?.[upstreamEndpoint] !== undefined
  if (isConverted || (codec && !usage)) throw new OversizeAnswer(usage)
  return { kind: 'whole', bytes, json: partial, isBridged: false, isPartial: true }
}
