import { parsed, written } from '../../base/json/json.ts'
import type { Signature } from './conversation.ts'
import type { Format } from './format.ts'

const PART = 'part'

/**
 * Wraps a part that only its vendor knows, and that must be returned unchanged, as a signature: the client's dialect
 * carries it like one (docs/reference/conversion.md#vendor-searches). It contains nothing secret.
 */
export const partSeal = (by: Format, value: unknown): Signature => ({
  by,
  id: PART,
  value: Buffer.from(written(value)).toString('base64url'),
})

export const isPartSeal = (signature: Signature): boolean => signature.id === PART

export function partIn(signature: Signature | undefined, by: Format): unknown {
  if (signature?.by !== by || !isPartSeal(signature)) return undefined
  return parsed(Buffer.from(signature.value, 'base64url').toString())
}
