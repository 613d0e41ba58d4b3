import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { Composition } from './composition.ts'

/** The whole `response` object of an answer: what its stream would end with. */
export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const composition = new Composition(frame)
  for (const event of events) {
    composition.add(event)
    composition.log.take()
  }
  return composition.end(usage)
}
