import { isObject, objectsIn } from '../../../base/json.ts'
import type { AnswerEvent } from '../events.ts'
import { AnswerReader } from './answer-reader.ts'

/** The events of a whole answer, a `response` object; what is none has an error or nothing to tell. */
export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  if (isObject(wire.error) && !Array.isArray(wire.output)) return [{ type: 'error', error: wire.error }]
  const reader = new AnswerReader()
  reader.begin(wire)
  for (const [index, item] of objectsIn(wire.output).entries()) reader.close(index, item)
  reader.end(wire, wire.status)
  return reader.events
}
