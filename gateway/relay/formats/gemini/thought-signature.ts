import type { Signature } from '../conversation.ts'
import { sealed, unsealed } from '../signature.ts'

/** A signature read from `thoughtSignature`; `redacted` if the text of its thought part is hidden. */
export type SignatureRead = Readonly<{ signature: Signature; redacted: boolean }>

const REDACTED = 'redacted:'
const WRAPPED = /^(redacted:)?switchyard:/

/**
 * Writes a signature as `thoughtSignature`, a field of bytes that the vendor's libraries read as base64: another
 * vendor's seal is encoded accordingly.
 */
export function thoughtSignature(signature: Signature, redacted = false): string {
  const text = sealed(signature, 'gemini')
  if (text === signature.value) return text
  return Buffer.from(redacted ? REDACTED + text : text).toString('base64')
}

/** Reads a `thoughtSignature`; undefined if absent. One that this gateway did not encode is the vendor's own. */
export function signatureIn(value: unknown): SignatureRead | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const text = Buffer.from(value, 'base64').toString()
  if (!WRAPPED.test(text)) return { signature: { by: 'gemini', value }, redacted: false }
  const redacted = text.startsWith(REDACTED)
  return { signature: unsealed(redacted ? text.slice(REDACTED.length) : text, 'gemini'), redacted }
}
