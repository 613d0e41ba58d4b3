import { refuse } from '../../base/errors.ts'
import { isLong, isObject, type JsonObject } from '../../base/json/json.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation } from '../formats/conversation.ts'
import { checkRepetitions } from '../formats/repetitions.ts'
import type { Call } from './call.ts'

/**
 * Decodes the conversation of a call; `json` are its members if some were edited. Throws `relay.argumentsTooLong` if
 * tool arguments and schemas, which are converted between text and objects at once, are too long together, and
 * `relay.badRequest` if names and other values that are not texts are long, or tool results refer to long calls too
 * often.
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
 * The names of arguments and schemas in all dialects, and of results that are objects. Names at the top level do not
 * count, since `input` is a conversation there.
 */
const ARGUMENTS = new Set(['arguments', 'args', 'input', 'response'])
const SCHEMAS = new Set([
  ...['parameters', 'parametersJsonSchema', 'input_schema', 'schema', 'responseSchema', 'responseJsonSchema'],
])

function checkArguments(json: JsonObject): void {
  const found: unknown[] = []
  const rest: unknown[] = Object.values(json)
  while (rest.length > 0) {
    const next = rest.pop()
    if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isObject(next))
      for (const [name, member] of Object.entries(next))
        (ARGUMENTS.has(name) || SCHEMAS.has(name) ? found : rest).push(member)
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
 * Throws if names are long, which responses repeat for each call, or other values that are not texts: V8 hashes strings
 * of more than 16,383 characters by their length only, so that each one that is looked up would be compared with all
 * others. Vendors accept names and ids of at most 128 characters.
 */
function checkNames(json: JsonObject): void {
  let length = 0
  let sealed = 0
  const check = (name: string, text: string) => {
    if (name === 'name' && text.length > MAX_NAME)
      throw badRequest(`a name is longer than ${MAX_NAME} characters`, 'tools.name')
    if (text.length <= MAX_HASHED) return
    if (!TEXTS.has(name)) length += text.length
    if (SEALED_PART.test(text.slice(0, MAX_SHOWN))) sealed += text.length
    if (sealed > MAX_SEALED) throw badRequest('the sealed parts of other vendors are too long')
    if (length > MAX_LONG_VALUES) throw badRequest(`"${name.slice(0, MAX_SHOWN)}" and other values are too long`)
  }
  const names = Object.keys(json)
  const values = Object.values(json)
  const visit = (name: string, value: unknown) => {
    if (typeof value === 'string') return check(name, value)
    names.push(name)
    values.push(value)
  }
  while (values.length > 0) {
    const [name = '', value] = [names.pop(), values.pop()]
    // The items of a list have its name.
    if (Array.isArray(value)) for (const item of value) visit(name, item)
    else if (isObject(value))
      for (const [member, inside] of Object.entries(value))
        if (typeof inside === 'string' || !(ARGUMENTS.has(member) || NOTES.has(member))) visit(member, inside)
  }
}

/** Members with texts, files or sealed data. */
const TEXTS = new Set([
  ...['content', 'contents', 'text', 'texts', 'input', 'output', 'system', 'instructions', 'prompt', 'documents'],
  ...['arguments', 'thinking', 'reasoning', 'reasoning_content', 'summary', 'refusal', 'transcript', 'context'],
  ...['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content', 'encrypted_index', 'cited_text'],
  ...['url', 'image_url', 'video_url', 'audio_url', 'file_url', 'file_data', 'fileUri', 'file_uri', 'data', 'b64_json'],
  ...['image', 'images', 'mask', 'audio', 'video', 'source', 'query', 'queries', 'result', 'results', 'error'],
  ...[
    'code',
    'logs',
    'diff',
    'command',
    'commands',
    'stdout',
    'stderr',
    'encrypted_stdout',
    'definition',
    'title',
    'description',
  ],
  ...['default', 'examples', 'example', '$comment'],
])
/** Values in schemas that are not read. */
const NOTES = new Set(['default', 'examples', 'example'])
/** A sealed part (formats/sealed-part.ts), which is parsed, and the max characters of all of them. */
const SEALED_PART = /^switchyard:[a-z]+:part:/
const MAX_SEALED = 16 * 1024 * 1024
const MAX_NAME = 4096
const MAX_SHOWN = 64
const MAX_HASHED = 16_383
const MAX_LONG_VALUES = MIB

const badRequest = (reason: string, param?: string) =>
  refuse('invalid', 'relay.badRequest', { reason }, { code: 'invalid_text_request', ...(param ? { param } : {}) })
