import { createHash } from 'node:crypto'
import { isObject, type JsonObject, objectsIn } from '../../base/json/json.ts'
import { messagesEdit, withImages, without } from './messages.ts'
import { elsewhere } from './openai-family.ts'
import { mistralEmbeddings } from './own-fields.ts'
import type { Provider } from './provider.ts'

/** Mistral: OpenAI's wire format; unknown members are refused (docs/reference/channel-types.md#mistral). */
export const mistral: Provider = {
  ...elsewhere({
    chat: '/v1/chat/completions',
    embeddings: '/v1/embeddings',
    moderations: '/v1/moderations',
    transcriptions: '/v1/audio/transcriptions',
  }),
  bridges: { embeddings: mistralEmbeddings },
  patchBody(json, { endpoint }, drop) {
    const edits = new Map<string, unknown>()
    if (endpoint !== 'chat') return edits
    for (const name of UNKNOWN) {
      if (!(name in json)) continue
      edits.set(name, undefined)
      if (json[name] !== null) drop(name)
    }
    for (const [name, own] of RENAMED) {
      if (!(name in json)) continue
      edits.set(name, undefined)
      if (json[own] === undefined) edits.set(own, json[name])
    }
    const messages = objectsIn(json.messages)
    for (const name of [...ANSWER_MEMBERS, 'name'])
      if (messages.some((message) => message.role !== 'tool' && isPresent(message[name]))) drop(`messages.${name}`)
    for (const [name, value] of messagesEdit(json, messageOut)) edits.set(name, value)
    return edits
  },
}

/** OpenAI's members that Mistral does not have, and those with another name (Mistral's API reference, "Chat"). */
const UNKNOWN = [
  'user',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'modalities',
  'audio',
  'store',
  'service_tier',
  'verbosity',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'web_search_options',
]
const RENAMED = [
  ['seed', 'random_seed'],
  ['max_completion_tokens', 'max_tokens'],
] as const

/** Members of responses that clients return and Mistral refuses, like names of participants. */
const ANSWER_MEMBERS = ['refusal', 'annotations', 'audio', 'reasoning_content', 'reasoning', 'reasoning_details']

const isPresent = (value: unknown): boolean => value !== undefined && value !== null

function messageOut(message: JsonObject): JsonObject {
  const bare = without(message, message.role === 'tool' ? ANSWER_MEMBERS : [...ANSWER_MEMBERS, 'name'])
  const plain = withCallIds(withImages(bare, (url) => url))
  return plain.role === 'developer' ? { ...plain, role: 'system' } : plain
}

function withCallIds(message: JsonObject): JsonObject {
  const { tool_calls, tool_call_id } = message
  const id = typeof tool_call_id === 'string' ? callId(tool_call_id) : tool_call_id
  const isCalling = Array.isArray(tool_calls) && tool_calls.some((call) => isObject(call) && isForeign(call.id))
  if (id === tool_call_id && !isCalling) return message
  return {
    ...message,
    ...(id !== undefined && { tool_call_id: id }),
    ...(isCalling && {
      tool_calls: tool_calls.map((call: unknown) =>
        isObject(call) && typeof call.id === 'string' ? { ...call, id: callId(call.id) } : call,
      ),
    }),
  }
}

const isForeign = (id: unknown): boolean => typeof id === 'string' && callId(id) !== id

const ID_LENGTH = 9
const ID = /^[a-zA-Z0-9]{9}$/

function callId(id: string): string {
  if (ID.test(id)) return id
  return createHash('sha256')
    .update(id)
    .digest('base64')
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(0, ID_LENGTH)
}
