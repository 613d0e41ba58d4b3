import { percentDecoded } from '../../../base/bytes/percent.ts'
import type { Signature } from '../conversation.ts'
import { isPartSeal } from '../sealed-part.ts'
import { sealed, unsealed } from '../signature.ts'

/**
 * What a reasoning item's `encrypted_content` holds. Another vendor's signature lies in it under the gateway's mark,
 * whose place for an id tells what it belongs to: thoughts, thoughts kept from the client, or a tool call.
 */
export type Seal = Readonly<{ signature: Signature; redacted?: true; callId?: string }>

/** The id of thoughts kept from the client. */
const REDACTED = 'redacted'
/** What the id of a call's signature begins with, before the id of the call. */
const CALL = 'call='

/**
 * The `encrypted_content` of the item with that id: the vendor's own as it is, unless the item was begun under another id
 * than the one the seal belongs to.
 */
export function sealedThought(signature: Signature, isRedacted: boolean, itemId: string): string {
  const { by, value, id = itemId } = signature
  if (by === 'responses' && id === itemId) return value
  return sealed(isRedacted && !isPartSeal(signature) ? { by, value, id: REDACTED } : signature, 'responses')
}

/** The `encrypted_content` of an item that does nothing but hold the signature of a tool call, which has no place of its own. */
export const sealedCall = ({ by, value }: Signature, callId: string): string =>
  sealed({ by, value, id: CALL + encodeURIComponent(callId) }, 'responses')

/** Reads `encrypted_content` of the item with that id. */
export function readSeal(text: string, itemId: string | undefined): Seal {
  const { by, value, id } = unsealed(text, 'responses')
  if (id === REDACTED) return { signature: { by, value }, redacted: true }
  if (id?.startsWith(CALL)) return { signature: { by, value }, callId: percentDecoded(id.slice(CALL.length)) }
  const known = id ?? (by === 'responses' ? itemId : undefined)
  return { signature: { by, value, ...(known ? { id: known } : {}) } }
}
