import type { WholeBody } from './answer.ts'
import type { UpstreamReply } from './exchange.ts'
import type { Wire } from './formats/codec.ts'
import type { AnswerEvent } from './formats/events.ts'
import { gatherAnswer } from './gather.ts'
import { createLineReader, LineTooLong } from './sse.ts'
import { errorInAnswer, UpstreamError } from './upstream-error.ts'

/**
 * Reads a stream that nobody asked for as one answer (spec/relay.md §1.2). Throws `UpstreamError` where it holds an error
 * or ends before its answer does: nothing has reached the caller then.
 */
export async function gatheredStream(reply: UpstreamReply, wire: Wire): Promise<WholeBody> {
  const bytes = await gatherAnswer(reply)
  const all = eventsIn(bytes, wire)
  const failed = all.find((event) => event.type === 'error')
  if (failed) throw errorInAnswer(failed) ?? new UpstreamError(502, 'the stream holds an error')
  if (!all.some(({ type }) => type === 'finish' || type === 'done'))
    throw new UpstreamError(502, 'the upstream broke its answer off')
  const events = all.filter(({ type }) => type !== 'done')
  return { kind: 'whole', bytes, json: null, isBridged: false, events }
}

function eventsIn(bytes: Buffer, wire: Wire): readonly AnswerEvent[] {
  const decoder = wire.decodeStream()
  const events: AnswerEvent[] = []
  const reader = createLineReader((payload) => {
    events.push(...decoder.payload(payload))
    return 'drop'
  })
  try {
    reader.feed(bytes)
  } catch (cause) {
    if (cause instanceof LineTooLong) throw new UpstreamError(502, cause.message, { cause })
    throw cause
  }
  reader.end()
  return events
}
