import { isObject, numberIn, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import { choiceIndex } from '../../formats/choice-index.ts'
import type { Json, StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent, FinishReason } from '../../formats/events.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import { errorIn } from './errors.ts'

export const decodeAnswer = (wire: unknown): readonly AnswerEvent[] => new AnswerReader('Message').take(wire)

/** Reads a stream, whose pieces have the form of a response without `Response`. */
export function decodeStream(): StreamDecoder {
  const reader = new AnswerReader('Delta')
  return {
    payload: (text) =>
      eventsOf(text, (json) => {
        const events = reader.take(json)
        return isLast(events) ? [...events, ...DONE] : events
      }),
  }
}

/** Every piece has the usage so far; the last one also has the finish reason. */
const isLast = (events: readonly AnswerEvent[]): boolean =>
  events.some(({ type }) => type === 'finish') && events.some(({ type }) => type === 'usage')

class AnswerReader {
  private readonly member: 'Message' | 'Delta'
  private readonly calls = new Map<string, number>()
  private readonly counts = new Map<number, number>()
  private hasStarted = false

  constructor(member: 'Message' | 'Delta') {
    this.member = member
  }

  take(wire: unknown): readonly AnswerEvent[] {
    const error = errorIn(wire)
    if (error) return [{ type: 'error', error }]
    if (!isObject(wire)) return []
    const answer = isObject(wire.Response) ? wire.Response : wire
    const events: AnswerEvent[] = []
    if (!this.hasStarted) events.push({ type: 'start', id: textIn(answer.Id) })
    this.hasStarted = true
    for (const [place, choice] of objectsIn(answer.Choices).entries())
      for (const event of this.choiceOf(choice, choiceIndex(choice.Index, place))) events.push(event)
    const usage = usageIn(objectIn(answer.Usage))
    if (usage) events.push({ type: 'usage', usage })
    return events
  }

  private choiceOf(wire: Json, choice: number): readonly AnswerEvent[] {
    const { Content, ReasoningContent, ToolCalls } = objectIn(wire[this.member])
    const events: AnswerEvent[] = []
    const thought = textIn(ReasoningContent)
    if (thought) events.push({ type: 'reasoning', choice, text: thought })
    const text = textIn(Content)
    if (text) events.push({ type: 'text', choice, text })
    for (const [place, call] of objectsIn(ToolCalls).entries())
      events.push(this.callOf(call, choice, `${choice} ${numberIn(call.Index) ?? place}`))
    const reason = textIn(wire.FinishReason)
    if (reason) events.push({ type: 'finish', choice, reason: reasons[reason] ?? reason })
    return events
  }

  /** Pieces of one call repeat its id and its name. */
  private callOf({ Id, Function: func }: Json, choice: number, key: string): AnswerEvent {
    const { Name, Arguments } = objectIn(func)
    const json = textIn(Arguments) ?? ''
    const known = this.calls.get(key)
    if (known !== undefined) return { type: 'tool', choice, call: known, json }
    const call = this.counts.get(choice) ?? 0
    this.calls.set(key, call)
    this.counts.set(choice, call + 1)
    return { type: 'tool', choice, call, id: textIn(Id) || `call_${choice}_${call}`, name: textIn(Name) ?? '', json }
  }
}

const reasons: Readonly<Record<string, FinishReason>> = { tool_calls: 'tool-calls', sensitive: 'filter' }

function usageIn({ PromptTokens, CompletionTokens }: Json): Usage | undefined {
  const prompt = tokenCount(PromptTokens)
  const completion = tokenCount(CompletionTokens)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  return usageOf({ prompt, completion })
}
