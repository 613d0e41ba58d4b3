import { channelTypes } from '../../../shared/channel-types.ts'
import { GatewayError } from '../../base/errors.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import type { Settings } from '../../settings/settings.ts'
import { type AdaptedCall, adaptToChannel } from '../adaptation/adapt-to-channel.ts'
import { type Bridged, bridgedAnswer, bridgedForm, bridgedRequest } from '../adaptation/bridging.ts'
import { type ConvertDeps, convert, writtenFor } from '../adaptation/convert.ts'
import { modelEdits } from '../adaptation/gemini-shapes.ts'
import { cachingOf } from '../adaptation/prompt-cache.ts'
import { convertible, vendorCall, vendorJson } from '../adaptation/stored-references.ts'
import { type OwnEdits, ownEdits } from '../adaptation/structured-edits.ts'
import { JSON_TYPE, type UpstreamBody, upstreamBody } from '../adaptation/upstream-body.ts'
import { UNCHANGED } from '../adaptation/vendor-edits.ts'
import type { CheckReferences } from '../adaptation/vendor-references.ts'
import type { DialectSettings, Json } from '../formats/codec.ts'
import { fieldName } from '../formats/field-names.ts'
import { hasClientTools } from '../formats/responses/tools-in.ts'
import type { BodyMemory } from '../intake/body-memory.ts'
import { upstreamName } from '../intake/parse.ts'
import type { MediaFetcher } from '../media/fetch.ts'
import type { AcceptedOrder, Answer, ConversionFacts, UpstreamReply, WholeBody } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isTalk } from '../model/endpoint.ts'
import type { Expected } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { isUnsampled } from '../providers/claude-headers.ts'
import { providerFor } from '../providers/index.ts'
import { type AccessTokens, type ClaudeHeaders, MODEL_SLIP, type Provider, type Target } from '../providers/provider.ts'
import { type PromptDeps, promptSize } from '../tokenizer/prompt-size.ts'
import type { StructuredAnswer } from '../transforms/structured-output.ts'
import { isPlainTranscript, jsonOf, partialBody } from './answer-json.ts'
import { answerWire } from './answer-wire.ts'
import { callVendor } from './call-vendor.ts'
import type { Pools } from './connection-pools.ts'
import { BilledMemory, errorText, gatherAnswer, transportError } from './gather.ts'
import { gatheredStream } from './gathered-stream.ts'
import { isEventStream, isJson } from './headers.ts'
import { type KnownReliefs, type Relief, reliefFor } from './relief.ts'
import { begin, beginBytes, type StartDeps } from './stream-start.ts'
import { endpointAt, upstreamEndpointFor, wireOf } from './upstream-endpoint.ts'
import { OversizeAnswer, readError, UpstreamError } from './upstream-error.ts'

export type SendDeps = ConvertDeps &
  PromptDeps &
  StartDeps &
  Readonly<{
    settings: Pick<Settings, 'get'>
    pools: Pools
    bodies: BodyMemory
    /** Memory limit of complete upstream responses, in total and per account (docs/reference/limits.md#bodies). */
    responseMemory: BodyMemory
    passThrough: () => boolean
    dialects: () => DialectSettings
    geminiVersion: (model: string) => string
    claudeHeaders: ClaudeHeaders
    accessTokens: AccessTokens
    reliefs: KnownReliefs
    /** Unix milliseconds, for signatures. */
    now: () => number
    userAgent: string
    mediaFor: MediaFetcher['fetchFor']
    checkReferences: CheckReferences
  }>

/** Whether a channel has an address, and its vendor offers the endpoint or one that the call can be converted to. */
export function canOffer(channel: ActiveChannel, call: Call): boolean {
  const provider = providerFor(channel.typeName)
  return (
    (channel.baseUrl !== '' || provider?.derivesAddress === true) &&
    upstreamEndpointFor(provider, call.endpoint, provider?.supports ? nameFor(channel, call) : '') !== undefined
  )
}

/** Whether the prompt exceeds the channel's limit; measured unless its size is known. */
export const isTooLong = (
  deps: PromptDeps,
  { maxInputTokens }: ActiveChannel,
  call: Call,
  promptTokens?: number,
): boolean => maxInputTokens > 0 && (promptTokens ?? promptSize(deps, call)) > maxInputTokens

/** The channel's name of the call's model, with its suffix options. */
const nameFor = ({ modelMapping }: ActiveChannel, call: Call): string =>
  upstreamName(call, mappedModel(call.model, modelMapping))

type Outgoing = Readonly<{
  upstreamEndpoint: Endpoint
  model: string
  bytes: Buffer
  type: string
  unconverted: Json
  addedUsage: boolean
  dropped: readonly string[]
  /** How to decode JSON that the model does not support natively. */
  structured?: StructuredAnswer | undefined
  conversion?: ConversionFacts
}>

type SendRequester = Readonly<{ context: RequestContext; accountId: number; order: AcceptedOrder; expected: Expected }>

/**
 * Sends a call to one channel, and retries once if the model failed to respond because of its own mistake
 * (docs/reference/selection.md#retries). Throws `UpstreamError` for a response that is not good (also for an error with
 * a success status, and for an empty or unreadable body), and a refusal if the channel's dialect cannot express the
 * call; nothing has reached the caller then, so another channel may be tried.
 */
export async function send(deps: SendDeps, channel: ActiveChannel, call: Call, sender: SendRequester): Promise<Answer> {
  try {
    return await sendOnce(deps, channel, call, sender)
  } catch (cause) {
    const isSlip = cause instanceof UpstreamError && cause.code === MODEL_SLIP
    if (!isSlip || sender.context.cancellation.over || deps.settings.get('RetryTimes') === 0) throw cause
    return await sendOnce(deps, channel, call, sender).catch((again: unknown) => {
      throw again instanceof UpstreamError ? again.after(cause.usage) : again
    })
  }
}

/**
 * An address that turns out not to support compaction gets a normal request instead
 * (docs/reference/conversion.md#summaries).
 */
async function sendOnce(
  deps: SendDeps,
  channel: ActiveChannel,
  call: Call,
  { context, accountId, order, expected }: SendRequester,
): Promise<Answer> {
  const provider = providerFor(channel.typeName)
  const name = nameFor(channel, call)
  const upstreamEndpoint = endpointAt(channel, call, { name, passThrough: deps.passThrough })
  if (!provider || !upstreamEndpoint)
    throw new UpstreamError(502, 'the channel does not support this request', { transport: true })
  const isUnconverted = upstreamEndpoint === call.endpoint && !mustBePlain(channel, call)
  const requestsUsage = channelTypes[channel.typeName].streamOptions
  const hasHiddenCost = expected.hasHiddenReasoning || expected.hasUnknownPrompt || expected.isReportedAtEnd
  const base = { provider, channel, call, accountId, order, upstreamEndpoint, name, isUnconverted }
  const channelCall: ChannelCall = { ...base, requestsUsage, needsUsage: hasHiddenCost }
  if (!call.route.compacts || !channelCall.isUnconverted) return sendAs(deps, channelCall, context)
  const withoutSummaries = { ...channelCall, isUnconverted: false }
  // Vendors accept no limit for a summary, so a limited one is made as a normal response.
  if (!provider.compacts || call.outputLimit !== undefined) return sendAs(deps, withoutSummaries, context)
  try {
    return await sendAs(deps, channelCall, context)
  } catch (error) {
    if (!(error instanceof UpstreamError) || !UNKNOWN_PATH.has(error.vendorStatus)) throw error
    return sendAs(deps, withoutSummaries, context)
  }
}

/** Whether a request in the vendor's dialect has tools that this address does not support. */
const mustBePlain = ({ setting }: ActiveChannel, { endpoint, json }: Call): boolean =>
  setting.tools_as_functions && endpoint === 'responses' && hasClientTools(json)

/** Statuses of an address without the path. */
const UNKNOWN_PATH: ReadonlySet<number | undefined> = new Set([404, 405, 501])

type ChannelCall = Readonly<{
  provider: Provider
  channel: ActiveChannel
  call: Call
  accountId: number
  order: AcceptedOrder
  upstreamEndpoint: Endpoint
  name: string
  /** The upstream gets the caller's own request, in the same dialect. */
  isUnconverted: boolean
  /** A chat stream requests its usage with `stream_options`. */
  requestsUsage: boolean
  /** The response shows too little of its cost to estimate it. */
  needsUsage: boolean
}>

async function sendAs(deps: SendDeps, channelCall: ChannelCall, context: RequestContext): Promise<Answer> {
  const { provider, channel, call, upstreamEndpoint, isUnconverted } = channelCall
  const adapting = adaptToChannel(deps, channelCall)
  const adapted = adapting instanceof Promise ? await adapting : adapting
  const target = targetOf(deps, channelCall, adapted.suffix.model, context)
  const isConverted = isTalk(upstreamEndpoint) && call.endpoint !== upstreamEndpoint
  const isEdited = isTalk(upstreamEndpoint) && !isConverted && !adapted.passThrough
  const known = isConverted && upstreamEndpoint === 'responses' ? deps.reliefs.of(channel) : undefined
  const adaptedCall = known ? relieved(adapted, known) : adapted
  const writing = whenKnown(deps.checkReferences(adaptedCall.call.json, target.channel.setting), () =>
    written(deps, channelCall, adaptedCall, target, context),
  )
  let out = writing instanceof Promise ? await writing : writing
  let reply = await sendRequest(deps, channelCall, target, context, out)
  let reliefs = known ? [known] : NO_RELIEFS
  if (!isGood(reply)) {
    const { error, text } = await failureOf(reply, channel)
    const isUsageRefused = call.stream && channelCall.requestsUsage && !error.isBilled && refusesUsage(error, text)
    if (isUsageRefused && !channelCall.needsUsage)
      return sendAs(deps, { ...channelCall, requestsUsage: false }, context)
    const relief =
      !error.isBilled && (isConverted || isEdited) ? reliefFor(error, upstreamEndpoint, isEdited) : undefined
    if (!relief || relief === known) throw error
    out = await written(deps, channelCall, relieved(adaptedCall, relief), target, context)
    reply = await sendRequest(deps, channelCall, target, context, out)
    if (!isGood(reply)) throw (await failureOf(reply, channel)).error
    deps.reliefs.helped(channel, relief)
    reliefs = [...reliefs, relief]
  }
  const { model: upstreamModel, conversion } = out
  const dropped =
    reliefs.length > 0
      ? [...out.dropped, ...reliefs.flatMap((one) => conversionFacts(one, call, isEdited))]
      : out.dropped
  const memory = new BilledMemory(deps.responseMemory.shareFor(context.owner, channelCall.accountId))
  const wire = answerWire(deps.codecs, provider, call, { upstreamEndpoint, isUnconverted }, channel, out.structured)
  const answer = { channel, upstreamModel, upstreamEndpoint, dropped, reply, wire, conversion }
  if (isEventStream(reply.headers) || (call.stream && wire?.frames)) {
    if (!isUnconverted && !wire) throw unreadable(reply)
    if (wire && !call.stream) return { ...answer, body: await gatheredStream(reply, wire, memory) }
    await begin(deps, reply, { provider, wire, upstreamEndpoint }, context.cancellation)
    return { ...answer, body: { kind: 'stream', dropUsage: out.addedUsage } }
  }
  if (upstreamEndpoint === 'speech' && !isJson(reply.headers)) {
    await beginBytes(reply)
    return { ...answer, body: { kind: 'bytes' } }
  }
  const bytes = await gatherAnswer(reply, memory)
  try {
    const isPlain = isPlainTranscript(provider, channel, call, upstreamEndpoint)
    const decoded = isPlain ? bytes.toString('utf8') : jsonOf(bytes, provider, upstreamEndpoint, memory)
    const json = decoded instanceof Promise ? await decoded : decoded
    return { ...answer, body: completeBody(bytes, json, provider, out) }
  } catch (cause) {
    if (!(cause instanceof OversizeAnswer)) throw cause
    return { ...answer, body: await partialBody(deps.codecs, channelCall, wire, bytes) }
  }
}

const isGood = ({ status }: UpstreamReply): boolean => status >= 200 && status <= 299

async function failureOf(reply: UpstreamReply, { statusMapping }: ActiveChannel) {
  const status = statusMapping.get(reply.status) ?? reply.status
  const text = await errorText(reply)
  const error = readError(status, text, first(reply.headers['retry-after']), reply.status, reply.isBilled)
  return { error, text }
}

/** Whether an OpenAI-compatible server refuses `stream_options` (docs/reference/conversion.md#usage-of-streams). */
const refusesUsage = ({ vendorStatus }: UpstreamError, text: string): boolean =>
  (vendorStatus === 400 || vendorStatus === 422) && /stream_options|include_usage/.test(text)

const NO_RELIEFS: readonly Relief[] = []

const conversionFacts = ({ dropped, left = [] }: Relief, { format }: Call, isEdited: boolean) =>
  isEdited ? left : dropped.map((name) => fieldName(name, format))

/** The call without the parts that its vendor refuses. */
function relieved({ suffix, ...adapted }: AdaptedCall, { adapt, edits }: Relief): AdaptedCall {
  const own = edits?.(vendorJson(adapted.call, suffix.model)) ?? NO_EDITS
  return {
    ...adapted,
    suffix: {
      ...suffix,
      edits: new Map([...suffix.edits, ...own]),
      adapt: (conversation) => adapt(suffix.adapt(conversation)),
    },
  }
}

const NO_EDITS: ReadonlyMap<string, unknown> = new Map()

function completeBody(
  bytes: Buffer,
  json: unknown,
  provider: Provider,
  { upstreamEndpoint, unconverted, model }: Outgoing,
): WholeBody {
  const bridge = provider.bridges?.[upstreamEndpoint]
  if (!bridge?.answer) return { kind: 'whole', bytes, json, isBridged: false }
  return { kind: 'whole', bytes, json: bridgedAnswer(bridge, json, unconverted, model), isBridged: true }
}

/**
 * The request in the channel's dialect: the caller's body with edits if the dialect is the same, synchronously unless
 * large; else converted.
 */
function written(
  deps: SendDeps,
  { provider, accountId, isUnconverted, requestsUsage }: ChannelCall,
  { call, named, suffix, passThrough, isUntouched }: AdaptedCall,
  to: Target,
  { cancellation, owner }: RequestContext,
): MaybePromise<Outgoing> {
  const { channel, endpoint: upstreamEndpoint, model } = to
  const bridge = provider.bridges?.[upstreamEndpoint]
  if (!isTalk(upstreamEndpoint) && (bridge || !isUnconverted) && !call.form)
    return whenKnown(
      bridgedRequest(call, to, bridge),
      (bridged: Bridged): Outgoing => ({ upstreamEndpoint, model, type: JSON_TYPE, addedUsage: false, ...bridged }),
    )
  if (call.form && bridge?.fromForm)
    return { upstreamEndpoint, model, addedUsage: false, ...bridgedForm(call, call.form, to, bridge.fromForm) }
  const vendor = { provider, target: to, named }
  const wire = wireOf(deps.codecs, provider, upstreamEndpoint)
  if (isUnconverted || !isTalk(upstreamEndpoint) || !wire) {
    return whenKnown(vendorCall(call, model), (own) => {
      const isGeminiOnly = call.format === 'gemini' && !isTalk(upstreamEndpoint)
      const changes: OwnEdits = passThrough ? UNCHANGED : ownEdits(deps.codecs, own, vendor, suffix.edits)
      const edits = isGeminiOnly ? new Map([...changes.edits, ...modelEdits(call, model)]) : changes.edits
      const traits = {
        model,
        requestsUsage,
        passThrough: passThrough && !isGeminiOnly,
        isUntouched,
        edits,
        isUnsampled: isUnsampled(to),
      }
      const { dropped, structured } = changes
      const facts = { upstreamEndpoint, model, unconverted: own.json, structured }
      return whenKnown(
        upstreamBody(own, channel, traits),
        ({ unsaid = [], ...body }: UpstreamBody): Outgoing => ({ ...facts, dropped: [...dropped, ...unsaid], ...body }),
      )
    })
  }
  const isSame = upstreamEndpoint === call.endpoint
  const target = { ...writtenFor(deps, provider, to), streamOptions: requestsUsage }
  const destination = {
    upstreamEndpoint,
    takesUrls: provider.fetchesImageUrls ?? true,
    accountId,
    cancellation,
    memory: deps.bodies.shareFor(owner, accountId),
  }
  const caching = cachingOf(deps, provider, to)
  const source = isSame ? vendorCall(call, model) : convertible(call)
  const converting = whenKnown(source, (one) =>
    convert(deps, { call: one, vendor, mediaTarget: destination, wire, target, adapt: suffix.adapt, caching }),
  )
  return whenKnown(converting, (converted) => ({
    upstreamEndpoint,
    model,
    type: JSON_TYPE,
    unconverted: call.json,
    addedUsage: false,
    ...converted,
  }))
}

function targetOf(
  { geminiVersion, claudeHeaders, accessTokens }: SendDeps,
  { channel, call: { stream, model: requestedModel, route }, upstreamEndpoint: endpoint, isUnconverted }: ChannelCall,
  model: string,
  { request, query }: RequestContext,
): Target {
  const clientHeaders = request.headers
  return {
    channel,
    model,
    requestedModel,
    endpoint,
    stream,
    ...(route.compacts && isUnconverted ? { compacts: true } : {}),
    clientHeaders,
    query,
    geminiVersion,
    claudeHeaders,
    accessTokens,
  }
}

async function sendRequest(
  deps: SendDeps,
  { provider, call, accountId, order }: ChannelCall,
  target: Target,
  context: RequestContext,
  { upstreamEndpoint, type, bytes, unconverted }: Outgoing,
): Promise<UpstreamReply> {
  const accept = call.stream ? 'text/event-stream' : (accepted[upstreamEndpoint] ?? JSON_TYPE)
  const waits = deps.pools.waitsFor(target.model, call.stream)
  const request = { bytes, type, accept, unconverted, waits, accountId, order }
  try {
    return await callVendor(deps, provider, target, request, context.cancellation)
  } catch (cause) {
    throw cause instanceof UpstreamError || cause instanceof GatewayError ? cause : transportError(cause)
  }
}

const accepted: Readonly<Partial<Record<Endpoint, string>>> = {
  speech: '*/*',
  transcriptions: '*/*',
  translations: '*/*',
}

/** Aborts a stream that was not requested and cannot be read, and returns the error. */
function unreadable(reply: UpstreamReply): UpstreamError {
  reply.abort()
  return new UpstreamError(502, 'the upstream sent a response that could not be read')
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
