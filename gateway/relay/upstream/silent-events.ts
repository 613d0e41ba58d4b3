import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import { messageIn, messagesIn } from '../formats/gemini/message.ts'
import type { Endpoint } from '../model/endpoint.ts'

/**
 * Whether a stream event has no content for its reader: it opens a response, a block or an item that is still empty, or
 * keeps the connection alive. Unknown events count as content (docs/reference/streams.md#start-of-a-stream).
 */
export function isEmptyEvent(endpoint: Endpoint, payload: string): boolean {
  const isSilent = silent[endpoint]
  const event = isSilent && parsed(payload)
  return isSilent !== undefined && isObject(event) && isSilent(event)
}

/** Other endpoints have no events before the content. */
const silent: Readonly<Partial<Record<Endpoint, (event: JsonObject) => boolean>>> = {
  chat: isSilentChunk,
  completions: isSilentChunk,
  messages: isSilentMessageEvent,
  responses: isSilentResponseEvent,
  generate: isSilentResponse,
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Whether all members of a value are empty, except those in `but`. */
const areEmpty = (value: unknown, but: readonly string[] = []): boolean =>
  Object.entries(objectIn(value)).every(([name, member]) => isEmpty(member) || but.includes(name))

/** A chunk with only a role, usage or results of Azure's prompt filter. */
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

/** A Gemini response without content, finish reason or prompt feedback. */
function isSilentResponse(response: JsonObject): boolean {
  const { candidates, usageMetadata, promptFeedback, error } = messageIn(response)
  if (!isEmpty(promptFeedback) || !isEmpty(error)) return false
  if (candidates === undefined) return usageMetadata !== undefined
  return messagesIn(candidates).every(({ content, finishReason }) => {
    const parts = messagesIn(messageIn(content).parts)
    return isEmpty(finishReason) && parts.every((part) => areEmpty(part, ['thought']))
  })
}
