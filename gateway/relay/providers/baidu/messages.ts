import { isObject, present } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, ToolCallPart, ToolResultPart, Turn } from '../../formats/conversation.ts'
import { asUser, instructionsApart } from '../../formats/instructions.ts'
import { createResultReader, type ResultReader } from '../../formats/result-json.ts'
import { plainText } from '../plain-turns.ts'
import { unsupportedField } from '../vectors.ts'

/**
 * Writes `messages` and `system`: the vendor requires alternating user and assistant messages, and separate
 * instructions.
 */
export function messagesOut({ turns }: Conversation, { drop }: RequestTarget): Json {
  const names = new UntrustedMap<string, string>()
  const read = createResultReader()
  const { instructions, dialogue } = instructionsApart(turns)
  const system = instructions.map((turn) => plainText(turn, VENDOR, drop)).filter((text) => text !== '')
  const messages: Json[] = []
  for (const turn of dialogue.map(asUser)) {
    const calls = turn.parts.filter((part) => part.type === 'tool-call')
    const results = turn.parts.filter((part) => part.type === 'tool-result')
    const rest = turn.parts.filter((part) => part.type !== 'tool-call' && part.type !== 'tool-result')
    const text = plainText({ ...turn, parts: rest }, VENDOR, drop)
    for (const { id, name } of calls) names.set(id, name)
    for (const result of results) messages.push(resultOut(result, { names, read, drop }))
    if (text !== '' || calls.length > 0) add(messages, { role: turn.role, content: text, ...callOut(calls) })
  }
  return present({ messages, system: system.join('\n') || undefined })
}

export const VENDOR = 'Baidu'

function add(messages: Json[], message: Json & { role: Turn['role'] }): void {
  const last = messages.at(-1)
  if (last?.role === message.role && !last.function_call)
    messages[messages.length - 1] = { ...message, content: linesOf(last.content, message.content) }
  else messages.push(message)
}

/** Concatenates, which copies nothing; joining would copy all earlier lines for each message. */
const linesOf = (before: unknown, after: unknown): unknown =>
  before && after ? `${before}\n${after}` : before || after

/** The vendor allows only one function call at a time. */
function callOut(calls: readonly ToolCallPart[]): Json {
  const [call, ...more] = calls
  if (more.length > 0) throw unsupportedField(VENDOR, 'tool_calls')
  if (!call) return {}
  const { name, arguments: text, custom } = call
  return { function_call: { name, arguments: custom ? JSON.stringify({ input: text }) : text || '{}' } }
}

type ResultWriting = Readonly<{ names: UntrustedMap<string, string>; read: ResultReader; drop: RequestTarget['drop'] }>

function resultOut(result: ToolResultPart, { names, read, drop }: ResultWriting): Json {
  if (result.isError) drop('isError')
  const text = plainText({ role: 'user', parts: result.content }, VENDOR, drop)
  const content = isObject(read(text)) ? text : JSON.stringify({ result: text })
  return { role: 'function', name: result.name ?? names.get(result.callId) ?? result.callId, content }
}
