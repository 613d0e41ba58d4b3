import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import { messageIn, messagesIn } from '../formats/gemini/message.ts'
import type { Endpoint } from '../model/endpoint.ts'

/**
 * Whether an event of a stream says nothing yet to who reads it: it begins an answer, a block or an item that is still empty,
 * or keeps the connection in use. One that is not known says something (docs/reference/streams.md#start-of-a-stream).
 */
export function saysNothing(endpoint: Endpoint, payload: string): boolean {
  const isSilent = silent[endpoint]
  const event = isSilent && parsed(payload)
  return isSilent !== undefined && isObject(event) && isSilent(event)
}

/** Endpoints that are not here have no events before those that say something. */
const silent: Readonly<Partial<Record<Endpoint, (event: JsonObject) => boolean>>> = {
  chat: isSilentChunk,
  completions: isSilentChunk,
  messages: isSilentMessageEvent,
  responses: isSilentResponseEvent,
  generate: isSilentResponse,
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether nothing is in a value's members but in those that are not looked at. */
const areEmpty = (value: unknown, but: readonly string[] = []): boolean =>
  Object.entries(objectIn(value)).every(([name, member]) => isEmpty(member) || but.includes(name))

/** A chunk with a role, figures or what a filter of Azure's found in the prompt, and nothing else. */
function isSilentChunk({ choices, error }: JsonObject): boolean {
  const areSilent = objectsIn(choices).every(
    (choice) => areEmpty(choice, ['index', 'delta', 'content_filter_results']) && areEmpty(choice.delta, ['role']),
  )
  return Array.isArray(choices) && areSilent && isEmpty(error)
}

function isSilentMessageEvent({ type, message, content_block: block }: JsonObject): boolean {
  if (type === 'ping') return true
  if (type === 'message_start') return isEmpty(objectIn(message).content)
  const { type: kind } = objectIn(block)
  return type === 'content_block_start' && (kind === 'text' || kind === 'thinking') && areEmpty(block, ['type'])
}

const BEGINNINGS: readonly unknown[] = ['response.created', 'response.queued', 'response.in_progress', 'keepalive']

function isSilentResponseEvent({ type, item }: JsonObject): boolean {
  if (type !== 'response.output_item.added') return BEGINNINGS.includes(type)
  const { type: kind } = objectIn(item)
  return (kind === 'message' || kind === 'reasoning') && areEmpty(item, ['type', 'id', 'status', 'role', 'phase'])
}

/** A response of Gemini's without a part that says something, an end, or a word on the prompt. */
function isSilentResponse(response: JsonObject): boolean {
  const { candidates, usageMetadata, promptFeedback, error } = messageIn(response)
  if (!isEmpty(promptFeedback) || !isEmpty(error)) return false
  if (candidates === undefined) return usageMetadata !== undefined
  return messagesIn(candidates).every(({ content, finishReason }) => {
    const parts = messagesIn(messageIn(content).parts)
    return isEmpty(finishReason) && parts.every((part) => areEmpty(part, ['thought']))
  })
}
