import { AnswerBudget } from '../formats/answer-budget.ts'
import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong } from '../formats/refusals.ts'
import { dataFrames } from '../formats/sse.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import type { UpstreamReply, WholeBody } from '../model/answer.ts'
import { gatherUntil } from './gather.ts'
import { errorInAnswer, UpstreamError } from './upstream-error.ts'

/**
 * Collects an unrequested stream into one response (docs/reference/endpoints.md#requesting-a-stream). Throws
 * `UpstreamError` if it contains an error or ends early: nothing has reached the caller then.
 */
export async function gatheredStream(
  reply: UpstreamReply,
  wire: Wire,
  memory: Pick<MemoryShare, 'grow'>,
): Promise<WholeBody> {
  const [frames, decoder] = [wire.frames?.() ?? dataFrames(), wire.decodeStream()]
  const all: AnswerEvent[] = []
  const budget = new AnswerBudget()
  const take = (payloads: readonly string[]): boolean => {
    for (const payload of payloads) {
      const events = decoder.payload(payload)
      for (const event of events) {
        budget.take(event)
        all.push(event)
      }
      if (events.some(isLast)) return false
    }
    return true
  }
  try {
    if (await gatherUntil(reply, (bytes) => take(frames.feed(bytes)), memory)) take(frames.end())
  } catch (cause) {
    if (cause instanceof LineTooLong) throw new UpstreamError(502, cause.message, { cause })
    throw cause
  }
  const failed = all.find((event) => event.type === 'error')
  if (failed) throw errorInAnswer(failed) ?? new UpstreamError(502, 'the stream contains an error')
  if (!all.some(({ type }) => type === 'finish' || type === 'done'))
    throw new UpstreamError(502, 'the upstream response ended early')
  const events = all.filter(({ type }) => type !== 'done')
  return { kind: 'whole', bytes: NOTHING, json: null, isBridged: false, events }
}

const NOTHING = Buffer.alloc(0)

const isLast = ({ type }: AnswerEvent): boolean => type === 'done' || type === 'error'
