import type { Signature } from '../conversation.ts'
import { sealed, unsealed } from '../signature.ts'

/** A signature as `thoughtSignature` held it; `redacted` where it stands for a thought whose text is kept back. */
export type SignatureRead = Readonly<{ signature: Signature; redacted: boolean }>

const REDACTED = 'redacted:'
const WRAPPED = /^(redacted:)?switchyard:/

/**
 * A signature as `thoughtSignature` holds it. The field is one of bytes, which the vendor's libraries read as base64:
 * another vendor's sealed signature is wrapped so.
 */
export function thoughtSignature(signature: Signature, redacted = false): string {
  const text = sealed(signature, 'gemini')
  if (text === signature.value) return text
  return Buffer.from(redacted ? REDACTED + text : text).toString('base64')
}

/** Reads a `thoughtSignature`; undefined where there is none. One that this gateway did not wrap is the vendor's own. */
export function signatureIn(value: unknown): SignatureRead | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const text = Buffer.from(value, 'base64').toString()
  if (!WRAPPED.test(text)) return { signature: { by: 'gemini', value }, redacted: false }
  const redacted = text.startsWith(REDACTED)
  return { signature: unsealed(redacted ? text.slice(REDACTED.length) : text, 'gemini'), redacted }
}
