import type { Json } from '../codec.ts'
import type { CallShape, Signature } from '../conversation.ts'
import { unwrapped } from '../free-text.ts'
import { callSignatureOut } from './thought-signature.ts'

export type WholeCall = Readonly<{
  id: string
  name: string
  json: string
  custom: boolean
  shape?: CallShape | undefined
  signature?: Signature | undefined
}>

export function callOut(call: WholeCall): Json {
  const { id, name, json, custom, shape, signature } = call
  const seal = callSignatureOut(signature)
  if (custom) return { id, type: 'custom', custom: { name, input: json }, ...seal }
  if (shape === 'custom') return { id, type: 'custom', custom: { name, input: unwrapped(json) }, ...seal }
  return { id, type: 'function', function: { name, arguments: json || '{}' }, ...seal }
}
