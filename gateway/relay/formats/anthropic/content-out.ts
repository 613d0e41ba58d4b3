import { shortId } from '../../../base/ids.ts'
import { isObject, objectIn, objectsIn } from '../../../base/json/json.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { ExtraPart, MediaPart, Part, ReasoningPart, ToolCallPart, ToolResultPart, Turn } from '../conversation.ts'
import { addedBy, cacheOut } from './cache-mark.ts'
import { mediaOut } from './media.ts'

export type Block = Record<string, unknown>

/** Writes the blocks of a turn, in order, without empty text and other vendors' thinking. */
export function blocksOut({ role, parts }: Turn, drop: RequestTarget['drop']): readonly Block[] {
  const blocks: Block[] = []
  let last: Block | undefined
  for (const part of parts) {
    const added = part.type === 'extra' && part.of === 'anthropic' ? addedBy(part) : undefined
    if (added) {
      if (last) Object.assign(last, added)
      continue
    }
    const search =
      part.type === 'text' && part.search && part.original?.of === 'anthropic' ? objectsIn(part.original.value) : []
    blocks.push(...search.map((block) => ({ ...block })))
    last = search.length > 0 ? blocks.at(-1) : blockOut(part, role, drop)
    if (last && search.length === 0) blocks.push(last)
  }
  return blocks
}

function blockOut(part: Part, role: Turn['role'], drop: RequestTarget['drop']): Block | undefined {
  switch (part.type) {
    case 'text':
      if (part.original?.of === 'anthropic')
        return isObject(part.original.value) ? { ...part.original.value } : undefined
      return isBlank(part.text) ? undefined : { type: 'text', text: part.text, ...cacheOut(part.cache) }
    case 'refusal':
      return isBlank(part.text) ? undefined : { type: 'text', text: part.text }
    case 'media':
      return mediaBlock(part, role, drop)
    case 'tool-call':
      return callOut(part)
    case 'tool-result':
      return resultOut(part, drop)
    case 'reasoning':
      return role === 'assistant' ? thoughtOut(part) : undefined
    case 'extra':
      return extraOut(part, drop)
  }
}

/** The vendor refuses blocks of only white space. */
const isBlank = (text: string): boolean => text.trim() === ''

/** The vendor accepts files only from users: media in other turns is left out and reported. */
function mediaBlock(part: MediaPart, role: Turn['role'], drop: RequestTarget['drop']): Block | undefined {
  if (role !== 'user') return void drop(part.kind)
  if (part.detail !== undefined && part.detail !== 'auto') drop('detail')
  return { ...mediaOut(part) }
}

function callOut({ id, name, arguments: text, custom, cache }: ToolCallPart): Block {
  const input = custom ? { input: text } : argumentsOut(text)
  return { type: 'tool_use', id: toolId(id), name, input, ...cacheOut(cache) }
}

/** Replaces characters that the vendor refuses, consistently for a call and its result. */
const toolId = (id: string): string => (VALID_ID.test(id) ? id : shortId(id).replace(/[^a-zA-Z0-9_-]/g, '_') || '_')
const VALID_ID = /^[a-zA-Z0-9_-]+$/

/** Writes a single plain text as a string, anything else as blocks. */
function resultOut({ callId, content, isError, cache }: ToolResultPart, drop: RequestTarget['drop']): Block {
  const [first] = content
  const plain =
    first?.type === 'text' && content.length === 1 && !first.cache && !first.original ? first.text : undefined
  const blocks = plain === undefined ? blocksOut({ role: 'user', parts: content }, drop) : []
  return {
    type: 'tool_result',
    tool_use_id: toolId(callId),
    ...(plain === undefined ? {} : { content: plain }),
    ...(blocks.length > 0 ? { content: blocks } : {}),
    ...(isError === undefined ? {} : { is_error: isError }),
    ...cacheOut(cache),
  }
}

/** Omits thinking without the vendor's own seal, since the vendor would refuse it. */
function thoughtOut({ text, signature, redacted }: ReasoningPart): Block | undefined {
  if (signature?.by !== 'anthropic') return undefined
  if (redacted) return { type: 'redacted_thinking', data: signature.value }
  return { type: 'thinking', thinking: text, signature: signature.value }
}

function extraOut({ of, name, value }: ExtraPart, drop: RequestTarget['drop']): Block | undefined {
  if (of === 'anthropic') return { ...objectIn(value) }
  return void drop(`content.${name}`)
}

/**
 * Writes a single plain text as a string, the vendor's shorthand, and anything else as blocks. Several texts are not
 * joined, since a cache mark on one of them would split them in one request and not in the next.
 */
export function contentOut(blocks: readonly Block[]): string | readonly Json[] {
  const [only, ...more] = blocks
  return only && more.length === 0 && isPlain(only) ? only.text : blocks
}

const isPlain = (block: Block): block is Block & Readonly<{ text: string }> =>
  block.type === 'text' && typeof block.text === 'string' && Object.keys(block).length === 2
