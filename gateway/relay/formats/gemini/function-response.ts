import { isObject, type JsonObject, parsed } from '../../../base/json/json.ts'
import type { MediaPart, TextPart, ToolResultPart } from '../conversation.ts'
import type { ResultReader } from '../result-json.ts'
import { mediaIn } from './media.ts'
import { messagesIn } from './message.ts'

type Content = ToolResultPart['content']

export function resultIn(wire: JsonObject): Readonly<{ content: Content; isError: boolean }> {
  const response = isObject(wire.response) ? wire.response : {}
  const files = messagesIn(wire.parts).map(mediaIn)
  const { text, isError } = textOf(response)
  const content = [{ type: 'text' as const, text }, ...files.filter((file): file is MediaPart => file !== undefined)]
  return { content, isError }
}

/**
 * Writes `response` of a functionResponse: an object unchanged, an array as `result`, text as `content`; failures as
 * `error`. JSON containing `$ref` is text, since the vendor would look for a file of that name
 * (docs/reference/conversion.md#openai-to-gemini).
 */
export function responseOut(result: ToolResultPart, read: ResultReader): JsonObject {
  const texts = result.content.filter((part): part is TextPart => part.type === 'text').map((part) => part.text)
  const text = texts.join('\n')
  const value = text.length > MAX_PARSED || HAS_REF.test(text) ? undefined : read(text)
  if (result.isError) return { error: isObject(value) || Array.isArray(value) ? value : text }
  if (isObject(value)) return value
  return Array.isArray(value) ? { result: value } : { content: text }
}

/** Max characters of a result that is parsed; longer ones are text. */
const MAX_PARSED = 1024 * 1024

/** Matches the beginning of an object, a list or null in JSON. */
const MAY_BE_JSON = /^\s*[[{n]/

/** Matches a name or text `$ref`, with any escapes. */
const HAS_REF = /"(?:\$|\\u0024)(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)"/

/** Returns the text as another dialect's tool would have returned it; reverses the wrapping of `responseOut`. */
function textOf(response: JsonObject): Readonly<{ text: string; isError: boolean }> {
  const [name, ...others] = Object.keys(response)
  const only = others.length === 0 && name !== undefined ? response[name] : undefined
  const isPlain =
    typeof only === 'string' &&
    !(only.length <= MAX_PARSED && MAY_BE_JSON.test(only) && typeof parsed(only) === 'object')
  if (name === 'content' && isPlain) return { text: only, isError: false }
  if (name === 'result' && Array.isArray(only)) return { text: JSON.stringify(only), isError: false }
  if (name === 'error' && isPlain) return { text: only, isError: true }
  if (name === 'error' && typeof only === 'object' && only !== null)
    return { text: JSON.stringify(only), isError: true }
  return { text: JSON.stringify(response), isError: false }
}
