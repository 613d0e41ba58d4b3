import { isObject, present } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { argumentsOut } from '../../formats/call-arguments.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, ToolCallPart, ToolResultPart } from '../../formats/conversation.ts'
import { checkRepeatedArguments } from '../../formats/repetitions.ts'
import { createResultReader, type ResultReader } from '../../formats/result-json.ts'
import { plainText } from '../plain-turns.ts'

export const VENDOR = 'Cohere'

const roles = { system: 'SYSTEM', developer: 'SYSTEM', user: 'USER', assistant: 'CHATBOT' } as const

type Entry = Json & Readonly<{ role: string; message?: string; tool_results?: Json[] }>

/**
 * Writes `message`, the user's latest, `chat_history` with everything else, and `tool_results` instead of a message if
 * tool results come last ("Chat, v1").
 */
export function historyOut({ turns }: Conversation, drop: RequestTarget['drop']): Json {
  checkRepeatedArguments({ turns })
  const calls = new UntrustedMap<string, ToolCallPart>()
  const read = createResultReader()
  const entries: Entry[] = []
  for (const turn of turns) {
    const turnCalls = turn.parts.filter((part) => part.type === 'tool-call')
    const results = turn.parts.filter((part) => part.type === 'tool-result')
    const rest = turn.parts.filter((part) => part.type !== 'tool-call' && part.type !== 'tool-result')
    const message = plainText({ ...turn, parts: rest }, VENDOR, drop)
    for (const call of turnCalls) calls.set(call.id, call)
    if (results.length > 0)
      add(entries, { role: 'TOOL', tool_results: results.map((one) => resultOut(one, { calls, read, drop })) })
    if (turnCalls.length > 0) entries.push({ role: roles[turn.role], message, tool_calls: turnCalls.map(callOut) })
    else if (message !== '') add(entries, { role: roles[turn.role], message })
  }
  const last = entries.at(-1)
  if (last?.role === 'TOOL') return { message: '', chat_history: entries.slice(0, -1), tool_results: last.tool_results }
  const latest = entries.findLastIndex(({ role }) => role === 'USER')
  return { message: entries[latest]?.message ?? '', chat_history: entries.filter((_, place) => place !== latest) }
}

function add(entries: Entry[], entry: Entry): void {
  const last = entries.at(-1)
  if (last?.role !== entry.role || last.tool_calls) entries.push(entry)
  else if (entry.role === 'TOOL') for (const result of entry.tool_results ?? []) last.tool_results?.push(result)
  else entries[entries.length - 1] = { ...last, message: `${last.message}\n${entry.message}` }
}

const callOut = ({ name, arguments: text, custom }: ToolCallPart): Json => ({
  name,
  parameters: custom ? { input: text } : argumentsOut(text),
})

type ResultWriting = Readonly<{
  calls: UntrustedMap<string, ToolCallPart>
  read: ResultReader
  drop: RequestTarget['drop']
}>

/** Repeats the call, since there are no ids, and returns the result as an object. */
function resultOut(result: ToolResultPart, { calls, read, drop }: ResultWriting): Json {
  const text = plainText({ role: 'user', parts: result.content }, VENDOR, drop)
  const object = read(text)
  const call = calls.get(result.callId)
  return {
    call: call ? callOut(call) : { name: result.name ?? result.callId, parameters: {} },
    outputs: [present({ ...(isObject(object) ? object : { result: text }), is_error: result.isError || undefined })],
  }
}
