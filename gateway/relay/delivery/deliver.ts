import type { OutgoingHttpHeaders } from 'node:http'
import { boundToAccount } from '../../base/fair-yield.ts'
import { isObject, type JsonObject, objectIn, parsed } from '../../base/json/json.ts'
import type { JsonSpans } from '../../base/json/json-spans.ts'
import type { Logger } from '../../base/log/logger.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { Usage } from '../../billing/usage.ts'
import { completionCodec } from '../content-filter/completion-codec.ts'
import { guardedTranslated } from '../content-filter/guarded-translated.ts'
import { guardedUntouched } from '../content-filter/guarded-untouched.ts'
import type { Guard, WordGuard } from '../content-filter/word-guard.ts'
import { AnswerBudget } from '../formats/answer-budget.ts'
import { MAX_NAMES } from '../formats/answer-losses.ts'
import { type AnswerFrame, type ErrorPosition, NO_CLIENT_TOOLS, type Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { BodyMemory, MemoryShare } from '../intake/body-memory.ts'
import { type ChargeDeps, createCharging } from '../metering/charge.ts'
import { Coverage } from '../metering/coverage.ts'
import { createEndpointTap, isTapped } from '../metering/endpoint-tap.ts'
import { createEventTap } from '../metering/event-tap.ts'
import { isBlocked, type Observed } from '../metering/usage-tap.ts'
import type { Answer, Delivery, WholeBody } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isConversation } from '../model/endpoint.ts'
import type { Ending } from '../model/outcome.ts'
import type { Expected } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { Recording } from '../response-cache/recording.ts'
import {
  isOwnStored,
  isStoredHere,
  rememberingTap,
  type StoreDeps,
  storeOwn,
  storeVendors,
  storingTransform,
} from '../stored/keep.ts'
import { measured, promptSize } from '../tokenizer/prompt-size.ts'
import { bytewise, longEvents } from '../transforms/long-events.ts'
import { arrayed, tapFor, translated, untouched } from '../transforms/stream-transforms.ts'
import type { Scrub, TappedTransform } from '../transforms/transform.ts'
import { passedOn } from '../upstream/headers.ts'
import { scrubbed } from '../upstream/redaction.ts'
import { errorInResponse, UpstreamError } from '../upstream/upstream-error.ts'
import { shown, streamQuota } from './error-body.ts'
import { errorEvent } from './error-shapes.ts'
import { isArray, type KeepAlive, STREAM_HEAD, STREAMED } from './keep-alive.ts'
import { LineMemory } from './line-memory.ts'
import type { StreamDeps } from './running-stream.ts'
import { deliverStream, hasEnded } from './stream.ts'
import type { StreamSupervisor } from './stream-supervisor.ts'
import { wholeAnswer } from './whole-answer.ts'

export type DeliverDeps = ChargeDeps &
  StoreDeps &
  Readonly<{
    codecs: Codecs
    supervisor: StreamSupervisor
    words: WordGuard
    log: Logger
    responseMemory: BodyMemory
  }>

type StreamedDelivery = Delivery & Readonly<{ keepAlive: KeepAlive | undefined; recording: Recording | undefined }>

type Delivered = Readonly<{ ending: Ending; vendorError?: UpstreamError | undefined }>

/** Sends the response; it is charged and logged before its last byte goes out. Returns how it ended. */
export function deliver(deps: DeliverDeps, delivery: StreamedDelivery): Promise<Delivered> {
  const { body, reply } = delivery.answer
  if (body.kind === 'bytes' && delivery.keepAlive?.hasBegun) {
    reply.abort()
    throw new UpstreamError(502, 'the upstream did not send an event stream')
  }
  if (body.kind !== 'whole') return deliverEvents(deps, delivery, body.kind === 'stream' && body.dropUsage)
  return deliverComplete(deps, delivery, body)
}

async function deliverComplete(deps: DeliverDeps, delivery: StreamedDelivery, body: WholeBody): Promise<Delivered> {
  const { context, answer, call } = delivery
  const charging = createCharging(deps, delivery)
  // The response's form must not change while it is counted.
  delivery.keepAlive?.stop()
  const mustStream = delivery.keepAlive?.hasBegun === true
  const read = wholeAnswer(deps.codecs, {
    call,
    answer,
    body,
    frame: frameOf(deps, delivery),
    isArray: isArray(context, call),
    mustStream,
    guard: guardOf(deps, delivery),
  })
  const complete = read instanceof Promise ? await read : read
  if (answer.wire && complete.tap.observed.error && !complete.tap.produced())
    throw refusedBy(complete.tap.observed.error, complete.tap.observed.usage)
  const counting = charging.count(complete.tap)
  if (counting) await counting
  const took = deps.clock.monotonic() - context.startedMs
  const ending = complete.tap.observed.filtered ? 'filtered' : 'complete'
  const settled = charging.settle(complete.tap, hasEnded(context.response) ? 'client-gone' : ending, took)
  const usage = settled instanceof Promise ? await settled : settled
  const { response } = context
  if (hasEnded(response)) return COMPLETE
  const written = complete.bytes(usage)
  const bytes = written instanceof Promise ? await written : written
  if (isOwnStored(deps, delivery)) storeOwn(deps, delivery, bytes.toString())
  else storeVendors(deps, delivery, body.json)
  const found = foundOf(deps, delivery)
  if (found instanceof Promise) await found
  if (mustStream) {
    response.end(bytes)
    return COMPLETE
  }
  const more = { 'content-length': bytes.length, ...droppedHeader(answer, complete.tap.lost?.()) }
  const own = { ...context.head, 'content-type': complete.type }
  const head = complete.isRewritten ? { ...own, ...more } : passedOn(answer.reply.headers, context.head, more)
  const isCached = cacheComplete(delivery, complete.tap.observed, { usage, head, bytes })
  response.writeHead(answer.reply.status, isCached ? { ...head, 'x-switchyard-cache': 'stored' } : head)
  // Headers and body in one write; Latin-1 maps every byte to itself.
  if (bytes.length <= ONE_WRITE) response.end(bytes.toString('latin1'), 'latin1')
  else response.end(bytes)
  return COMPLETE
}

const COMPLETE: Delivered = { ending: 'complete' }

const ONE_WRITE = 16 * 1024

/** Caches a complete good response, if requested, before its headers are written; returns whether it was cached. */
function cacheComplete(
  { recording, answer, call }: StreamedDelivery,
  { error, filtered, finished }: Readonly<Observed>,
  { usage, head, bytes }: Readonly<{ usage: Usage; head: OutgoingHttpHeaders; bytes: Buffer }>,
): boolean {
  const isFinished = finished || !isTalking(call.endpoint)
  if (!recording || error || filtered || !isFinished || answer.reply.status !== 200) return false
  recording.begin(head, call.stream)
  recording.charged(usage)
  recording.isWhole = recording.add(bytes)
  return recording.keep()
}

const isTalking = (endpoint: Endpoint): boolean => isConversation(endpoint) || endpoint === 'completions'

/** Waits until the next request, on any node, can find a stored response; only `/v1/responses` stores any. */
function foundOf({ stored, conversations }: DeliverDeps, { call }: Delivery): MaybePromise<void> {
  if (call.endpoint !== 'responses') return undefined
  const added = call.conversation && conversations.found(call.conversation.id)
  return added instanceof Promise ? added.then(() => stored.found()) : stored.found()
}

/** The error of a response without content; billed by its figures if the vendor has read and blocked the prompt. */
function refusedBy(error: Record<string, unknown>, usage: Usage | null): UpstreamError {
  const { status, message } = error
  const isStatus = typeof status === 'number' && status >= 400 && status <= 599
  const refusal = errorInResponse(typeof message === 'string' ? message : '', error, isStatus ? status : 502)
  return usage && isBlocked(error) ? refusal.billedFor(usage) : refusal
}

async function deliverEvents(deps: DeliverDeps, delivery: StreamedDelivery, dropUsage: boolean): Promise<Delivered> {
  const { context, hold, answer, call, recording } = delivery
  // A converted message begins with the size of its prompt.
  const measuring = answer.wire && call.endpoint === 'messages' ? measured(deps, call) : undefined
  if (measuring) await measuring
  const isTranslated = answer.wire !== undefined
  const { transform, tap } = tappedOf(deps, delivery, dropUsage)
  const coverage = isTapped(call.endpoint)
    ? undefined
    : new Coverage(delivery.plan, hold, deps.clock, context.startedMs)
  const charging = createCharging(deps, delivery, coverage)
  const onFault = (error: unknown) => deps.log.error('relay stream failed', { requestId: context.requestId, error })
  let firstByteMs = -1000
  const more = { ...STREAMED, ...droppedHeader(answer) }
  const own = { ...context.head, ...(isArray(context, call) ? ARRAY_HEAD : STREAM_HEAD), ...more }
  const isRewritten = isTranslated || isArray(context, call)
  const head = isRewritten ? own : passedOn(answer.reply.headers, context.head, more)
  if (!delivery.keepAlive?.hasBegun && !hasEnded(context.response))
    context.response.writeHead(answer.reply.status, head)
  recording?.begin(head, true)
  const stream = deliverStream({
    reply: answer.reply,
    response: context.response,
    transform,
    tap,
    isTranslated,
    isCovered: () => coverage?.covers(tap) ?? true,
    ...reading(delivery, tap.observed),
    count: (ending) => (ending === 'quota' ? charging.measure(tap) : charging.count(tap)),
    settle: (ending) => recorded(recording, charging.settle(tap, ending, firstByteMs)),
    found: () => foundOf(deps, delivery),
    recording,
    line: answer.body.kind === 'bytes' ? undefined : new LineMemory(shareOf(deps, delivery)),
    queueLength: deps.settings.get('StreamCacheQueueLength'),
    brokenEvent(ending, hasPassed) {
      if (answer.body.kind === 'bytes') return hasPassed ? '' : cutOff(context)
      const position = { ...transform.position?.(), frame: frameOf(deps, delivery) }
      return brokenEvent(delivery, { ending, hasPassed, vendorBody: errorBodyIn(tap.observed) }, position)
    },
    onFirst() {
      firstByteMs = deps.clock.monotonic() - context.startedMs
    },
    onFault,
  })
  delivery.keepAlive?.follow(stream)
  const leave = deps.supervisor.add({
    userId: delivery.caller.account.id,
    tokenId: delivery.caller.tokenId,
    startedMs: context.startedMs,
    untilMs: answer.untilMs ?? Number.POSITIVE_INFINITY,
    stop: () => stream.stop(),
    timeUp: () => stream.timeUp(),
    dismiss: () => stream.dismiss(),
    expire: () => stream.expire(),
    checkpoint: boundToAccount(() => {
      if (!stream.produced()) return
      const write = () => hold.checkpoint(charging.charge(tap, 'stopped', firstByteMs).charge)
      const measuring = charging.measure(tap)
      if (measuring) measuring.then(write).catch(onFault)
      else write()
    }),
  })
  const ending = await stream.finished
  leave()
  if (recording) recording.isWhole = ending === 'complete' && answer.reply.status === 200
  const body = ending === 'upstream-error' ? errorBodyIn(tap.observed) : null
  return body ? { ending, vendorError: asUpstreamError(body) } : { ending }
}

/** Whether a stream is read on after its caller has left (`readsOn`), or once it is not sent (`readsOnUnsent`). */
function reading(
  { answer, hold, plan: { expected } }: StreamedDelivery,
  observed: Readonly<Observed>,
): Pick<StreamDeps, 'readsOn' | 'readsOnUnsent'> {
  if (answer.body.kind === 'bytes') return { readsOn: () => false, readsOnUnsent: () => false }
  return {
    readsOn: () => isReportedLater(expected, observed),
    readsOnUnsent: () => (expected.hasHiddenReasoning && !hold.isAccountShort) || isReportedLater(expected, observed),
  }
}

/** Whether the cost of what the caller got is known only from later events. */
const isReportedLater = (expected: Expected, { usage }: Readonly<Observed>): boolean =>
  expected.isReportedAtEnd || (expected.hasUnknownPrompt && !usage)

const recorded = (recording: Recording | undefined, settled: MaybePromise<Usage>): MaybePromise<Usage> =>
  recording ? whenKnown(settled, (usage) => recording.charged(usage)) : settled

/** The error that an upstream sent within its response; null if none can be shown. */
const errorBodyIn = ({ error, unreadable }: Readonly<Observed>): Record<string, unknown> | null =>
  unreadable ? null : error

const asUpstreamError = (body: Record<string, unknown>): UpstreamError =>
  errorInResponse(typeof body.message === 'string' && body.message !== '' ? body.message : UNEXPECTED, body)

const UNEXPECTED = 'the stream ended unexpectedly'

function tappedOf(deps: DeliverDeps, delivery: StreamedDelivery, dropUsage: boolean): TappedTransform {
  const { context, answer, call } = delivery
  if (isTapped(call.endpoint)) {
    const tap = createEndpointTap(call, answer.upstreamModel)
    return answer.body.kind === 'bytes' ? bytewise(tap) : longEvents(tap, scrubFor(answer, call))
  }
  const guard = guardOf(deps, delivery)
  const tapped = answer.wire
    ? translatedTransform(deps, delivery, answer.wire, guard)
    : untouchedTransform(deps, delivery, dropUsage, guard)
  if (isOwnStored(deps, delivery)) return { ...tapped, transform: storingTransform(deps, delivery, tapped.transform) }
  return isArray(context, call) ? arrayed(tapped) : tapped
}

function untouchedTransform(
  deps: DeliverDeps,
  delivery: StreamedDelivery,
  dropUsage: boolean,
  guard: Guard | undefined,
): TappedTransform {
  const { answer, call } = delivery
  const tap = rememberingTap(deps, delivery, tapFor(deps.codecs, call.format, answer.upstreamModel))
  const scrub = scrubFor(answer, call)
  if (!guard) return untouched(tap, dropUsage, scrub)
  const speech = isConversation(call.endpoint) ? deps.codecs[call.format] : completionCodec
  const budget = new AnswerBudget(shareOf(deps, delivery))
  return guardedUntouched(guard, speech, frameOf(deps, delivery), tap, { dropUsage, scrub, budget })
}

/** A share of the memory of upstream responses, until the request ends (docs/reference/limits.md#bodies). */
const shareOf = ({ responseMemory }: DeliverDeps, { context, caller }: Delivery): MemoryShare =>
  responseMemory.shareFor(context.owner, caller.account.id)

function translatedTransform(
  deps: DeliverDeps,
  delivery: StreamedDelivery,
  wire: Wire,
  guard: Guard | undefined,
): TappedTransform {
  const { answer, call } = delivery
  const codec = deps.codecs[call.format]
  const frame = frameOf(deps, delivery)
  const budget = new AnswerBudget(shareOf(deps, delivery))
  if (!guard) return translated(wire, codec, answer.upstreamModel, frame, budget)
  return guardedTranslated(guard, wire, codec, frame, createEventTap(answer.upstreamModel, call.format), budget)
}

/**
 * Passes error events of the upstream on without the channel's secrets and, except in Gemini's dialect, with codes as
 * text, which OpenAI's clients expect.
 */
const scrubFor = ({ channel }: Answer, { format }: Call): Scrub =>
  format === 'gemini' ? (payload) => scrubbed(payload, channel) : (payload) => withCodeText(scrubbed(payload, channel))

function withCodeText(payload: string): string {
  const json = objectIn(parsed(payload))
  const { error } = json
  if (!isObject(error) || typeof error.code !== 'number') return payload
  return JSON.stringify({ ...json, error: { ...error, code: String(error.code) } })
}

/** The blocked words that end a response; undefined if there are none, so that nothing is scanned. */
function guardOf({ words }: DeliverDeps, { context }: Delivery): Guard | undefined {
  const list = words.answerWords()
  return list && { words: list, note: (word) => words.noteAnswer(word, context.requestId) }
}

const ARRAY_HEAD = { 'content-type': 'application/json; charset=utf-8', ...STREAMED }

/** Max characters of the header; many clients refuse longer ones. */
const MAX_DROPPED_LENGTH = 4096

/**
 * Names the parts of the request that did not reach the upstream, and those of the response that did not reach the
 * caller (docs/fidelity.md).
 */
function droppedHeader({ dropped }: Answer, lost: readonly string[] = []): Readonly<Record<string, string>> {
  const names = lost.length > 0 ? [...new Set([...dropped, ...lost])] : dropped
  if (names.length === 0) return {}
  const text = names.slice(0, MAX_NAMES).join(', ').slice(0, MAX_DROPPED_LENGTH)
  return { 'x-switchyard-dropped': text.replace(/[^\x20-\x7e]/g, '?') }
}

const frameOf = (deps: DeliverDeps, { context, call, answer }: Delivery): AnswerFrame => ({
  id: context.requestId,
  model: call.model,
  created: context.at,
  wantsUsage: call.wantsUsage,
  promptTokens: () => promptSize(deps, call),
  request: requestOf(call),
  isStored: isStoredHere(deps.stored, { call, answer }),
  ...(answer.conversion ?? UNCONVERTED),
})

/** The request as received, with its references; without long settings, which a stream would repeat three times. */
function requestOf({ json, spans, bytes, previousId, conversation }: Call): Readonly<JsonObject> {
  const long = bytes.length > MAX_REPEATED ? spans.members.filter(isLongSetting) : NO_MEMBERS
  const request = long.length === 0 ? json : { ...json, ...Object.fromEntries(long.map(({ key }) => [key, undefined])) }
  if (conversation) return { ...request, conversation: { id: conversation.id } }
  return previousId === undefined ? request : { ...request, previous_response_id: previousId }
}

/** Max bytes of a setting that is repeated; instructions and tools of agents are shorter. */
const MAX_REPEATED = 256 * 1024
const NO_MEMBERS: JsonSpans['members'] = []

const isLongSetting = ({ key, valueStart, valueEnd }: JsonSpans['members'][number]): boolean =>
  key !== 'input' && valueEnd - valueStart > MAX_REPEATED

/** An unconverted request has no renamed tools to restore. */
const UNCONVERTED = { clientTools: NO_CLIENT_TOOLS }

/**
 * A byte stream cannot carry an error, so the connection is closed: the caller must not mistake a partial response for
 * a complete one.
 */
function cutOff({ response }: RequestContext): string {
  response.destroy()
  return ''
}

type Broken = Readonly<{ ending: Ending; hasPassed: boolean; vendorBody: Record<string, unknown> | null }>

/**
 * Ends a broken response in the caller's dialect: with the upstream's error, with the refusal if the account cannot pay
 * for more, or else with the message that the stream broke off. If the upstream's own error event has been sent,
 * Responses still needs the failed response; other dialects need nothing.
 */
function brokenEvent(
  { context, plan, answer, call }: Delivery,
  { ending, hasPassed, vendorBody }: Broken,
  { next = 0, sentError, ...position }: Partial<ErrorPosition> & Pick<ErrorPosition, 'frame'>,
): string {
  if (hasPassed && call.format !== 'responses') return ''
  const { requestId, locale } = context
  const at = { ...position, next, sentError: hasPassed ? sentError : undefined }
  if (ending === 'quota') return errorEvent(call.format, streamQuota(requestId, locale), at)
  const status = ending === 'upstream-timeout' ? 504 : 502
  const cause = vendorBody ? asUpstreamError(vendorBody) : new UpstreamError(status, UNEXPECTED, { transport: true })
  const failure = shown(cause, { requestId, locale, group: plan.group, channel: answer.channel, isWithin: true })
  const error = vendorBody ? failure.error : { ...failure.error, code: 'stream_response_error' }
  return errorEvent(call.format, { ...failure, error }, at)
}
