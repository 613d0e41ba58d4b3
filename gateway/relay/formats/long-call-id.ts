import { sha256 } from '../../base/ids.ts'

/**
 * Max characters of a call's id; generous, since other gateways store the seal of a call in its id. V8 hashes longer
 * strings by their length only: many of one length would be compared with each other.
 */
const MAX_LENGTH = 16_383

/** Returns the upstream's id of a call, or its hash if it is too long to be repeated to callers. */
export const boundedCallId = (id: string): string => (id.length > MAX_LENGTH ? `call_${sha256(id)}` : id)
