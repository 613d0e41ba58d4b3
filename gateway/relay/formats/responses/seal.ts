import { percentDecoded } from '../../../base/bytes/percent.ts'
import type { Signature } from '../conversation.ts'
import { isPartSeal } from '../sealed-part.ts'
import { sealed, unsealed } from '../signature.ts'

/**
 * The content of a reasoning item's `encrypted_content`. Another vendor's signature has the gateway's mark, whose id
 * field identifies what it belongs to: reasoning, hidden reasoning, or a tool call.
 */
export type Seal = Readonly<{ signature: Signature; redacted?: true; callId?: string }>

const REDACTED = 'redacted'
/** Prefix of the id of a call's signature, before the id of the call. */
const CALL = 'call='

/** Writes `encrypted_content` for the item with this id: OpenAI's own is unchanged unless it belongs to another id. */
export function sealedThought(signature: Signature, isRedacted: boolean, itemId: string): string {
  const { by, value, id = itemId } = signature
  if (by === 'responses' && id === itemId) return value
  return sealed(isRedacted && !isPartSeal(signature) ? { by, value, id: REDACTED } : signature, 'responses')
}

/** Writes `encrypted_content` for an item that only carries the signature of a tool call, which has no field for it. */
export const sealedCall = ({ by, value }: Signature, callId: string): string =>
  sealed({ by, value, id: CALL + encodeURIComponent(callId) }, 'responses')

export function readSeal(text: string, itemId: string | undefined): Seal {
  const { by, value, id } = unsealed(text, 'responses')
  if (id === REDACTED) return { signature: { by, value }, redacted: true }
  if (id?.startsWith(CALL)) return { signature: { by, value }, callId: percentDecoded(id.slice(CALL.length)) }
  const known = id ?? (by === 'responses' ? itemId : undefined)
  return { signature: { by, value, ...(known ? { id: known } : {}) } }
}
