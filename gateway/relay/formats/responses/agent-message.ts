import { type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Part } from '../conversation.ts'

/**
 * Converts a message between Codex's agents to a user text. Its text may be in `encrypted_content`: only OpenAI's
 * models encrypt it, other vendors' models write plain text. Encrypted parts, which only OpenAI can read, are reported.
 */
export function agentMessage(item: JsonObject): readonly Part[] {
  const content = typeof item.content === 'string' ? [{ text: item.content }] : objectsIn(item.content)
  const readable = content.map(readableIn).filter((text) => text !== undefined)
  const body = [`Message from ${nameOf(item.author)} to ${nameOf(item.recipient)}:`, ...readable].join('\n')
  return [
    { type: 'text', text: body, original: { of: 'responses', value: item } },
    ...(readable.length < content.length ? [UNREADABLE] : []),
  ]
}

/** Returns the text of a part of a message between agents; undefined without text, or if OpenAI has encrypted it. */
export function readableIn({ text, encrypted_content: hidden }: JsonObject): string | undefined {
  const body = textIn(text) ?? textIn(hidden)
  return body !== undefined && SEALED.test(body) ? undefined : body
}

const SEALED = /^gAAAA[\w-]{20,}=*$/

const UNREADABLE: Part = { type: 'extra', of: 'responses', name: 'agent_message.encrypted_content', value: null }

const nameOf = (agent: unknown): string => textIn(agent) ?? 'another agent'
