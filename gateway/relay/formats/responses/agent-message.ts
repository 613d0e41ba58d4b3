import { type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Part } from '../conversation.ts'

/**
 * What one agent of Codex's says to another, which others are told as a text of the user's. Its text may stand under
 * `encrypted_content`: only OpenAI's models seal it, those of other vendors have written it there as it is. A part that is
 * sealed can be read by OpenAI alone and is reported.
 */
export function agentMessage(item: JsonObject): readonly Part[] {
  const content = typeof item.content === 'string' ? [{ text: item.content }] : objectsIn(item.content)
  const readable = content.map(readableIn).filter((text) => text !== undefined)
  const said = [`Message from ${nameOf(item.author)} to ${nameOf(item.recipient)}:`, ...readable].join('\n')
  return [
    { type: 'text', text: said, original: { of: 'responses', value: item } },
    ...(readable.length < content.length ? [UNREADABLE] : []),
  ]
}

/** The text of a part of such a message; undefined where OpenAI has sealed it. */
export function readableIn({ text, encrypted_content: hidden }: JsonObject): string | undefined {
  const said = textIn(text) ?? textIn(hidden)
  return said !== undefined && SEALED.test(said) ? undefined : said
}

/** OpenAI's seal. */
const SEALED = /^gAAAA[\w-]{20,}=*$/

const UNREADABLE: Part = { type: 'extra', of: 'responses', name: 'agent_message.encrypted_content', value: null }

const nameOf = (agent: unknown): string => textIn(agent) ?? 'another agent'
