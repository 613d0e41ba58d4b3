import { isObject, numberIn, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { Json, StreamDecoder } from '../../formats/codec.ts'
import type { AnswerEvent } from '../../formats/events.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import type { AnswerError } from '../provider.ts'

export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  const { frames } = objectIn(wire)
  return [{ type: 'start', id: sidIn(frames) }, ...objectsIn(frames).flatMap(eventsIn)]
}

export function decodeStream(): StreamDecoder {
  let hasStarted = false
  const read = (frame: unknown): readonly AnswerEvent[] => {
    if (!isObject(frame)) return []
    const start: readonly AnswerEvent[] = hasStarted ? [] : [{ type: 'start', id: sidIn([frame]) }]
    hasStarted = true
    return [...start, ...eventsIn(frame), ...(isLast(frame) ? DONE : [])]
  }
  return { payload: (text) => eventsOf(text, read) }
}

const LAST = 2

const isLast = ({ header }: Json): boolean => objectIn(header).status === LAST

const sidIn = (frames: unknown): string | undefined => textIn(objectIn(objectsIn(frames)[0]?.header).sid)

/** The vendor sends no ids of calls; since a response has at most one, its id identifies the call. */
const idOf = (frame: Json): string => `call_${(sidIn([frame]) ?? '0').replace(/\W/g, '')}`

/**
 * Returns the events of one frame ("Response parameters"): pieces of text, the last one with usage; a call is complete,
 * in the only frame of its response ("Function call").
 */
function eventsIn(frame: Json): readonly AnswerEvent[] {
  const error = errorIn(frame)
  if (error) return [{ type: 'error', error }]
  const { choices, usage: used } = objectIn(frame.payload)
  const events: AnswerEvent[] = []
  let isCall = false
  for (const { content, reasoning_content, function_call } of objectsIn(objectIn(choices).text)) {
    const thought = textIn(reasoning_content)
    if (thought) events.push({ type: 'reasoning', choice: 0, text: thought })
    const text = textIn(content)
    if (text) events.push({ type: 'text', choice: 0, text })
    const { name, arguments: json } = objectIn(function_call)
    if (typeof name !== 'string') continue
    isCall = true
    events.push({ type: 'tool', choice: 0, call: 0, id: idOf(frame), name, json: textIn(json) || '{}' })
  }
  const usage = usageIn(objectIn(objectIn(used).text))
  if (usage) events.push({ type: 'usage', usage })
  if (isLast(frame)) events.push({ type: 'finish', choice: 0, reason: isCall ? 'tool-calls' : 'stop' })
  return events
}

function usageIn({ prompt_tokens, completion_tokens }: Json): Usage | undefined {
  const prompt = tokenCount(prompt_tokens)
  const completion = tokenCount(completion_tokens)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  return usageOf({ prompt, completion })
}

export function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json)) return undefined
  if (Array.isArray(json.frames)) return objectsIn(json.frames).map(errorIn).find(Boolean)
  const header = objectIn(json.header)
  const code = numberIn(header.code)
  if (code === undefined || code === 0) return undefined
  const message = textIn(header.message) || `error ${code}`
  return { status: statuses.get(code) ?? OTHERS, message, type: 'xunfei_error', code }
}

const OTHERS = 502

/** Maps the vendor's codes ("Error codes"). */
const statuses: ReadonlyMap<number, number> = new Map([
  [10003, 400],
  [10004, 400],
  [10005, 400],
  [10006, 429],
  [10007, 429],
  [10008, 503],
  [10010, 503],
  [10012, 500],
  [10013, 400],
  [10014, 400],
  [10015, 403],
  [10016, 403],
  [10017, 500],
  [10018, 504],
  [10019, 400],
  [10021, 400],
  [10110, 503],
  [10163, 400],
  [10222, 500],
  [10313, 401],
  [10404, 404],
  [10907, 400],
  [11200, 403],
  [11201, 429],
  [11202, 429],
  [11203, 429],
])
