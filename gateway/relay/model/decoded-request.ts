import { refuse } from '../../base/errors.ts'
import { isLong, isObject, type JsonObject } from '../../base/json/json.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { Call } from './call.ts'

/**
 * Decodes the conversation of a call; `json` are its members if some were edited. Throws `relay.argumentsTooLong` if
 * tool arguments and the output schema, which are converted between text and objects at once, are too long together,
 * and `relay.badRequest` if its tool results refer to long calls too often.
 */
export function decodedRequest(codecs: Codecs, call: Call, json: JsonObject = call.json): Conversation {
  if (call.bytes.length > MAX_ARGUMENTS) checkArguments(json)
  const conversation = codecs[call.format].decodeRequest(json, call.model, call.stream)
  if (repeatedLength(conversation) > 2 * call.bytes.length + MIB) throw repeatsTooMuch()
  return conversation
}

const MIB = 1024 * 1024
/** Max characters of tool arguments and schemas together. */
const MAX_ARGUMENTS = 16 * MIB

/**
 * The names of arguments and schemas in all dialects, and of results that are objects. They count only below the top
 * level, where `input` is a conversation.
 */
const ARGUMENTS = new Set([
  ...['arguments', 'args', 'input', 'response'],
  ...['parameters', 'parametersJsonSchema', 'input_schema', 'schema', 'responseSchema', 'responseJsonSchema'],
])

function checkArguments(json: JsonObject): void {
  const found: unknown[] = []
  const rest: unknown[] = Object.values(json)
  while (rest.length > 0) {
    const next = rest.pop()
    if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isObject(next))
      for (const [name, member] of Object.entries(next)) (ARGUMENTS.has(name) ? found : rest).push(member)
  }
  if (isLong(found, MAX_ARGUMENTS))
    throw refuse(
      'tooLarge',
      'relay.argumentsTooLong',
      { count: MAX_ARGUMENTS / MIB },
      { code: 'read_request_body_failed' },
    )
}

/**
 * The length of what vendors' formats repeat for each reference: the id, name and arguments of a call for each of its
 * results, and a seal for each call that has it. A small request could otherwise become a huge one.
 */
function repeatedLength({ turns }: Conversation): number {
  const calls = new Map<string, number>()
  let length = 0
  for (const { parts } of turns)
    for (const part of parts) {
      if (part.type === 'tool-call') calls.set(part.id, part.name.length + part.arguments.length)
      if (part.type === 'tool-call' || part.type === 'reasoning') length += part.signature?.value.length ?? 0
      if (part.type === 'tool-result')
        length += part.callId.length + (part.name?.length ?? 0) + (calls.get(part.callId) ?? 0)
    }
  return length
}

const repeatsTooMuch = () =>
  refuse(
    'invalid',
    'relay.badRequest',
    { reason: 'tool results refer too often to calls with a long id, name, arguments or signature' },
    { code: 'invalid_text_request' },
  )
