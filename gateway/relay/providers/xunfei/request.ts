import { createHmac } from 'node:crypto'
import { present } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation, Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../../formats/conversation.ts'
import { checkRepeatedArguments } from '../../formats/repetitions.ts'
import { functionsOf } from '../functions.ts'
import { plainTurns, systemAsUser } from '../plain-turns.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'

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

/**
 * Describes tool calls and results as text: the vendor supports calls only in its responses, and messages only of
 * system, user and assistant (Spark's Web API, "Request parameters").
 */
function withToolsAsText(conversation: Conversation): Conversation {
  checkRepeatedArguments(conversation)
  const calls = new UntrustedMap<string, ToolCallPart>()
  const turns = conversation.turns.map((turn): Turn => {
    for (const part of turn.parts) if (part.type === 'tool-call') calls.set(part.id, part)
    return turn.parts.some(isRound)
      ? { ...turn, parts: turn.parts.flatMap((part) => describedPart(part, calls)) }
      : turn
  })
  return { ...conversation, turns }
}

const isRound = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result'

/** A call is described with its result. */
function describedPart(part: Part, calls: UntrustedMap<string, ToolCallPart>): readonly Part[] {
  if (part.type === 'tool-call') return []
  return part.type === 'tool-result' ? [headOf(part, calls.get(part.callId)), ...part.content] : [part]
}

function headOf({ name, callId, isError }: ToolResultPart, call: ToolCallPart | undefined): TextPart {
  const called = call?.name ?? name ?? callId
  const given = call?.arguments ? ` with ${call.arguments}` : ''
  return { type: 'text', text: `The tool ${called} was called${given} and ${isError ? 'failed' : 'answered'}:` }
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
