import { isObject, numberIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { Json, RequestTarget, StreamDecoder } from '../formats/codec.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { AnswerEvent } from '../formats/events.ts'
import { DONE, eventsOf } from '../formats/payload.ts'
import { elsewhere } from './openai-family.ts'
import { plainTurns } from './plain-turns.ts'
import type { AnswerError, Members, Provider, Target } from './provider.ts'
import { unsupportedField } from './vectors.ts'
import { ownMembers } from './vendor-fields.ts'

const VENDOR = 'AI Proxy'

/** Writes a question to a knowledge base: the last turn. The vendor has no memory and accepts no instructions. */
function encodeRequest(conversation: Conversation, { model, drop }: RequestTarget): Json {
  ownMembers(conversation, { vendor: VENDOR, fields: [], own: [] }, drop)
  if (conversation.tools.length > 0) throw unsupportedField(VENDOR, 'tools')
  const turns = plainTurns(conversation, VENDOR, drop)
  const last = turns.at(-1)
  if (last?.role !== 'user') throw unsupportedField(VENDOR, 'messages')
  if (turns.length > 1) drop('messages')
  return { model, query: last.text, stream: conversation.stream }
}

function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  const text = textIn(wire.answer) ?? ''
  return [{ type: 'start' }, { type: 'text', choice: 0, text }, ...citationsIn(wire), FINISH]
}

const FINISH: AnswerEvent = { type: 'finish', choice: 0, reason: 'stop' }

function decodeStream(): StreamDecoder {
  return { payload: (text) => eventsOf(text, pieceIn) }
}

function pieceIn(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  const error = errorIn(wire)
  if (error) return [{ type: 'error', error }]
  const content = textIn(wire.content)
  const textEvents: readonly AnswerEvent[] = content ? [{ type: 'text', choice: 0, text: content }] : []
  return [...textEvents, ...citationsIn(wire), ...(wire.finish === true ? [FINISH, ...DONE] : [])]
}

const citationsIn = ({ documents }: Json): readonly AnswerEvent[] =>
  objectsIn(documents).flatMap(({ url, title }) =>
    typeof url === 'string' && url !== '' ? [{ type: 'citation', choice: 0, url, title: textIn(title) ?? url }] : [],
  )

function errorIn(json: unknown): AnswerError | undefined {
  const code = isObject(json) ? (numberIn(json.errCode) ?? 0) : 0
  if (!isObject(json) || (code === 0 && json.success !== false)) return undefined
  return { status: 502, message: textIn(json.message) ?? `error ${code}`, type: 'aiproxy_error', code }
}

/**
 * A knowledge base of AI Proxy: the library in the channel's `other` is queried
 * (docs/reference/channel-types.md#ai-proxy-knowledge-base).
 */
export const aiProxyLibrary: Provider = {
  ignoresOutputLimit: true,
  addsToPrompt: true,
  ...elsewhere({ own: '/api/library/ask' }),
  wire: { encodeRequest, decodeAnswer, decodeStream },
  errorIn,
  forcedMembers: ({ channel }: Target): Members => new Map([['libraryId', channel.other]]),
}
