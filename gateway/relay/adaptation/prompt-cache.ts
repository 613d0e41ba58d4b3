import { sha256 } from '../../base/ids.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../base/json/json.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, Part } from '../formats/conversation.ts'
import type { Provider, Target } from '../providers/provider.ts'

export type Caching = Readonly<{
  wantsMarks: boolean
  /** Requires a key shared by the requests of a conversation. */
  wantsKey: boolean
}>

/** The requirements of single requests, which profit from no cache. */
export const NO_CACHING: Caching = { wantsMarks: false, wantsKey: false }

/**
 * Returns the requirements of the vendor's cache (docs/reference/conversion.md#prompt-caches); the operator may forbid
 * marks, which cost extra.
 */
export const cachingOf = (
  { settings }: Readonly<{ settings: Pick<Settings, 'get'> }>,
  { cachesByMarks, takesCacheKey }: Provider,
  target: Target,
): Caching => ({
  wantsMarks: (cachesByMarks?.(target) ?? false) && settings.get('claude.automatic_cache_enabled'),
  wantsKey: takesCacheKey?.(target) ?? false,
})

const MAX_KEY = 64

/**
 * Adds a cache key: the client's (hashed if it is longer than `MAX_KEY`), or one derived from the conversation's
 * constant parts: model, instructions, tools, first question.
 */
export function withCacheKey(conversation: Conversation): Conversation {
  const { cacheKey, model, turns, tools } = conversation
  if (cacheKey !== undefined)
    return cacheKey.length <= MAX_KEY ? conversation : { ...conversation, cacheKey: sha256(cacheKey) }
  const firstUser = turns.findIndex(({ role }) => role === 'user')
  const first = turns.slice(0, firstUser + 1).flatMap(({ parts }) => parts.map((part) => endsOf(textOf(part))))
  const declared = tools.filter((tool) => !('isLoaded' in tool && tool.isLoaded))
  const offered = declared.map((tool) => ('name' in tool ? tool.name : tool.kind))
  return { ...conversation, cacheKey: sha256(JSON.stringify([model, offered, first])) }
}

/** Shortens a long text to its ends and its length: a key distinguishes conversations and proves nothing. */
const endsOf = (text: string): string =>
  text.length <= 2 * END ? text : `${text.slice(0, END)}${text.length}${text.slice(-END)}`
const END = 1024

const textOf = (part: Part): string => ('text' in part ? part.text : part.type)

/** Whether a client sets cache marks itself; clients of Anthropic's dialect either do or want no caching. */
export const marksItself = ({ extras, turns, tools }: Conversation): boolean =>
  extras.from === 'anthropic' ||
  tools.some((tool) => 'cache' in tool && tool.cache !== undefined) ||
  turns.some(({ parts }) => parts.some(isMarked))

const isMarked = (part: Part): boolean =>
  ('cache' in part && part.cache !== undefined) ||
  (part.type === 'tool-result' && part.content.some(({ cache }) => cache !== undefined))

/** Min characters of instructions that are marked: models cache 512 tokens or more; a token has two characters or more. */
const MIN_CACHED_LENGTH = 1024

/**
 * Adds marks to a Messages or Chat request for a Claude model: at the end of the instructions or, without any, of the
 * tools; in an ongoing conversation also at its end, and at the end of the preceding request, so that the vendor finds
 * the prompt that it cached then, however much has been added since. A single question may never be repeated, and
 * caching it would cost more than answering it: then only long instructions are marked.
 */
export function withCacheMarks(wire: Json): Json {
  const messages = objectsIn(wire.messages)
  const found = messages.findIndex(({ role }) => !isInstructionRole(role))
  const begins = found < 0 ? messages.length : found
  const instructions = [wire.system, ...messages.slice(0, begins).map(({ content }) => content)]
  const tools = objectsIn(wire.tools)
  const isOngoing = tools.length > 0 || messages.some(isAnswer)
  if (!isOngoing && instructions.reduce<number>((sum, one) => sum + lengthOf(one), 0) < MIN_CACHED_LENGTH) return wire
  const instructed = lastMarkable(messages, 0, begins)
  const marked = new Set([instructed])
  if (isOngoing)
    marked
      .add(lastMarkable(messages, begins, messages.length))
      .add(lastMarkable(messages, begins, messages.findLastIndex(isAnswer)))
  const system = markedContent(wire.system)
  return {
    ...wire,
    ...(system ? { system } : {}),
    messages: messages.map((message, index) =>
      marked.has(index) ? { ...message, content: markedContent(message.content) } : message,
    ),
    ...(system || instructed >= 0 || tools.length === 0 ? {} : { tools: markedTools(tools) }),
  }
}

const MARK = { cache_control: { type: 'ephemeral' } } as const

const isInstructionRole = (role: unknown): boolean => role === 'system' || role === 'developer'
const isAnswer = ({ role }: JsonObject): boolean => role === 'assistant'

const lengthOf = (content: unknown): number =>
  typeof content === 'string' ? content.length : objectsIn(content).reduce((sum, { text }) => sum + lengthOf(text), 0)

/** The index of the last message in the range that can have a mark and is not the assistant's; -1 if there is none. */
const lastMarkable = (messages: readonly JsonObject[], start: number, end: number): number =>
  messages.findLastIndex(
    (message, index) =>
      index >= start && index < end && !isAnswer(message) && markedContent(message.content) !== undefined,
  )

/** Adds a mark to the last block that can have one; undefined if none can. A single text is converted to a block. */
function markedContent(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : [{ type: 'text', text: content, ...MARK }]
  if (!Array.isArray(content)) return undefined
  const at = content.findLastIndex(
    (block: unknown) => isObject(block) && (MARKABLE.has(textIn(block.type) ?? '') || isText(block)),
  )
  return at < 0 ? undefined : content.with(at, { ...content[at], ...MARK })
}

const isText = ({ text }: JsonObject): boolean => typeof text === 'string' && text.trim() !== ''

const MARKABLE: ReadonlySet<string> = new Set(['tool_result', 'image', 'image_url', 'document', 'file'])

function markedTools(tools: readonly JsonObject[]): readonly JsonObject[] {
  const at = tools.findLastIndex((tool) => isObject(tool.input_schema) || isObject(tool.function))
  return tools.map((tool, index) => (index === at ? { ...tool, ...MARK } : tool))
}
