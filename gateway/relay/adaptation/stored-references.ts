import { refuse } from '../../base/errors.ts'
import { isObject, type JsonObject, textIn } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { FOREIGN_MARKS, withoutForeign } from '../formats/anthropic/foreign-blocks.ts'
import { isSummary, summaryText } from '../formats/responses/compaction.ts'
import { readSeal } from '../formats/responses/seal.ts'
import type { Call } from '../model/call.ts'
import { responseOf } from '../stored/content.ts'
import { type ChangedMember, withMember } from './with-member.ts'

/** Fields about storing responses, which the gateway implements for vendors without a Responses API. */
const STORAGE_FIELDS = ['store', 'background', 'conversation', 'prompt', 'previous_response_id'] as const
/** Fields that refer to OpenAI's own storage. */
const VENDOR_STORED = ['conversation', 'prompt', 'previous_response_id'] as const

/**
 * Removes the fields about storing from a request of `/v1/responses`, for its conversion. Throws for references that
 * only a vendor with a Responses API can resolve.
 */
export function convertible(call: Call): Call {
  const { json, model } = call
  if (call.endpoint !== 'responses' || !STORAGE_FIELDS.some((field) => field in json)) return call
  const field = VENDOR_STORED.find((name) => json[name] !== undefined && json[name] !== null)
  if (field !== undefined)
    throw refuse('invalid', 'relay.responsesOnly', { model, field }, { code: 'convert_request_failed', param: field })
  const sendable = { ...json }
  for (const name of STORAGE_FIELDS) delete sendable[name]
  return { ...call, json: sendable }
}

/**
 * Returns a request for a vendor's own Responses or Messages API, for a conversation that may have begun elsewhere:
 * without reasoning sealed by another vendor and ids created by the gateway, which the vendor does not know, and with
 * the gateway's summaries as text. `model` is the vendor's name of the model.
 */
export function vendorCall(call: Call, model: string): MaybePromise<Call> {
  const member = vendorMember(call, model)
  return member ? withMember(call, member) : call
}

export function vendorJson(call: Call, model: string): Call['json'] {
  const member = vendorMember(call, model)
  return member ? { ...call.json, [member[0]]: member[1] } : call.json
}

function vendorMember(call: Call, model: string): ChangedMember | undefined {
  const { json, bytes, previousId, conversation, endpoint } = call
  if (endpoint === 'messages') return isClaude(model) ? ownMessages(call) : undefined
  if (endpoint !== 'responses' || !Array.isArray(json.input)) return undefined
  if (previousId === undefined && !conversation && !bytes.includes(SEAL_MARK)) return undefined
  const items: readonly unknown[] = json.input
  return ['input', items.flatMap((item) => (isObject(item) ? sendable(item) : [item]))]
}

/** Other models behind the Messages API may have made the seals, so their requests are unchanged. */
const isClaude = (model: string): boolean => /claude/i.test(model)

/** Removes parts sealed by another vendor from messages for Anthropic; scans the bytes for such parts first. */
function ownMessages({ json, bytes }: Call): ChangedMember | undefined {
  if (!Array.isArray(json.messages) || !FOREIGN_MARKS.some((mark) => bytes.includes(mark))) return undefined
  return ['messages', withoutForeign(json.messages)]
}

/** Prefix of text with the gateway's own seal (formats/signature.ts). */
const SEAL_MARK = '"switchyard:'

function sendable(item: JsonObject): readonly unknown[] {
  const summary = isSummary(item) ? summaryText(item.encrypted_content) : undefined
  if (summary !== undefined) return [{ type: 'message', role: 'user', content: summary }]
  const isOwn = responseOf(textIn(item.id) ?? '') !== undefined
  if (item.type === 'reasoning') {
    const seal = textIn(item.encrypted_content)
    const isForeign = seal === undefined ? isOwn : readSeal(seal, undefined).signature.by !== 'responses'
    if (isForeign) return []
  }
  if (!isOwn) return [item]
  const { id: _, ...rest } = item
  return [rest]
}
