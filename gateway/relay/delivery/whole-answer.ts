import { yieldToOthers } from '../../base/fair-yield.ts'
import { objectIn } from '../../base/json/json.ts'
import { LARGE, WIDE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { Usage } from '../../billing/usage.ts'
import { asGemini } from '../adaptation/gemini-shapes.ts'
import { type AnswerCodec, completionCodec } from '../content-filter/completion-codec.ts'
import { type CutAnswer, cutWhole } from '../content-filter/guarded-whole.ts'
import type { Guard } from '../content-filter/word-guard.ts'
import { AnswerBudget } from '../formats/answer-budget.ts'
import type { AnswerFrame, Json } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Format } from '../formats/format.ts'
import { createEndpointTap, isTapped } from '../metering/endpoint-tap.ts'
import { createEventTap, type EventTap } from '../metering/event-tap.ts'
import type { UsageTap } from '../metering/usage-tap.ts'
import type { Answer, WholeBody } from '../model/answer.ts'
import type { Call } from '../model/call.ts'
import { isConversation } from '../model/endpoint.ts'
import { tapFor } from '../transforms/stream-transforms.ts'
import type { StreamTransform } from '../transforms/transform.ts'
import { asArray } from '../transforms/translation.ts'
import { OversizeAnswer, tooMuchToConvert } from '../upstream/upstream-error.ts'
import { shaped, withUsage } from './answer-shape.ts'

type WholeAnswer = Readonly<{
  tap: UsageTap | EventTap
  /** The gateway wrote the bytes, so the upstream's headers do not apply to them. */
  isRewritten: boolean
  type: string
  bytes: (usage: Usage) => MaybePromise<Buffer>
}>

const JSON_TYPE = 'application/json; charset=utf-8'
const STREAM_TYPE = 'text/event-stream; charset=utf-8'

/**
 * A parsed response, and the form its caller requested: a Gemini stream may be one JSON array. `mustStream`: the
 * headers of a stream have been sent. `guard`: the blocked words to scan for.
 */
type Read = Readonly<{
  call: Call
  answer: Answer
  body: WholeBody
  frame: AnswerFrame
  isArray: boolean
  mustStream: boolean
  guard: Guard | undefined
}>

/**
 * Reads a complete response: unchanged in the caller's own dialect unless it must be a stream or has a blocked word,
 * rewritten if it is in another dialect.
 */
export function wholeAnswer(codecs: Codecs, read: Read): MaybePromise<WholeAnswer> {
  const { call, answer, body, mustStream, guard } = read
  if (isTapped(call.endpoint)) {
    const plain = plainAnswer(call, answer, body)
    return mustStream ? { ...plain, bytes: (usage) => whenKnown(plain.bytes(usage), asEvent) } : plain
  }
  const { wire, upstreamModel } = answer
  const isRead = wire !== undefined || guard !== undefined || mustStream
  if (isRead && body.isPartial) throw new OversizeAnswer(usageIn(speechOf(codecs, call).decodeAnswer(body.json)))
  const decoded = isRead ? (body.events ?? (wire ?? speechOf(codecs, call)).decodeAnswer(body.json)) : undefined
  if (decoded && !body.events) checkLength(decoded)
  if (!decoded || !guard) return spokenAnswer(codecs, read, decoded)
  return cutWhole(guard, decoded, upstreamModel).then((cut) => spokenAnswer(codecs, read, decoded, cut))
}

function checkLength(events: readonly AnswerEvent[]): void {
  const budget = new AnswerBudget(undefined, Infinity)
  if (!events.every((event) => budget.fits(event))) throw tooMuchToConvert(events)
}

const usageIn = (events: readonly AnswerEvent[]): Usage | undefined =>
  events.findLast((event) => event.type === 'usage')?.usage

const speechOf = (codecs: Codecs, call: Call): AnswerCodec =>
  isConversation(call.endpoint) ? codecs[call.format] : completionCodec

/** `decoded`: the response's events, if needed; `cut`: those before a blocked word. */
function spokenAnswer(
  codecs: Codecs,
  { call, answer: { wire, upstreamModel }, body: { bytes, json }, frame, isArray, mustStream }: Read,
  decoded: readonly AnswerEvent[] | undefined,
  cut?: CutAnswer,
): WholeAnswer {
  const speech = speechOf(codecs, call)
  const events = cut?.events ?? decoded
  if (events && (wire || cut || mustStream)) {
    const tap = cut?.tap ?? tapOf(events, upstreamModel, call.format)
    const isStream = mustStream || (call.stream && wire !== undefined)
    const own = isStream
      ? streamed(speech, events, frame, isArray)
      : complete(speech, events, frame, Math.max(bytes.length, call.bytes.length))
    return { tap, isRewritten: true, ...own }
  }
  const tap = tapFor(codecs, call.format, upstreamModel)
  tap.event(json)
  return { tap, isRewritten: false, type: JSON_TYPE, bytes: () => bytes }
}

function tapOf(events: readonly AnswerEvent[], model: string, to: Format): EventTap {
  const tap = createEventTap(model, to)
  for (const event of events) tap.take(event)
  return tap
}

/** A response without events, as the only event of a stream. */
function asEvent(bytes: Buffer): Buffer {
  const line = Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')])
  for (let at = 0; at < line.length - 2; at += 1) if (line[at] === LINE_END) line[at] = SPACE
  return line
}

const LINE_END = 0x0a
const SPACE = 0x20

/** A response that is not a conversation: unchanged unless its vendor or its endpoint has another shape. */
function plainAnswer(
  call: Call,
  { upstreamEndpoint, upstreamModel }: Answer,
  { bytes, json, isBridged }: WholeBody,
): WholeAnswer {
  const tap = createEndpointTap(call, upstreamModel)
  tap.event(json)
  const own = shaped(call, json) ?? (isBridged || upstreamEndpoint !== call.endpoint ? objectIn(json) : null)
  if (!own) return { tap, isRewritten: false, type: JSON_TYPE, bytes: () => bytes }
  const answered = (usage: Usage): Json =>
    upstreamEndpoint === call.endpoint ? withUsage(call, own, usage) : asGemini(call, own)
  return { tap, isRewritten: true, type: JSON_TYPE, bytes: (usage) => written(answered(usage), bytes.length) }
}

/** A response as JSON; serialized in slices if `length`, the bytes it was read from, is large. */
const written = (json: Json, length: number): MaybePromise<Buffer> =>
  length > LARGE ? writeJson(json, true) : Buffer.from(JSON.stringify(json))

type Written = Pick<WholeAnswer, 'type' | 'bytes'>

const complete = (
  speech: AnswerCodec,
  events: readonly AnswerEvent[],
  frame: AnswerFrame,
  length: number,
): Written => ({
  type: JSON_TYPE,
  bytes: (usage) => {
    const encoded = () => written(speech.encodeAnswer(events, frame, usage), length)
    return length > WIDE ? yieldToOthers().then(encoded) : encoded()
  },
})

/** Writes a complete response as a stream, for a caller that requested one. */
function streamed(speech: AnswerCodec, events: readonly AnswerEvent[], frame: AnswerFrame, isArray: boolean): Written {
  const encoder = speech.encodeStream(frame)
  const text = events.map((event) => encoder.add(event)).join('')
  const atOnce: StreamTransform = { feed: nothing, end: nothing, close: (usage) => text + encoder.end(usage) }
  const { close } = isArray ? asArray(atOnce) : atOnce
  return { type: isArray ? JSON_TYPE : STREAM_TYPE, bytes: (usage) => Buffer.from(close(usage)) }
}

const nothing = () => ''
