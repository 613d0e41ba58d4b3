import { AnswerBudget } from '../formats/answer-budget.ts'
import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { LineTooLong } from '../formats/refusals.ts'
import { dataFrames } from '../formats/sse.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import type { UpstreamReply, WholeBody } from '../model/answer.ts'
import { gatherUntil } from './gather.ts'
import { errorInAnswer, OversizeAnswer, tooMuchToConvert, UpstreamError } from './upstream-error.ts'

/**
 * Collects an unrequested stream into one response (docs/reference/endpoints.md#requesting-a-stream). Throws
 * `UpstreamError` if it contains an error or ends early, and `OversizeAnswer` if it is too long: nothing has reached
 * the caller then.
 */
export async function gatheredStream(
  reply: UpstreamReply,
  wire: Wire,
  memory: Pick<MemoryShare, 'grow'>,
): Promise<WholeBody> {
  const [frames, decoder, gathered] = [wire.frames?.() ?? dataFrames(), wire.decodeStream(), new GatheredEvents()]
  const take = (payloads: readonly string[]): boolean => {
    for (const payload of payloads) {
      const events = decoder.payload(payload)
      for (const event of events) gathered.add(event)
      if (events.some(isLast)) return false
    }
    return true
  }
  try {
    if (await gatherUntil(reply, (bytes) => take(frames.feed(bytes)), memory)) take(frames.end())
  } catch (cause) {
    if (gathered.isTooLong && !(cause instanceof OversizeAnswer)) throw tooMuchToConvert(gathered.events)
    if (cause instanceof LineTooLong) throw new UpstreamError(502, cause.message, { cause })
    throw cause
  }
  const failed = gathered.events.find((event) => event.type === 'error')
  if (failed) throw errorInAnswer(failed) ?? new UpstreamError(502, 'the stream contains an error')
  if (gathered.isTooLong) throw tooMuchToConvert(gathered.events)
  if (!gathered.events.some(({ type }) => type === 'finish' || type === 'done'))
    throw new UpstreamError(502, 'the upstream response ended early')
  const events = gathered.events.filter(({ type }) => type !== 'done')
  return { kind: 'whole', bytes: NOTHING, json: null, isBridged: false, events }
}

/** The events of a response; if it is too long, only an error and the last usage, for its charge. */
class GatheredEvents {
  events: AnswerEvent[] = []
  isTooLong = false
  readonly #budget = new AnswerBudget()

  add(event: AnswerEvent): void {
    if (!this.isTooLong && !this.#budget.fits(event)) {
      this.isTooLong = true
      this.events = this.events.filter(({ type }) => type === 'usage').slice(-1)
    }
    if (!this.isTooLong || event.type === 'error') this.events.push(event)
    else if (event.type === 'usage') this.events = [event]
  }
}

const NOTHING = Buffer.alloc(0)

const isLast = ({ type }: AnswerEvent): boolean => type === 'done' || type === 'error'
