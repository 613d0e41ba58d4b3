import { isObject, objectsIn, present, textIn } from '../../base/json/json.ts'
import type { Json, RequestTarget, StreamDecoder } from '../formats/codec.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { DONE, eventsOf } from '../formats/payload.ts'
import { plainTurns, withSystemApart } from './plain-turns.ts'
import type { AnswerError, Provider } from './provider.ts'
import { unsupportedField } from './vectors.ts'
import { ownMembers, type VendorFields } from './vendor-fields.ts'

const VENDOR = 'PaLM'
const LISTED = 'PaLM-2'
const MODEL = 'chat-bison-001'
const USER = '0'
const MODEL_AUTHOR = '1'

const FIELDS: VendorFields = { vendor: VENDOR, fields: ['temperature', 'topP', 'topK'], own: [] }

/**
 * Writes a GenerateMessageRequest (PaLM API reference, "generateMessage", v1beta2): instructions become the context.
 */
function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  ownMembers(conversation, FIELDS, drop)
  if (conversation.tools.length > 0) throw unsupportedField(VENDOR, 'tools')
  const { system, turns } = withSystemApart(plainTurns(conversation, VENDOR, drop))
  const messages = turns.map(({ role, text }) => ({ author: role === 'user' ? USER : MODEL_AUTHOR, content: text }))
  const { temperature, topP, topK } = conversation
  return present({ prompt: present({ context: system, messages }), temperature, topP, topK, candidateCount: 1 })
}

function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  const [candidate] = isObject(wire) ? objectsIn(wire.candidates) : []
  if (!candidate) return []
  const text = textIn(candidate.content) ?? ''
  return [{ type: 'start' }, { type: 'text', choice: 0, text }, { type: 'finish', choice: 0, reason: 'stop' }]
}

/** The vendor does not stream; proxies may send whole responses as events. */
const decodeStream = (): StreamDecoder => ({
  payload: (text) =>
    eventsOf(text, (json) => {
      const answer = decodeAnswer(json)
      return answer.length > 0 ? [...answer, ...DONE] : answer
    }),
})

/** Returns an error for a response that the vendor's filter removed completely. */
function errorIn(json: unknown): AnswerError | undefined {
  if (!isObject(json) || objectsIn(json.candidates).length > 0) return undefined
  const [filter] = objectsIn(json.filters)
  if (!filter) return undefined
  const message =
    textIn(filter.message) ?? `the answer was filtered: ${textIn(filter.reason) ?? 'for no stated reason'}`
  return { status: 400, message, type: 'palm_error', code: 'content_filter' }
}

/** Google's PaLM, which Google has retired, for compatible servers: not streamed, without usage. */
export const palm: Provider = {
  ignoresOutputLimit: true,
  paths: {
    own: ({ channel, model }) =>
      `${channel.baseUrl}/v1beta2/models/${encodeURIComponent(model === LISTED ? MODEL : model)}:generateMessage`,
  },
  headers: ({ channel }) => ({ 'x-goog-api-key': channel.key }),
  wire: { encodeRequest, decodeAnswer, decodeStream },
  errorIn,
}
