import { createHmac } from 'node:crypto'
import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { functionsOf } from '../functions.ts'
import { plainTurns, systemAsUser } from '../plain-turns.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'
import { withToolsAsText } from './messages.ts'

/** Suffixes of model names whose generation supports system messages. */
const SUPPORTS_SYSTEM = /(?:3\.5|4\.0)$/

/**
 * Writes the request of a socket to Spark (docs/reference/channel-types.md#iflytek-spark), except application and
 * domain, which depend on the channel.
 */
export function encodeRequest(conversation: Conversation, { model, drop }: RequestTarget): Json {
  const { temperature, topK, maxOutput, user } = conversation
  const own = ownMembers(conversation, FIELDS, drop)
  const functions = functionsOut(conversation, drop)
  const turns = plainTurns(withToolsAsText(conversation), FIELDS.vendor, drop)
  const supported = SUPPORTS_SYSTEM.test(model) ? turns : systemAsUser(turns)
  return {
    header: present({ uid: user?.slice(0, MAX_USER_LENGTH) }),
    parameter: { chat: present({ ...own, temperature, top_k: topK, max_tokens: maxOutput }) },
    payload: { message: { text: supported.map(({ role, text }) => ({ role, content: text })) }, ...functions },
  }
}

/** Writes functions ("Function call"); a call cannot be required. */
function functionsOut(conversation: Conversation, drop: RequestTarget['drop']): Json {
  const functions = functionsOf(conversation, drop)
  if (functions.length === 0) return {}
  if (conversation.toolChoice?.mode === 'required') drop('toolChoice')
  if (conversation.parallelToolCalls === true) drop('parallelToolCalls')
  return { functions: { text: functions.map((each) => ({ description: each.name, ...each })) } }
}

const MAX_USER_LENGTH = 32

const FIELDS: VendorFields = {
  vendor: 'iFlytek Spark',
  fields: ['temperature', 'topK', 'maxOutput', 'user'],
  own: ['chat_id', 'auditing', 'tools', 'web_search', 'thinking'],
}

type SigningKey = Readonly<{ apiKey: string; apiSecret: string }>

/**
 * Signs a socket's URL in its query ("General URL authentication"): host, date and request line with HMAC-SHA256.
 * `nowMs` may differ by 5 minutes from the vendor's clock.
 */
export function signedUrl(address: URL, { apiKey, apiSecret }: SigningKey, nowMs: number): URL {
  const { host, pathname } = address
  const date = new Date(nowMs).toUTCString()
  const signature = createHmac('sha256', apiSecret)
    .update(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`)
    .digest('base64')
  const proof = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  const url = new URL(address)
  url.search = new URLSearchParams({ authorization: Buffer.from(proof).toString('base64'), date, host }).toString()
  return url
}
