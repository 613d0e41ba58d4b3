import { isObject, textIn } from '../../../base/json.ts'
import type { Json } from '../codec.ts'
import type { ToolCallPart } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { callSignatureIn } from './thought-signature.ts'

/**
 * The calls of the messages read so far, by id: what a tool answered is told with the name of the tool and whether it
 * was a custom one, which its message does not say.
 */
export type KnownCalls = Map<string, ToolCallPart>

/** The tool calls of an assistant's message, the deprecated `function_call` included, whose id is made up from its place. */
export function callsIn(message: Json, place: number, known: KnownCalls): readonly ToolCallPart[] {
  const given = message.tool_calls ?? []
  if (!Array.isArray(given)) throw malformed('messages.tool_calls')
  const calls = given.map((call, index) => callIn(call, `call_${place}_${index}`))
  const old = message.function_call
  if (old !== undefined && old !== null) calls.push(functionCallIn(old, `call_${place}`))
  for (const call of calls) known.set(call.id, call)
  return calls
}

/** The latest call of a tool of that name: older clients name the function rather than the call. */
export const latestCallOf = (name: string | undefined, known: KnownCalls): ToolCallPart | undefined =>
  [...known.values()].findLast((call) => call.name === name)

function callIn(call: unknown, ownId: string): ToolCallPart {
  if (!isObject(call)) throw malformed('messages.tool_calls')
  const id = textIn(call.id) || ownId
  if (isObject(call.custom)) {
    const name = nameOf(call.custom.name)
    return { type: 'tool-call', id, name, arguments: textIn(call.custom.input) ?? '', custom: true }
  }
  const signature = callSignatureIn(call)
  const made = functionCallIn(call.function, id)
  return signature ? { ...made, signature } : made
}

/** `function` of a tool call, or the deprecated `function_call`; throws `malformed` without a name. */
function functionCallIn(value: unknown, id: string): ToolCallPart {
  if (!isObject(value)) throw malformed('messages.tool_calls.function')
  return { type: 'tool-call', id, name: nameOf(value.name), arguments: argumentsIn(value.arguments) }
}

/** JSON text as it came; some clients write the object itself. */
function argumentsIn(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isObject(value)) return JSON.stringify(value)
  if (typeof value !== 'string') throw malformed('tool_calls.function.arguments')
  return value
}

function nameOf(value: unknown): string {
  const name = textIn(value)
  if (!name) throw malformed('messages.tool_calls.function.name')
  return name
}
