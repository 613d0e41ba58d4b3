import { isObject, present } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'

/**
 * Reads the `format` of a custom tool into the form of Responses: Chat Completions nests the members of a grammar one
 * level deeper.
 */
export function grammarIn(format: unknown): Json | undefined {
  if (!isObject(format)) return undefined
  return isObject(format.grammar) ? present({ ...format, grammar: undefined, ...format.grammar }) : format
}

export function grammarOut(format: Json | undefined): Json | undefined {
  if (format?.type !== 'grammar') return format
  const { type, ...grammar } = format
  return { type, grammar }
}
