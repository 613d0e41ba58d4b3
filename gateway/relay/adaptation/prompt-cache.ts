import { sha256 } from '../../base/ids.ts'
import { isObject, type JsonObject, objectsIn, textIn } from '../../base/json/json.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, Part } from '../formats/conversation.ts'
import type { Provider, Target } from '../providers/provider.ts'

/** What a vendor's prompt cache needs of a request that is written again for it. */
export type Caching = Readonly<{
  /** Marks of what is worth keeping. */
  wantsMarks: boolean
  /** A key that the requests of a conversation share. */
  wantsKey: boolean
}>

/** For what is asked once. */
export const NO_CACHING: Caching = { wantsMarks: false, wantsKey: false }

/** What the vendor's cache needs (docs/reference/conversion.md#prompt-caches); the operator may forbid marks, which cost. */
export const cachingOf = (
  { settings }: Readonly<{ settings: Pick<Settings, 'get'> }>,
  { cachesByMarks, takesCacheKey }: Provider,
  target: Target,
): Caching => ({
  wantsMarks: (cachesByMarks?.(target) ?? false) && settings.get('claude.automatic_cache_enabled'),
  wantsKey: takesCacheKey?.(target) ?? false,
})

/** The longest key that OpenAI takes. */
const MAX_KEY = 64

/** A conversation with a key: its client's, or one of what stays the same in it: model, instructions, tools, first question. */
export function withCacheKey(conversation: Conversation): Conversation {
  const { cacheKey, model, turns, tools } = conversation
  if (cacheKey !== undefined)
    return cacheKey.length <= MAX_KEY ? conversation : { ...conversation, cacheKey: sha256(cacheKey) }
  const asked = turns.findIndex(({ role }) => role === 'user')
  const first = turns.slice(0, asked + 1).flatMap(({ parts }) => parts.map((part) => endsOf(textOf(part))))
  const stays = tools.filter((tool) => !('isLoaded' in tool && tool.isLoaded))
  const offered = stays.map((tool) => ('name' in tool ? tool.name : tool.kind))
  return { ...conversation, cacheKey: sha256(JSON.stringify([model, offered, first])) }
}

/** A long text by its ends and its length: a key tells conversations apart and proves nothing. */
const endsOf = (text: string): string =>
  text.length <= 2 * END ? text : `${text.slice(0, END)}${text.length}${text.slice(-END)}`
const END = 1024

const textOf = (part: Part): string => ('text' in part ? part.text : part.type)

/** Whether a client marks what is to be kept itself; those of Anthropic's dialect do, or want nothing kept. */
export const marksItself = ({ extras, turns, tools }: Conversation): boolean =>
  extras.from === 'anthropic' ||
  tools.some((tool) => 'cache' in tool && tool.cache !== undefined) ||
  turns.some(({ parts }) => parts.some(isMarked))

const isMarked = (part: Part): boolean =>
  ('cache' in part && part.cache !== undefined) ||
  (part.type === 'tool-result' && part.content.some(({ cache }) => cache !== undefined))

/** Characters of instructions that no model keeps a prompt for: the least is 512 tokens. */
const TOO_FEW = 1024

/**
 * A Messages or Chat request for a Claude with marks: at the end of the instructions or, without any, of the tools; of a
 * conversation that goes on also at its end, and where the request before it ended, which the vendor then finds again
 * however much has been said since. A single question may never be asked again, and to keep it would cost more than to
 * answer it: then long instructions are all that is kept.
 */
export function withCacheMarks(wire: Json): Json {
  const messages = objectsIn(wire.messages)
  const found = messages.findIndex(({ role }) => !isInstructing(role))
  const begins = found < 0 ? messages.length : found
  const instructions = [wire.system, ...messages.slice(0, begins).map(({ content }) => content)]
  const tools = objectsIn(wire.tools)
  const goesOn = tools.length > 0 || messages.some(isAnswer)
  if (!goesOn && instructions.reduce<number>((sum, one) => sum + lengthOf(one), 0) < TOO_FEW) return wire
  const instructed = lastMarkable(messages, 0, begins)
  const marked = new Set([instructed])
  if (goesOn)
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

const isInstructing = (role: unknown): boolean => role === 'system' || role === 'developer'
const isAnswer = ({ role }: JsonObject): boolean => role === 'assistant'

const lengthOf = (content: unknown): number =>
  typeof content === 'string' ? content.length : objectsIn(content).reduce((sum, { text }) => sum + lengthOf(text), 0)

/** The index of the last message from `start` to before `end` that can bear a mark and is no answer's; -1 where there is none. */
const lastMarkable = (messages: readonly JsonObject[], start: number, end: number): number =>
  messages.findLastIndex(
    (message, index) =>
      index >= start && index < end && !isAnswer(message) && markedContent(message.content) !== undefined,
  )

/** Content with a mark on its last block that can bear one; undefined where none can. One text is as good as a block of it. */
function markedContent(content: unknown): readonly unknown[] | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : [{ type: 'text', text: content, ...MARK }]
  if (!Array.isArray(content)) return undefined
  const at = content.findLastIndex(
    (block: unknown) => isObject(block) && (BEARERS.has(textIn(block.type) ?? '') || isText(block)),
  )
  return at < 0 ? undefined : content.with(at, { ...content[at], ...MARK })
}

const isText = ({ text }: JsonObject): boolean => typeof text === 'string' && text.trim() !== ''

/** Blocks besides text that can be marked. */
const BEARERS: ReadonlySet<string> = new Set(['tool_result', 'image', 'image_url', 'document', 'file'])

/** The tools with a mark on the last that is the client's own. */
function markedTools(tools: readonly JsonObject[]): readonly JsonObject[] {
  const at = tools.findLastIndex((tool) => isObject(tool.input_schema) || isObject(tool.function))
  return tools.map((tool, index) => (index === at ? { ...tool, ...MARK } : tool))
}
