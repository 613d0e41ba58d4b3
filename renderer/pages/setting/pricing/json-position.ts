import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { parsed } from '../../../../shared/json.ts'
import type { MessageKey } from '../../../../shared/messages/en.ts'
import type { MessageParams } from '../../../../shared/messages/format.ts'
import { type OptionKey, options } from '../../../../shared/options/index.ts'
import { optionRefusal } from '../../../components/option-field/option-field.tsx'

/** A problem in a JSON text and the start of the affected member; line and column count from 1. */
type LocatedProblem = Readonly<{ key: MessageKey; params: MessageParams; line: number; column: number }>

/**
 * Why the gateway would refuse a JSON text as an option's value, located at the affected member; duplicate models get
 * the message used for prices. Undefined if the text is valid, or not JSON at all.
 */
export function problemOf(option: OptionKey, text: string): LocatedProblem | undefined {
  if (parsed(text) === undefined) return undefined
  const refusal = optionRefusal(option, text)
  if (!refusal) return undefined
  const isModelTwice = refusal.key === 'option.json_duplicate' && options[option].panel === 'operation/ratios'
  const key = isModelTwice ? 'price.dup' : refusal.key
  return {
    key,
    params: refusal.params,
    ...(memberPosition(option, text) ?? refusal.position ?? { line: 1, column: 1 }),
  }
}

/** The start of the member that violates the option's schema; undefined if the whole text does. */
function memberPosition(option: OptionKey, text: string): Readonly<{ line: number; column: number }> | undefined {
  const issue = options[option].schema.safeParse(parsed(text)).error?.issues[0]
  const path = issue?.path.filter((step) => typeof step !== 'symbol') ?? []
  const root = path.length > 0 ? parseTree(text) : undefined
  const value = root && findNodeAtLocation(root, path)
  if (!value) return undefined
  const { offset } = value.parent?.type === 'property' ? value.parent : value
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
