import { isObject, present } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'

/**
 * The `format` of a custom tool as the conversation has it, which is as Responses writes it: Chat Completions has the
 * same members of a grammar one level deeper.
 */
export function grammarIn(format: unknown): Json | undefined {
  if (!isObject(format)) return undefined
  return isObject(format.grammar) ? present({ ...format, grammar: undefined, ...format.grammar }) : format
}

/** A custom tool's `format`, with the members of its grammar where Chat Completions has them. */
export function grammarOut(format: Json | undefined): Json | undefined {
  if (format?.type !== 'grammar') return format
  const { type, ...grammar } = format
  return { type, grammar }
}
