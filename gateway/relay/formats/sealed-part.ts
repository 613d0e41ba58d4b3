import { parsed, written } from '../../base/json/json.ts'
import type { Signature } from './conversation.ts'
import type { Format } from './format.ts'

/** The id of a signature that is none: what it holds is a part of the vendor's own. */
const PART = 'part'

/**
 * What only its vendor knows, and wants back as it was, in the form of a signature: it goes to the client and comes back in
 * whatever carrier the client's dialect has for those (docs/reference/conversion.md#searches-of-vendors). Nothing in it is
 * secret.
 */
export const partSeal = (by: Format, value: unknown): Signature => ({
  by,
  id: PART,
  value: Buffer.from(written(value)).toString('base64url'),
})

/** Whether a signature holds such a part. */
export const isPartSeal = (signature: Signature): boolean => signature.id === PART

/** The part of that vendor's that a signature holds; undefined for any other signature. */
export function partIn(signature: Signature | undefined, by: Format): unknown {
  if (signature?.by !== by || !isPartSeal(signature)) return undefined
  return parsed(Buffer.from(signature.value, 'base64url').toString())
}
