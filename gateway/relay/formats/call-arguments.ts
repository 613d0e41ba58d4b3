import { isObject, type JsonObject, parsedAsWritten, written } from '../../base/json/json.ts'

/**
 * Anthropic's wrapper for arguments that are not a JSON object ("Fine-grained tool streaming", "Handling invalid JSON
 * in tool responses"; docs/reference/conversion.md#arguments).
 */
const INVALID = 'INVALID_JSON'

export function argumentsOut(text: string): JsonObject {
  if (text.trim() === '') return {}
  const value = parsedAsWritten(text)
  return isObject(value) ? value : { [INVALID]: text }
}

/** Returns arguments as text; unwraps those wrapped by `argumentsOut`. */
export function argumentsIn(value: unknown): string {
  const text = isObject(value) && Object.keys(value).length === 1 ? value[INVALID] : undefined
  const isWrapped = typeof text === 'string' && text.trim() !== '' && !isObjectText(text)
  return isWrapped ? text : written(value ?? {})
}

const isObjectText = (text: string): boolean => /^\s*\{/.test(text) && isObject(parsedAsWritten(text))
