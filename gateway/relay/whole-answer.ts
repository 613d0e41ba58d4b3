import { objectIn } from '../base/json.ts'
import type { Usage } from '../billing/usage.ts'
import type { Answer, WholeBody } from './answer.ts'
import type { Codecs } from './codecs.ts'
import { shaped, withUsage } from './endpoints/answer-shape.ts'
import { asGemini } from './endpoints/embed-turn.ts'
import { createEndpointTap, isTapped } from './endpoints/tap.ts'
import { createEventTap, type EventTap } from './event-tap.ts'
import type { AnswerFrame, Codec, Json } from './formats/codec.ts'
import type { AnswerEvent } from './formats/events.ts'
import { tapFor } from './passages.ts'
import type { Call } from './understand.ts'
import type { UsageTap } from './usage-tap.ts'

/** An answer that came whole: what watched it, and the bytes for the caller once its usage is known. */
export type WholeAnswer = Readonly<{
  tap: UsageTap | EventTap
  /** The bytes are written here, so the upstream's headers say nothing of them. */
  isOwn: boolean
  type: string
  bytes: (usage: Usage) => Buffer
}>

const JSON_TYPE = 'application/json; charset=utf-8'
const STREAM_TYPE = 'text/event-stream; charset=utf-8'

/** Reads a whole answer: untouched in the caller's own dialect, written anew in another. */
export function wholeAnswer(
  codecs: Codecs,
  call: Call,
  answer: Answer,
  body: WholeBody,
  frame: AnswerFrame,
): WholeAnswer {
  if (isTapped(call.endpoint)) return plainAnswer(call, answer, body)
  const { bytes, json } = body
  const { wire, upstreamModel } = answer
  if (wire) {
    const events = wire.decodeAnswer(json)
    return written(codecs[call.format], events, call, upstreamModel, frame)
  }
  const tap = tapFor(codecs, call.format, upstreamModel)
  tap.event(json)
  return { tap, isOwn: false, type: JSON_TYPE, bytes: () => bytes }
}

/** An answer that is no conversation: untouched unless its vendor, or its endpoint, has another shape. */
function plainAnswer(call: Call, { way, upstreamModel }: Answer, { bytes, json, isBridged }: WholeBody): WholeAnswer {
  const tap = createEndpointTap(call, upstreamModel)
  tap.event(json)
  const own = shaped(call, json) ?? (isBridged || way !== call.endpoint ? objectIn(json) : null)
  if (!own) return { tap, isOwn: false, type: JSON_TYPE, bytes: () => bytes }
  const written = (usage: Usage): Json => (way === call.endpoint ? withUsage(call, own, usage) : asGemini(call, own))
  return { tap, isOwn: true, type: JSON_TYPE, bytes: (usage) => Buffer.from(JSON.stringify(written(usage))) }
}

/** A caller that asked for a stream gets one, all at once. */
function written(
  codec: Codec,
  events: readonly AnswerEvent[],
  call: Call,
  model: string,
  frame: AnswerFrame,
): WholeAnswer {
  const tap = createEventTap(model)
  for (const event of events) tap.take(event)
  if (!call.stream)
    return {
      tap,
      isOwn: true,
      type: JSON_TYPE,
      bytes: (usage) => Buffer.from(JSON.stringify(codec.encodeAnswer(events, frame, usage))),
    }
  const encoder = codec.encodeStream(frame)
  const text = events.map((event) => encoder.add(event)).join('')
  return { tap, isOwn: true, type: STREAM_TYPE, bytes: (usage) => Buffer.from(text + encoder.end(usage)) }
}
