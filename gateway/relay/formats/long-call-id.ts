import { sha256 } from '../../base/ids.ts'

/** Other gateways keep the seal of a call in its id. */
const MAX_LENGTH = 64 * 1024

/** The id of a call as an upstream gives it; one that is too long to be repeated to callers is replaced by its hash. */
export const boundedCallId = (id: string): string => (id.length > MAX_LENGTH ? `call_${sha256(id)}` : id)
