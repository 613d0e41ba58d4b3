import { isObject, numberIn, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent } from '../../formats/events.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import type { AnswerError } from '../provider.ts'

export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  const error = errorIn(wire)
  if (error) return [{ type: 'error', error }]
  const { data } = objectIn(wire)
  const { choices, usage, task_id } = objectIn(data)
  const contents = objectsIn(choices).flatMap(({ content }, choice): readonly AnswerEvent[] => [
    { type: 'text', choice, text: unquoted(textIn(content) ?? '') },
    { type: 'finish', choice, reason: 'stop' },
  ])
  return [{ type: 'start', id: textIn(task_id) }, ...contents, ...usageEvents(usage)]
}

export function decodeStream(): StreamDecoder {
  let hasStarted = false
  const read = (json: unknown): readonly AnswerEvent[] => {
    const frame = objectIn(json)
    const error = errorIn(frame)
    if (error) return [{ type: 'error', error }]
    const events: AnswerEvent[] = hasStarted ? [] : [{ type: 'start' }]
    hasStarted = true
    const data = textIn(frame.data)
    if (data) events.push({ type: 'text', choice: 0, text: data })
    if (frame.event === 'interrupted') events.push({ type: 'finish', choice: 0, reason: 'filter' })
    const meta = parsed(textIn(frame.meta) ?? '')
    if (isObject(meta)) events.push(...usageEvents(meta.usage), { type: 'finish', choice: 0, reason: 'stop' })
    else if (frame.event === 'finish') events.push({ type: 'finish', choice: 0, reason: 'stop' })
    return frame.event === 'finish' ? [...events, ...DONE] : events
  }
  return { payload: (text) => eventsOf(text, read) }
}

/** Reads a response without success, or an event `error`, whose data is such a response. */
export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json)) return undefined
  if (json.event === 'error') {
    const contents = parsed(textIn(json.data) ?? '')
    return errorOf(isObject(contents) ? contents : { msg: json.data })
  }
  return json.success === false || (json.success === undefined && 'msg' in json && !('data' in json))
    ? errorOf(json)
    : undefined
}

function errorOf({ code: contents, msg, message }: Readonly<Record<string, unknown>>): AnswerError {
  const code = numberIn(contents) ?? 0
  const text = textIn(msg) || textIn(message) || `error ${code}`
  return { status: statusOf(code), message: text, type: 'zhipu_error', code }
}

/**
 * Maps the vendor's codes ("Error codes"): 1000 to 1099 keys, 1100 to 1199 accounts, 1200 to 1301 requests, 1302 to
 * 1399 limits.
 */
function statusOf(code: number): number {
  if (code >= 1000 && code < 1100) return 401
  if (code >= 1100 && code < 1200) return 403
  if (code === 1220 || code === 1221) return 403
  if (code === 1230 || code === 1234) return 500
  if (code >= 1200 && code < 1302) return 400
  return code >= 1302 && code < 1400 ? 429 : 502
}

/** Whole responses quote the text as JSON. */
function unquoted(text: string): string {
  const contents = text.startsWith('"') ? parsed(text) : undefined
  return typeof contents === 'string' ? contents : text.replace(/^"(.*)"$/s, '$1')
}

function usageEvents(value: unknown): readonly AnswerEvent[] {
  const usage = usageIn(objectIn(value))
  return usage ? [{ type: 'usage', usage }] : []
}

function usageIn({ prompt_tokens, completion_tokens, total_tokens }: Record<string, unknown>): Usage | undefined {
  const prompt = tokenCount(prompt_tokens)
  const completion = tokenCount(completion_tokens)
  if (prompt === undefined || completion === undefined) {
    const total = tokenCount(total_tokens)
    return total ? usageOf({ prompt: total - (completion ?? 0), completion: completion ?? 0 }) : undefined
  }
  return prompt + completion > 0 ? usageOf({ prompt, completion }) : undefined
}
