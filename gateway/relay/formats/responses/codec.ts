import { isObject, objectsIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Codec, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { AnswerReader } from './answer-reader.ts'
import { SummaryWriter } from './compaction.ts'
import { Composition } from './composition.ts'
import { decodeRequest } from './request-in.ts'
import { encodeRequest } from './request-out.ts'
import { decodeStream } from './stream-in.ts'
import { encodeStream } from './stream-out.ts'

/** OpenAI's Responses API: requests of `POST /v1/responses`, their responses and their streams. */
export const responses: Codec = {
  format: 'responses',
  decodeRequest,
  encodeRequest,
  decodeAnswer,
  encodeAnswer,
  decodeStream,
  encodeStream,
}

export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  if (isObject(wire.error) && !Array.isArray(wire.output)) return [{ type: 'error', error: wire.error }]
  const reader = new AnswerReader()
  reader.begin(wire)
  for (const [index, item] of objectsIn(wire.output).entries()) reader.close(index, item)
  reader.end(wire, wire.status)
  return reader.events
}

/** Returns the whole `response` object, the same as at the end of its stream. */
export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const composition = frame.compaction ? new SummaryWriter(frame) : new Composition(frame)
  for (const event of events) {
    composition.add(event)
    composition.log.take()
  }
  return composition.end(usage)
}
