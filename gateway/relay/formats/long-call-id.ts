import { sha256 } from '../../base/ids.ts'

/** Max characters of a call's id; generous, since other gateways store the seal of a call in its id. */
const MAX_LENGTH = 64 * 1024

/** Returns the upstream's id of a call, or its hash if it is too long to be repeated to callers. */
export const boundedCallId = (id: string): string => (id.length > MAX_LENGTH ? `call_${sha256(id)}` : id)
