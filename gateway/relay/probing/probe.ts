import { refuse } from '../../base/errors.ts'
import { isObject, objectIn, parsed } from '../../base/json/json.ts'
import { usageOf } from '../../billing/usage.ts'
import type { ChatAddress, Probe, ProbeCall, ProbeEndpoint } from '../../channels/testing/probe.ts'
import { type AnswerFrame, type Codec, NO_CLIENT_TOOLS, type Wire } from '../formats/codec.ts'
import { usageIn } from '../metering/endpoint-usage.ts'
import { createEventTap } from '../metering/event-tap.ts'
import type { UpstreamReply } from '../model/answer.ts'
import { CancellationSource } from '../model/cancellation.ts'
import { conversationFormat, isConversation } from '../model/endpoint.ts'
import { providerFor } from '../providers/index.ts'
import { type AnswerError, gatewayCallDefaults, type Provider, type Target } from '../providers/provider.ts'
import { framedTranslation, translation } from '../transforms/translation.ts'
import { callVendor, type VendorDeps } from '../upstream/call-vendor.ts'
import { errorText, gatherAnswer } from '../upstream/gather.ts'
import { endpointAt, wireOf } from '../upstream/upstream-endpoint.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { type ProbeRequestDeps, probeRequest } from './probe-request.ts'

type ProbeDeps = ProbeRequestDeps & VendorDeps

/**
 * Sends an administrator's test request to a channel, outside of routing, retries and billing. Requests and responses
 * are in OpenAI's dialects; a vendor with another dialect or a bridge gets the converted request, as in the relay.
 */
export function createProbe(deps: ProbeDeps): Probe {
  return async (channel, probe) => {
    const { timeoutMs, isStream = false } = probe
    const provider = providerFor(channel.typeName)
    const upstreamEndpoint = endpointAt(channel, asCall(probe), {
      name: probe.model,
      passThrough: () => deps.settings.get('global.pass_through_request_enabled'),
    })
    if (!provider || !upstreamEndpoint) throw refuse('invalid', 'channel.test_unsupported')
    const started = performance.now()
    const waiting = new CancellationSource()
    const {
      target,
      bytes: body,
      unconverted,
    } = await probeRequest(deps, { provider, channel, upstreamEndpoint, cancellation: waiting }, probe)
    const vendorRequest = {
      bytes: body,
      type: 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      unconverted,
      waits: { headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    }
    const called = callVendor(deps, provider, target, vendorRequest, waiting)
    const { status, bytes } = await withinTimeout(called, waiting, { timeoutMs, maxBytes: maxBytes(probe) })
    const isGood = status >= 200 && status <= 299
    const wire = upstreamEndpoint === probe.endpoint ? undefined : wireOf(deps.codecs, provider, upstreamEndpoint)
    const failed = isGood ? errorOf(provider, bytes, isStream ? wire : undefined) : undefined
    if (failed) return { status: failed.status, text: bytes.toString(), json: { error: failed }, ms: msSince(started) }
    const answer = isGood ? readBack(deps, { provider, target, wire }, probe, bytes) : unchangedBody(bytes)
    const usage = usageIn(objectIn(answer.json))
    return {
      status,
      ...answer,
      ms: msSince(started),
      ...(usage ? { usage: { promptTokens: usage.prompt, completionTokens: usage.completion } } : {}),
    }
  }
}

const asCall = ({ endpoint, model, requestedModel = model, body }: ProbeCall) => ({
  endpoint,
  model: requestedModel,
  json: body,
})

const msSince = (started: number): number => Math.round(performance.now() - started)

/** The URL of a chat call over the channel, as in the relay. */
export const chatAddress: ChatAddress = (channel, model) => {
  const provider = providerFor(channel.typeName)
  const call = { endpoint: 'chat', model, json: {} } as const
  const upstreamEndpoint = endpointAt(channel, call, { name: model, passThrough: () => false })
  return (
    upstreamEndpoint &&
    provider?.paths[upstreamEndpoint]?.({
      channel,
      model,
      endpoint: upstreamEndpoint,
      stream: false,
      ...gatewayCallDefaults,
    })
  )
}

type CompleteReply = Readonly<{ status: number; bytes: Buffer }>

async function withinTimeout(
  pending: Promise<UpstreamReply>,
  waiting: CancellationSource,
  { timeoutMs, maxBytes }: Readonly<{ timeoutMs: number; maxBytes: number }>,
): Promise<CompleteReply> {
  const timer = setTimeout(() => waiting.end(), timeoutMs)
  try {
    const reply = await pending.catch(asReply)
    return 'pipe' in reply ? await readComplete(reply, maxBytes) : reply
  } catch (cause) {
    throw waiting.over ? refuse('timeout', 'relay.upstreamTimeout', {}, { cause }) : cause
  } finally {
    waiting.end()
    clearTimeout(timer)
  }
}

/** Returns a vendor's refusal before the call itself, such as of a token request or a handshake, as its response. */
function asReply(cause: unknown): CompleteReply {
  if (!(cause instanceof UpstreamError) || cause.transport) throw cause
  const error = { ...cause.body, message: cause.message }
  return { status: cause.status, bytes: Buffer.from(JSON.stringify({ error })) }
}

const codecOf = ({ codecs }: ProbeDeps, endpoint: ProbeEndpoint): Codec | undefined =>
  isConversation(endpoint) ? codecs[conversationFormat[endpoint]] : undefined

/** The vendor-specific error in a response or a stream's beginning with a success status. */
function errorOf({ errorIn }: Provider, bytes: Buffer, wire: Wire | undefined): AnswerError | undefined {
  if (!errorIn) return undefined
  const text = bytes.toString()
  const first = wire?.frames ? wire.frames().feed(bytes)[0] : FIRST_DATA.exec(text)?.[1]
  return errorIn(parsed(text)) ?? errorIn(parsed(first ?? ''))
}

const FIRST_DATA = /^data: ?(.*)$/m

type Read = Readonly<{ text: string; json: unknown }>
type SentProbe = Readonly<{ provider: Provider; target: Target; wire: Wire | undefined }>

function unchangedBody(bytes: Buffer): Read {
  const text = bytes.toString('utf8')
  return { text, json: parsed(text) }
}

/**
 * A good response, converted to the dialect of the request; unchanged if it already has that dialect or reports an
 * error.
 */
function readBack(deps: ProbeDeps, { provider, target, wire }: SentProbe, probe: ProbeCall, bytes: Buffer): Read {
  const { model, isStream } = probe
  const codec = codecOf(deps, probe.endpoint)
  if (wire && codec) return isStream ? translated(wire, codec, model, bytes) : converted(wire, codec, model, bytes)
  const came = unchangedBody(bytes)
  const bridge = provider.bridges?.[target.endpoint]
  if (isStream || !bridge?.answer || !isObject(came.json) || came.json.error) return came
  return { text: came.text, json: bridge.answer(came.json, { json: probe.body, model: target.model }) }
}

function translated(wire: Wire, codec: Codec, model: string, bytes: Buffer): Read {
  const tap = createEventTap(model)
  const [decoder, encoder, frames] = [wire.decodeStream(), codec.encodeStream(frameOf(model)), wire.frames?.()]
  const transform = frames ? framedTranslation(frames, decoder, encoder, tap) : translation(decoder, encoder, tap)
  const text = `${transform.feed(bytes)}${transform.end()}`
  const isOver = tap.observed.finished && tap.observed.error === null
  return { text: isOver ? text + transform.close(tap.observed.usage ?? usageOf({})) : text, json: undefined }
}

function converted(wire: Wire, codec: Codec, model: string, bytes: Buffer): Read {
  const came = unchangedBody(bytes)
  if (!isObject(came.json) || came.json.error) return came
  const tap = createEventTap(model)
  const events = wire.decodeAnswer(came.json)
  for (const event of events) tap.take(event)
  if (!tap.produced() && !tap.observed.finished) return came
  return { text: came.text, json: codec.encodeAnswer(events, frameOf(model), tap.observed.usage ?? usageOf({})) }
}

const frameOf = (model: string): AnswerFrame => ({
  id: 'probe',
  model,
  created: 0,
  wantsUsage: true,
  promptTokens: () => 0,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
})

async function readComplete(reply: UpstreamReply, maxBytes: number): Promise<CompleteReply> {
  const { status } = reply
  const isGood = status >= 200 && status <= 299
  return {
    status,
    bytes: isGood ? await gatherAnswer(reply, undefined, maxBytes) : Buffer.from(await errorText(reply)),
  }
}

/** Max bytes of a test response; these are short, except images. */
const maxBytes = ({ endpoint }: ProbeCall): number => (endpoint === 'images' ? 16 : 1) * 1024 * 1024
