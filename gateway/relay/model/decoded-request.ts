import { refuse } from '../../base/errors.ts'
import { isLong, isObject, type JsonObject } from '../../base/json/json.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation } from '../formats/conversation.ts'
import { checkRepetitions } from '../formats/repetitions.ts'
import type { Call } from './call.ts'

/**
 * Decodes the conversation of a call; `json` are its members if some were edited. Throws `relay.argumentsTooLong` if
 * tool arguments and the output schema, which are converted between text and objects at once, are too long together,
 * and `relay.badRequest` if names are long, or tool results refer to long calls too often.
 */
export function decodedRequest(codecs: Codecs, call: Call, json: JsonObject = call.json): Conversation {
  if (call.bytes.length > MAX_NAME) checkNames(json)
  if (call.bytes.length > MAX_ARGUMENTS) checkArguments(json)
  const conversation = codecs[call.format].decodeRequest(json, call.model, call.stream)
  checkRepetitions(conversation, call.bytes.length)
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
 * Throws if names are long, which responses repeat for each call, or many ids: V8 hashes strings of more than 16,383
 * characters by their length only, so that each would be compared with all others. Vendors accept at most 128
 * characters.
 */
function checkNames(json: JsonObject): void {
  let longIds = 0
  const rest: unknown[] = Object.values(json)
  while (rest.length > 0) {
    const next = rest.pop()
    if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isObject(next))
      for (const [name, member] of Object.entries(next)) {
        if (ARGUMENTS.has(name)) continue
        if (typeof member !== 'string') rest.push(member)
        else if (name === 'name' && member.length > MAX_NAME)
          throw badRequest(`a name is longer than ${MAX_NAME} characters`, 'tools.name')
        else if (member.length > MAX_HASHED && NAMES.has(name)) longIds += 1
      }
  }
  if (longIds > MAX_LONG_IDS) throw badRequest(`more than ${MAX_LONG_IDS} ids are longer than ${MAX_HASHED} characters`)
}

const NAMES = new Set(['id', 'call_id', 'tool_call_id', 'tool_use_id', 'item_id', 'type', 'role'])
const MAX_NAME = 4096
const MAX_HASHED = 16_383
const MAX_LONG_IDS = 32

const badRequest = (reason: string, param?: string) =>
  refuse('invalid', 'relay.badRequest', { reason }, { code: 'invalid_text_request', ...(param ? { param } : {}) })
