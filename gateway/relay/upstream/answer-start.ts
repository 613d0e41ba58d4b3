import { isObject, objectIn, parsed } from '../../base/json.ts'
import { readJson, readValueNow } from '../../base/json-read.ts'
import { answerBounds, LARGE } from '../../base/json-scan.ts'
import type { Wire } from '../formats/codec.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'
import { transportError } from './gather.ts'
import { errorInAnswer, readError, UpstreamError } from './upstream-error.ts'

/** Waits for a stream's first bytes, so that one that breaks or fails before them can still go to another channel; throws then. */
export async function begin(
  reply: UpstreamReply,
  provider: Provider,
  wire: Wire | undefined,
  upstreamEndpoint: Endpoint,
): Promise<void> {
  let first: Buffer
  try {
    first = await reply.firstBytes()
  } catch (cause) {
    throw transportError(cause)
  }
  const start = first.toString('utf8', 0, START_BYTES)
  const isMarked = provider.errorMark?.test(start)
  const isOwn = provider.errorIn !== undefined && isMarked === undefined
  const marked = isMarked ? errorOf(eventsIn(start), provider) : undefined
  const error = isOwn
    ? ownErrorAtStart(first, provider, wire)
    : (marked ?? errorAtStart(start) ?? (upstreamEndpoint === 'responses' ? errorBeforeOutput(first) : undefined))
  if (!error) return
  reply.abort()
  throw error
}

/**
 * What an answer says, or its text where an endpoint answers one; at once but for a long one, which is read in turns with
 * others. Throws `UpstreamError` for an error in it and for what cannot be read.
 */
export const jsonOf = (bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint): unknown =>
  bytes.length <= LARGE ? jsonIn(bytes, provider, upstreamEndpoint) : longJsonIn(bytes, provider, upstreamEndpoint)

const START_BYTES = 4096
const FIRST_DATA = /^data: ?(.*)$/m
const DATA = /^data: ?(.*)$/gm
const CUT_ERROR = /^\{\s*"error"\s*:\s*[{"]/

/** What the first events of a stream hold; one that is cut holds nothing. */
const eventsIn = (text: string): readonly unknown[] => [...text.matchAll(DATA)].map(([, data = '']) => parsed(data))

/** The error that a stream begins with, as far as its first bytes tell; `"error": null` is none. */
function errorAtStart(text: string): UpstreamError | undefined {
  const payload = FIRST_DATA.exec(text)?.[1] ?? ''
  if (!payload.includes('"error"')) return undefined
  const json = parsed(payload)
  if (json !== undefined) return errorInAnswer(json)
  return CUT_ERROR.test(payload) ? readError(502, payload) : undefined
}

/**
 * The error that a stream of Responses tells behind the events that only begin it, as far as its first bytes have both:
 * OpenAI tells most of its errors there.
 */
function errorBeforeOutput(bytes: Buffer): UpstreamError | undefined {
  if (!bytes.includes('event: error') && !bytes.includes('event: response.failed')) return undefined
  const text = bytes.toString()
  const found = FAILED_EVENT.exec(text)
  if (!found || text.slice(0, found.index).includes('event: response.output')) return undefined
  const json = parsed(found[2] ?? '')
  return errorInAnswer(found[1] === 'error' ? json : objectIn(json).response)
}

const FAILED_EVENT = /^event: (error|response\.failed)\r?\ndata: ?(.+)$/m

/** The error that a stream begins with, of a vendor with errors of its own shape. */
function ownErrorAtStart(bytes: Buffer, provider: Provider, wire: Wire | undefined): UpstreamError | undefined {
  const payload = wire?.frames ? wire.frames().feed(bytes)[0] : FIRST_DATA.exec(bytes.toString())?.[1]
  return errorOf(parsed(payload ?? ''), provider)
}

/** The error in JSON of a good answer: in the vendor's own shape, or in those that many have. */
function errorOf(json: unknown, { errorIn }: Provider): UpstreamError | undefined {
  const error = errorIn?.(json)
  return error ? new UpstreamError(error.status, error.message, { body: { ...error } }) : errorInAnswer(json)
}

async function longJsonIn(bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint): Promise<unknown> {
  try {
    return checked((await readJson(bytes, answerBounds)).json, bytes, provider, upstreamEndpoint)
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

/** Some endpoints answer text that is no JSON, which is then the answer itself. */
const isText = (upstreamEndpoint: Endpoint): boolean =>
  upstreamEndpoint === 'transcriptions' || upstreamEndpoint === 'translations'

function unread(bytes: Buffer, upstreamEndpoint: Endpoint, cause: unknown): string {
  if (cause instanceof UpstreamError) throw cause
  if (isText(upstreamEndpoint) && bytes.length > 0) return bytes.toString('utf8')
  throw new UpstreamError(502, 'the upstream sent a response that could not be read', { cause })
}

/** Lets an answer through; throws the error that it tells instead. */
function checked(json: unknown, bytes: Buffer, provider: Provider, upstreamEndpoint: Endpoint): unknown {
  if (!isObject(json) && !Array.isArray(json)) {
    if (isText(upstreamEndpoint)) return bytes.toString('utf8')
    throw new UpstreamError(502, 'the upstream sent a response that could not be read')
  }
  const error = errorOf(json, provider)
  if (error) throw error
  return json
}
