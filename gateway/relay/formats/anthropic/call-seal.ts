import { shortId } from '../../../base/ids.ts'
import { UntrustedMap, UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { Part, Signature } from '../conversation.ts'
import { sealed } from '../signature.ts'

/**
 * Writes another vendor's signature on a tool call as the data of a redacted thinking block before the call: tool-use
 * blocks have no signature here, and clients return redacted thinking unchanged.
 */
export const callSeal = ({ by, value }: Signature, callId: string): string =>
  sealed({ by, value, id: markOf(callId) }, 'anthropic')

/** Replaces colons, which separate the fields of a seal. */
const markOf = (callId: string): string =>
  `call_${callId.includes(':') ? shortId(callId).replaceAll(':', '_') : callId}`

export function withCallSeals(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(isForeign)) return parts
  const seals = new UntrustedMap<string, Signature>()
  for (const part of parts) if (isForeign(part) && part.signature.id) seals.set(part.signature.id, part.signature)
  const marks = new UntrustedSet(parts.flatMap((part) => (part.type === 'tool-call' ? [markOf(part.id)] : [])))
  return parts.flatMap((part) => {
    if (isForeign(part) && marks.has(part.signature.id ?? '')) return []
    const seal = part.type === 'tool-call' ? seals.get(markOf(part.id)) : undefined
    return part.type === 'tool-call' && seal ? [{ ...part, signature: { by: seal.by, value: seal.value } }] : [part]
  })
}

const isForeign = (part: Part): part is Part & Readonly<{ type: 'reasoning'; signature: Signature }> =>
  part.type === 'reasoning' &&
  part.redacted === true &&
  part.signature !== undefined &&
  part.signature.by !== 'anthropic'
