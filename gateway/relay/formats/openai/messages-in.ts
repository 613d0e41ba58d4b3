import { isObject, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Json } from '../codec.ts'
import type { ExtraPart, Part, ToolCallPart, ToolResultPart, Turn } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { contentIn, resultContentIn } from './content-in.ts'
import { withoutImages } from './markdown-image.ts'
import { mediaIn } from './media-in.ts'
import { callSignatureIn } from './thought-signature.ts'
import { thoughtsIn } from './thoughts.ts'

export function turnsIn(messages: unknown): readonly Turn[] {
  if (!Array.isArray(messages)) throw malformed('messages')
  const known: KnownCalls = { byId: new UntrustedMap(), latest: new UntrustedMap() }
  return messages.map((message, messageIndex) => {
    if (!isObject(message)) throw malformed('messages')
    return turnIn(message, messageIndex, known)
  })
}

/** Tool results become parts of user turns. */
function turnIn(message: Json, messageIndex: number, known: KnownCalls): Turn {
  const { role } = message
  if (role === 'tool' || role === 'function')
    return { role: 'user', parts: [resultIn(message, known), ...membersIn(message, TOOL_MEMBERS)] }
  const name = textIn(message.name)
  const named = name === undefined ? {} : { name }
  if (role === 'assistant') return { role, ...named, parts: assistantParts(message, messageIndex, known) }
  if (role !== 'system' && role !== 'developer' && role !== 'user') throw malformed('messages.role')
  return { role, ...named, parts: [...contentIn(message.content), ...membersIn(message, PLAIN_MEMBERS)] }
}

function assistantParts(message: Json, messageIndex: number, known: KnownCalls): readonly Part[] {
  const refusal = textIn(message.refusal)
  const audio = isObject(message.audio) ? textIn(message.audio.id) : undefined
  return [
    ...reasoningIn(message),
    ...contentIn(message.content).flatMap((part) =>
      part.type === 'text' && !part.cache ? withoutImages(part.text) : part,
    ),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ...imagesIn(message.images),
    ...(audio === undefined ? [] : [spoken(audio)]),
    ...callsIn(message, messageIndex, known),
    ...membersIn(message, ASSISTANT_MEMBERS),
  ]
}

/** `reasoning_details` has the seals and repeats the text of the other two members. */
function reasoningIn(message: Json): readonly Part[] {
  const thoughts = thoughtsIn(message.reasoning_details)
  if (thoughts.some((thought) => thought.text !== '')) return thoughts
  const text = textIn(message.reasoning_content) ?? textIn(message.reasoning)
  return text === undefined ? thoughts : [{ type: 'reasoning', text }, ...thoughts]
}

const imagesIn = (images: unknown): readonly Part[] =>
  Array.isArray(images) ? images.flatMap((image) => (isObject(image) ? (mediaIn(image) ?? []) : [])) : []

const spoken = (id: string): Part => ({ type: 'media', kind: 'audio', source: { type: 'file', id, of: 'openai' } })

/** Without an id, the message is the result of the latest call of its name. */
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

/**
 * Returns members that vendors have added to messages (`prefix`, `annotations`), as extras that are not content parts.
 */
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
 * The calls of the messages read so far, by id: they provide the name and kind of a result's tool, which its message
 * lacks. Older clients refer to the function instead of the call, meaning the latest of that name.
 */
type KnownCalls = Readonly<{
  byId: UntrustedMap<string, ToolCallPart>
  latest: UntrustedMap<string | undefined, ToolCallPart>
}>

/**
 * Reads the tool calls of an assistant message, including the deprecated `function_call`; missing ids are derived from
 * the position.
 */
function callsIn(message: Json, messageIndex: number, known: KnownCalls): readonly ToolCallPart[] {
  const given = message.tool_calls ?? []
  if (!Array.isArray(given)) throw malformed('messages.tool_calls')
  const calls = given.map((call, index) => callIn(call, `call_${messageIndex}_${index}`))
  const old = message.function_call
  if (old !== undefined && old !== null) calls.push(functionCallIn(old, `call_${messageIndex}`))
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

function functionCallIn(value: unknown, id: string): ToolCallPart {
  if (!isObject(value)) throw malformed('messages.tool_calls.function')
  return { type: 'tool-call', id, name: nameOf(value.name), arguments: argumentsIn(value.arguments) }
}

/** Returns JSON text unchanged; some clients send the object itself. */
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
