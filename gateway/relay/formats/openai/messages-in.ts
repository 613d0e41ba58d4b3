import { isObject, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { ExtraPart, Part, ToolCallPart, ToolResultPart, Turn } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { contentIn, resultContentIn } from './content-in.ts'
import { withoutPictures } from './markdown-image.ts'
import { mediaIn } from './media-in.ts'
import { callSignatureIn } from './thought-signature.ts'
import { thoughtsIn } from './thoughts.ts'

/** The messages of a request as turns, one each; throws `malformed` for what is no message of this dialect. */
export function turnsIn(messages: unknown): readonly Turn[] {
  if (!Array.isArray(messages)) throw malformed('messages')
  const known: KnownCalls = { byId: new Map(), latest: new Map() }
  return messages.map((message, place) => {
    if (!isObject(message)) throw malformed('messages')
    return turnIn(message, place, known)
  })
}

/** One message; results of tools are the user's. */
function turnIn(message: Json, place: number, known: KnownCalls): Turn {
  const { role } = message
  if (role === 'tool' || role === 'function')
    return { role: 'user', parts: [resultIn(message, known), ...membersIn(message, TOOL_MEMBERS)] }
  const name = textIn(message.name)
  const named = name === undefined ? {} : { name }
  if (role === 'assistant') return { role, ...named, parts: assistantParts(message, place, known) }
  if (role !== 'system' && role !== 'developer' && role !== 'user') throw malformed('messages.role')
  return { role, ...named, parts: [...contentIn(message.content), ...membersIn(message, PLAIN_MEMBERS)] }
}

/** What was thought first, then what was said, then what was called. */
function assistantParts(message: Json, place: number, known: KnownCalls): readonly Part[] {
  const refusal = textIn(message.refusal)
  const audio = isObject(message.audio) ? textIn(message.audio.id) : undefined
  return [
    ...reasoningIn(message),
    ...contentIn(message.content).flatMap((part) =>
      part.type === 'text' && !part.cache ? withoutPictures(part.text) : part,
    ),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ...picturesIn(message.images),
    ...(audio === undefined ? [] : [spoken(audio)]),
    ...callsIn(message, place, known),
    ...membersIn(message, ASSISTANT_MEMBERS),
  ]
}

/** `reasoning_details` has the seals and repeats the text of the other two. */
function reasoningIn(message: Json): readonly Part[] {
  const thoughts = thoughtsIn(message.reasoning_details)
  if (thoughts.some((thought) => thought.text !== '')) return thoughts
  const text = textIn(message.reasoning_content) ?? textIn(message.reasoning)
  return text === undefined ? thoughts : [{ type: 'reasoning', text }, ...thoughts]
}

/** Pictures of an answer as OpenRouter has them. */
const picturesIn = (images: unknown): readonly Part[] =>
  Array.isArray(images) ? images.flatMap((image) => (isObject(image) ? (mediaIn(image) ?? []) : [])) : []

/** What the model said aloud in an earlier answer, by its id. */
const spoken = (id: string): Part => ({ type: 'media', kind: 'audio', source: { type: 'file', id, of: 'openai' } })

/** A tool's message; without an id it answers the latest call of its name. */
function resultIn(message: Json, known: KnownCalls): ToolResultPart {
  const given = textIn(message.name)
  const callId = textIn(message.tool_call_id) || known.latest.get(given)?.id || given
  if (!callId) throw malformed('messages.tool_call_id')
  const call = known.byId.get(callId)
  return {
    type: 'tool-result',
    callId,
    name: given ?? call?.name,
    content: resultContentIn(message.content),
    ...(call?.custom ? { custom: true } : {}),
  }
}

const PLAIN_MEMBERS = new Set(['role', 'content', 'name'])
const TOOL_MEMBERS = new Set(['role', 'content', 'name', 'tool_call_id'])
const ASSISTANT_MEMBERS = new Set([
  ...PLAIN_MEMBERS,
  ...['tool_calls', 'function_call', 'refusal', 'audio', 'images'],
  ...['reasoning_content', 'reasoning', 'reasoning_details'],
])

/** Members that vendors of this dialect have added to messages (`prefix`, `annotations`): extras that are no content parts. */
function membersIn(message: Json, known: ReadonlySet<string>): readonly ExtraPart[] {
  const extras: ExtraPart[] = []
  for (const name in message) {
    const value = message[name]
    const isEmpty = value === undefined || value === null || (Array.isArray(value) && value.length === 0)
    if (!known.has(name) && !isEmpty) extras.push({ type: 'extra', of: 'openai', name, value: { [name]: value } })
  }
  return extras
}

/**
 * The calls of the messages read so far, by id: what a tool answered is told with the name of the tool and whether it
 * was a custom one, which its message does not say. Older clients name the function rather than the call, which is then
 * the latest of that name.
 */
type KnownCalls = Readonly<{ byId: Map<string, ToolCallPart>; latest: Map<string | undefined, ToolCallPart> }>

/** The tool calls of an assistant's message, the deprecated `function_call` included, whose id is made up from its place. */
export function callsIn(message: Json, place: number, known: KnownCalls): readonly ToolCallPart[] {
  const given = message.tool_calls ?? []
  if (!Array.isArray(given)) throw malformed('messages.tool_calls')
  const calls = given.map((call, index) => callIn(call, `call_${place}_${index}`))
  const old = message.function_call
  if (old !== undefined && old !== null) calls.push(functionCallIn(old, `call_${place}`))
  for (const call of calls) {
    known.byId.set(call.id, call)
    known.latest.set(call.name, call)
  }
  return calls
}

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
