import { parsed, written } from '../../base/json/json.ts'
import { scanNow } from '../../base/json/json-scan.ts'
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

/** Bounds of a part: what vendors seal, such as the results of a search, has few members with long texts. */
const bounds = { values: 10_000, names: 500, depth: 32 }
/** Max characters of a seal; a longer one is not read. */
const MAX_PART = 2 * 1024 * 1024

const read = new WeakMap<Signature, unknown>()

/**
 * The part in a signature, which callers may have written themselves; undefined if it has none, or one of another
 * dialect or beyond the bounds.
 */
export function partIn(signature: Signature | undefined, by: Format): unknown {
  if (signature?.by !== by || !isPartSeal(signature) || signature.value.length > MAX_PART) return undefined
  if (!read.has(signature)) read.set(signature, opened(signature.value))
  return read.get(signature)
}

function opened(value: string): unknown {
  const bytes = Buffer.from(value, 'base64url')
  return scanNow(bytes, bounds).excess === null ? parsed(bytes.toString()) : undefined
}
