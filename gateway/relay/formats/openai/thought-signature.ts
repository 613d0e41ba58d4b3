import { objectIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { Signature } from '../conversation.ts'
import { sealed, unsealed } from '../signature.ts'

/**
 * Reads the seal of a tool call from the member of Google's endpoint of this dialect:
 * `extra_content.google.thought_signature`.
 */
export function callSignatureIn(call: Json): Signature | undefined {
  const text = textIn(objectIn(objectIn(call.extra_content).google).thought_signature)
  return text ? unsealed(text, 'gemini') : undefined
}

export const callSignatureOut = (signature: Signature | undefined): Json =>
  signature ? { extra_content: { google: { thought_signature: sealed(signature, 'gemini') } } } : {}
