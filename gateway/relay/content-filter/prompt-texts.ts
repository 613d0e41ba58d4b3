import { isObject, type JsonObject } from '../../base/json/json.ts'
import { readableIn } from '../formats/responses/agent-message.ts'
import { summaryText } from '../formats/responses/compaction.ts'

/** Members of a body, in any endpoint and dialect, with the caller's text (docs/reference/limits.md#blocked-words). */
export const saidMembers: readonly string[] = [
  'system',
  'systemInstruction',
  'system_instruction',
  'instructions',
  'instruction',
  'messages',
  'contents',
  'content',
  'requests',
  'input',
  'output',
  'prompt',
  'suffix',
  'prediction',
  'query',
  'documents',
  'texts',
  'instances',
  'title',
  'tools',
  'functions',
]

/** Members that are not text: type names, ids, URLs, files, encrypted content and cache marks. */
const NOT_TEXT = new Set([
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'item_id',
  'file_id',
  'status',
  'detail',
  'format',
  'mime_type',
  'mimeType',
  'media_type',
  'url',
  'image_url',
  'file_url',
  'file_uri',
  'fileUri',
  'file_data',
  'gcsUri',
  'bytesBase64Encoded',
  'b64_json',
  'encrypted_content',
  'signature',
  'thoughtSignature',
  'thought_signature',
  'cache_control',
])

/** Lists whose items are pieces of one text; items of other lists are separate. */
const JOINED = new Set(['content', 'parts', 'system', 'output', 'summary'])

/** Takes the pieces of texts in order; `ends` means that the next piece begins another text. */
type TextTaker = Readonly<{ piece(text: string): void; ends(): void }>

/**
 * Visits every text of a request's caller, in any dialect: adjacent text parts of one message are pieces of one text,
 * so that a split word is found.
 */
export function forEachText(json: JsonObject, taker: TextTaker): void {
  for (const name of saidMembers) {
    visitMember(json, name, taker)
    taker.ends()
  }
}

function visitMember(json: JsonObject, name: string, taker: TextTaker): void {
  const value = json[name]
  if (typeof value === 'string') {
    if (!isFile(json, name, value)) taker.piece(value)
  } else if (Array.isArray(value)) visitList(value, JOINED.has(name), taker)
  else if (isObject(value)) forEachTextIn(value, taker)
}

function visitList(items: readonly unknown[], isJoined: boolean, taker: TextTaker): void {
  // Other members of text parts are visited after all texts, which they would otherwise separate.
  const others: JsonObject[] = []
  for (const item of items) {
    const text = isObject(item) ? item.text : item
    if (isJoined && typeof text === 'string') {
      taker.piece(text)
      if (isObject(item) && hasMoreText(item)) others.push(without(item, 'text'))
      continue
    }
    taker.ends()
    if (typeof item === 'string') taker.piece(item)
    else if (Array.isArray(item)) visitList(item, isJoined, taker)
    else if (isObject(item)) forEachTextIn(item, taker)
    taker.ends()
  }
  for (const members of others) {
    taker.ends()
    forEachTextIn(members, taker)
  }
}

/** Whether a text part has other members that may be text: dialects and vendors differ in which they read. */
const hasMoreText = (part: JsonObject): boolean => {
  for (const name in part) if (name !== 'text' && !NOT_TEXT.has(name)) return true
  return false
}

const without = (json: JsonObject, left: string): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== left))

/** Visits every text of a value that is the caller's as a whole, such as the content of an event. */
export function forEachTextIn(json: JsonObject, taker: TextTaker): void {
  for (const name in json) {
    if (NOT_TEXT.has(name)) {
      const text = name === 'encrypted_content' ? unsealed(json) : undefined
      if (text !== undefined) taker.piece(text)
      continue
    }
    taker.ends()
    visitMember(json, name, taker)
  }
  taker.ends()
}

/**
 * Returns the text of content that only looks encrypted, and reaches a vendor as plain text: the gateway's summaries,
 * and messages between agents.
 */
const unsealed = (json: JsonObject): string | undefined =>
  json.type === 'encrypted_content' ? readableIn(json) : summaryText(json.encrypted_content)

/** `audio` and `data` are base64, except for plain text in Anthropic's documents and tool results. */
const isFile = (json: JsonObject, name: string, value: string): boolean =>
  (name === 'data' || name === 'audio') && json.type !== 'text' && /^[\w+/=:;,-]*$/.test(value.slice(0, 256))
