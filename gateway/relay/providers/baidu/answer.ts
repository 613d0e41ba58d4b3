import { isObject, objectIn, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { Json, StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent, FinishReason } from '../../formats/events.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import { errorIn } from './errors.ts'

/** Returns the events of a whole response (Qianfan's chat reference): `result`, or a function call. */
export const decodeAnswer = (wire: unknown): readonly AnswerEvent[] => new AnswerReader().take(wire, true)

/** Reads a stream whose pieces are whole responses, each with the next piece of `result`; the last has `is_end`. */
export function decodeStream(): StreamDecoder {
  const reader = new AnswerReader()
  return { payload: (text) => eventsOf(text, (json) => reader.take(json, false)) }
}

class AnswerReader {
  private hasStarted = false
  private hasCalled = false

  take(wire: unknown, isWhole: boolean): readonly AnswerEvent[] {
    if (!isObject(wire)) return []
    const error = errorIn(wire)
    if (error) return [{ type: 'error', error }]
    const events: AnswerEvent[] = []
    const id = textIn(wire.id)
    if (!this.hasStarted) events.push({ type: 'start', id })
    this.hasStarted = true
    const text = textIn(wire.result)
    if (text) events.push({ type: 'text', choice: 0, text })
    const { name, arguments: json } = objectIn(wire.function_call)
    if (typeof name === 'string') {
      this.hasCalled = true
      events.push({ type: 'tool', choice: 0, call: 0, id: `call_${id ?? name}`, name, json: textIn(json) ?? '{}' })
    }
    const usage = usageIn(wire.usage)
    if (usage) events.push({ type: 'usage', usage })
    if (isWhole || wire.is_end === true) events.push({ type: 'finish', choice: 0, reason: this.reasonOf(wire) })
    return isWhole || wire.is_end !== true ? events : [...events, ...DONE]
  }

  private reasonOf({ finish_reason, is_truncated }: Json): FinishReason {
    if (this.hasCalled) return 'tool-calls'
    const reason = textIn(finish_reason) ?? ''
    if (is_truncated === true && (reason === '' || reason === 'normal')) return 'length'
    return reasons[reason] ?? reason
  }
}

const reasons: Readonly<Record<string, FinishReason>> = {
  '': 'stop',
  normal: 'stop',
  content_filter: 'filter',
  function_call: 'tool-calls',
}

/** The vendor's `completion_tokens` exclude reasoning, which its total includes. */
function usageIn(value: unknown): Usage | undefined {
  const { prompt_tokens, total_tokens, completion_tokens } = objectIn(value)
  const prompt = tokenCount(prompt_tokens)
  const total = tokenCount(total_tokens)
  if (prompt === undefined) return undefined
  const completion = total === undefined ? tokenCount(completion_tokens) : tokenCount(total - prompt)
  return completion === undefined || prompt + completion === 0 ? undefined : usageOf({ prompt, completion })
}
