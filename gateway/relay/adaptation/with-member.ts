import { editYielding, spansYielding } from '../../base/json/json-spans.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { Call } from '../model/call.ts'

export type ChangedMember = readonly [name: string, value: unknown]

/**
 * Returns the call with one member of its body changed and all other bytes unchanged; a large body is processed in
 * steps, yielding to other requests.
 */
export function withMember(call: Call, [name, value]: ChangedMember): MaybePromise<Call> {
  const json = { ...call.json, [name]: value }
  return whenKnown(editYielding(call.bytes, call.spans, new Map([[name, value]])), (bytes) =>
    whenKnown(spansYielding(bytes), (spans) => ({ ...call, json, bytes, spans })),
  )
}
