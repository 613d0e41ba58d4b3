import { refuse } from '../../base/errors.ts'
import type { Call } from '../model/call.ts'

/** Fields about keeping answers, which the gateway does itself for vendors without a Responses API. */
const KEEPING = ['store', 'background', 'conversation', 'prompt', 'previous_response_id'] as const
/** Of these, what only OpenAI's own store knows. */
const VENDORS = ['conversation', 'prompt', 'previous_response_id'] as const

/**
 * A request of `/v1/responses` as it can be told in another dialect. Refuses what only the store of a vendor with a
 * Responses API knows.
 */
export function convertible(call: Call): Call {
  const { json, model } = call
  if (call.endpoint !== 'responses' || !KEEPING.some((field) => field in json)) return call
  const field = VENDORS.find((name) => json[name] !== undefined && json[name] !== null)
  if (field !== undefined)
    throw refuse('invalid', 'relay.responsesOnly', { model, field }, { code: 'convert_request_failed', param: field })
  const told = { ...json }
  for (const name of KEEPING) delete told[name]
  return { ...call, json: told }
}
