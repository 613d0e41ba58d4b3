import { isObject, type JsonObject, parsed, parsedAsWritten } from '../../../base/json/json.ts'
import type { MediaPart, TextPart, ToolResultPart } from '../conversation.ts'
import { mediaIn } from './media.ts'
import { messagesIn } from './message.ts'

type Content = ToolResultPart['content']

/** What a tool answered, read from `response` and `parts` of a functionResponse, and whether it failed. */
export function resultIn(wire: JsonObject): Readonly<{ content: Content; isError: boolean }> {
  const response = isObject(wire.response) ? wire.response : {}
  const files = messagesIn(wire.parts).map(mediaIn)
  const { text, isError } = textOf(response)
  const content = [{ type: 'text' as const, text }, ...files.filter((file): file is MediaPart => file !== undefined)]
  return { content, isError }
}

/**
 * `response` of a functionResponse: an object as it is, an array under `result`, text under `content`; what failed
 * under `error`. JSON with `$ref` in it is text: the vendor looks for a file of that name (docs/reference/conversion.md#openai-to-gemini).
 */
export function responseOut(result: ToolResultPart): JsonObject {
  const texts = result.content.filter((part): part is TextPart => part.type === 'text').map((part) => part.text)
  const text = texts.join('\n')
  const value = MAY_HOLD.test(text) && !NAMES_FILE.test(text) ? parsedAsWritten(text) : undefined
  if (result.isError) return { error: isObject(value) || Array.isArray(value) ? value : text }
  if (isObject(value)) return value
  return Array.isArray(value) ? { result: value } : { content: text }
}

/** How an object, a list or null begins in JSON: text that is none costs a parser's exception, thousands of which are seconds. */
const MAY_HOLD = /^\s*[[{n]/

/** A name or text `$ref`, in whichever way JSON writes it. */
const NAMES_FILE = /"(?:\$|\\u0024)(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)"/

/** The text another dialect's tool would have answered; what `responseOut` wrapped is unwrapped. */
function textOf(response: JsonObject): Readonly<{ text: string; isError: boolean }> {
  const [name, ...others] = Object.keys(response)
  const only = others.length === 0 && name !== undefined ? response[name] : undefined
  const isPlain = typeof only === 'string' && !(MAY_HOLD.test(only) && typeof parsed(only) === 'object')
  if (name === 'content' && isPlain) return { text: only, isError: false }
  if (name === 'result' && Array.isArray(only)) return { text: JSON.stringify(only), isError: false }
  if (name === 'error' && isPlain) return { text: only, isError: true }
  if (name === 'error' && typeof only === 'object' && only !== null)
    return { text: JSON.stringify(only), isError: true }
  return { text: JSON.stringify(response), isError: false }
}
