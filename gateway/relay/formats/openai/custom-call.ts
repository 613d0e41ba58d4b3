import { isObject, parsed } from '../../../base/json.ts'
import type { Json } from '../codec.ts'
import type { Signature } from '../conversation.ts'
import { callSignatureOut } from './thought-signature.ts'

/** A call that is complete. */
export type WholeCall = Readonly<{
  id: string
  name: string
  json: string
  custom: boolean
  signature?: Signature | undefined
}>

/** A call as an item of `tool_calls`; `customTools` are the client's, whose calls have free text. */
export function callOut(call: WholeCall, customTools: ReadonlySet<string>): Json {
  const { id, name, json, custom, signature } = call
  const seal = callSignatureOut(signature)
  if (custom) return { id, type: 'custom', custom: { name, input: json }, ...seal }
  if (customTools.has(name)) return { id, type: 'custom', custom: { name, input: freeText(json) }, ...seal }
  return { id, type: 'function', function: { name, arguments: json || '{}' }, ...seal }
}

/** The text in the arguments of the function that stands for a custom tool; arguments without it are given whole. */
export function freeText(json: string): string {
  const object = parsed(json)
  return isObject(object) && typeof object.input === 'string' ? object.input : json
}
