import { isObject, type JsonObject, objectIn, objectsIn } from '../../base/json/json.ts'
import { lacksThoughts } from '../formats/anthropic/messages-out.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, Part, Turn } from '../formats/conversation.ts'
import type { Format } from '../formats/format.ts'
import { UNKNOWN_SIGNATURE } from '../formats/gemini/contents-out.ts'

type Edits = ReadonlyMap<string, unknown>

/**
 * Returns a function that removes reasoning encrypted by one vendor, and its signatures on calls, from a conversation
 * (docs/reference/conversion.md#sealed-thoughts).
 */
export const unsealed =
  (by: Format) =>
  (conversation: Conversation): Conversation => ({
    ...conversation,
    turns: conversation.turns.flatMap((turn) => withoutSeals(turn, by)),
  })

function withoutSeals(turn: Turn, by: Format): readonly Turn[] {
  const isSealed = (part: Part): boolean => 'signature' in part && part.signature?.by === by
  if (!turn.parts.some(isSealed)) return [turn]
  const parts = turn.parts.flatMap((part): readonly Part[] => {
    if (!isSealed(part)) return [part]
    return part.type === 'tool-call' ? [{ ...part, signature: undefined }] : []
  })
  return parts.length > 0 ? [{ ...turn, parts }] : []
}

export const withoutReasoningItems = ({ input }: Json): Edits =>
  listEdit('input', input, (item) => (item.type === 'reasoning' ? [] : [item]))

/**
 * Edits that remove all reasoning from a Messages body, since no block is valid after an invalid one. In the middle of
 * a turn, they also remove a thinking budget, which requires the reasoning.
 */
export function withoutThinkingBlocks({ messages, thinking }: Json): Edits {
  const edits = listEdit('messages', messages, (message) => {
    if (message.role !== 'assistant' || !Array.isArray(message.content)) return [message]
    const content = message.content.filter((block: unknown) => !isObject(block) || !THOUGHTS.has(block.type))
    return content.length > 0 ? [{ ...message, content }] : []
  })
  const isBroken = objectIn(thinking).type === 'enabled' && lacksThoughts(objectsIn(edits.get('messages')))
  return isBroken ? new Map([...edits, ['thinking', undefined]]) : edits
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])

/** Edits that turn the system messages of a Messages body into user messages. */
export const withoutSystemMessages = ({ messages }: Json): Edits =>
  listEdit('messages', messages, (message) => [message.role === 'system' ? { ...message, role: 'user' } : message])

/** Edits that remove signatures from a Google body; the first call of a content gets a placeholder if it was signed. */
export const withoutSignatures = ({ contents }: Json): Edits =>
  listEdit('contents', contents, (content) => {
    if (!Array.isArray(content.parts)) return [content]
    let isFirst = true
    const parts = content.parts.map((part: unknown) => {
      if (!isObject(part)) return part
      const { thoughtSignature, thought_signature: other, ...rest } = part
      const isCall = isObject(part.functionCall) || isObject(part.function_call)
      const isRequired = isCall && isFirst && (thoughtSignature ?? other) !== undefined
      if (isCall) isFirst = false
      return isRequired ? { ...rest, thoughtSignature: UNKNOWN_SIGNATURE } : rest
    })
    return [{ ...content, parts }]
  })

/** The edit of a member that is a list of objects; empty if it is not a list. */
function listEdit(name: string, list: unknown, change: (item: JsonObject) => readonly JsonObject[]): Edits {
  if (!Array.isArray(list)) return new Map()
  const items: readonly unknown[] = list
  return new Map([[name, items.flatMap((item): readonly unknown[] => (isObject(item) ? change(item) : [item]))]])
}
