import { editInTurns, spansInTurns } from '../../base/json/json-spans.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { Call } from '../model/call.ts'

/** A member of a body, and what it is to be. */
export type ChangedMember = readonly [name: string, value: unknown]

/** The call with one member of its body changed, every other byte as it came; a large body in turns with others. */
export function withMember(call: Call, [name, value]: ChangedMember): MaybePromise<Call> {
  const json = { ...call.json, [name]: value }
  return whenKnown(editInTurns(call.bytes, call.spans, new Map([[name, value]])), (bytes) =>
    whenKnown(spansInTurns(bytes), (spans) => ({ ...call, json, bytes, spans })),
  )
}
