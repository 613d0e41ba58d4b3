import { isObject, type JsonObject, parsedAsWritten, written } from '../../base/json/json.ts'

/**
 * What Anthropic has arguments wrapped in that are no JSON object ("Fine-grained tool streaming", "Handling invalid JSON in
 * tool responses"; docs/reference/conversion.md#arguments).
 */
const INVALID = 'INVALID_JSON'

/** A call's arguments as the object that a dialect wants; none are an empty one. */
export function argumentsOut(text: string): JsonObject {
  if (text.trim() === '') return {}
  const value = parsedAsWritten(text)
  return isObject(value) ? value : { [INVALID]: text }
}

/** The text of arguments that are an object; of those that `argumentsOut` has wrapped, the text that they were. */
export function argumentsIn(value: unknown): string {
  const text = isObject(value) && Object.keys(value).length === 1 ? value[INVALID] : undefined
  const isWrapped = typeof text === 'string' && text.trim() !== '' && !isObject(parsedAsWritten(text))
  return isWrapped ? text : written(value ?? {})
}
