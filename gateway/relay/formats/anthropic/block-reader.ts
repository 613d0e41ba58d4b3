import { isObject, objectIn, objectsIn, parsedAsWritten, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { argumentsIn } from '../call-arguments.ts'
import type { Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { leavesOf } from '../leaves.ts'
import { boundedCallId } from '../long-call-id.ts'
import { unsealed } from '../signature.ts'
import { CITATION } from './block-events.ts'
import { isSearchResult, isSearchUse, searchIn } from './search-blocks.ts'

type Open = { block: Json; call: number; json: string; citations: Json[] }

/**
 * State while a response's blocks are read: the open ones by index, the number of calls, and the pending searches by
 * id.
 */
export type BlockReader = { open: Map<unknown, Open>; calls: number; searches: UntrustedMap<unknown, Json> }

export const createBlockReader = (): BlockReader => ({
  open: new Map(),
  calls: 0,
  searches: new UntrustedMap(),
})

/**
 * Returns the events of a block's beginning and of the text or thinking that it already has: in a complete response,
 * all of it.
 */
export function blockStart(reader: BlockReader, index: unknown, block: Json): readonly AnswerEvent[] {
  const ended = reader.open.has(index) ? blockStop(reader, index) : []
  const call = block.type === 'tool_use' ? reader.calls++ : 0
  reader.open.set(index, { block, call, json: '', citations: [...objectsIn(block.citations)] })
  return [...ended, ...startEvents(block, call)]
}

/** A call's input comes at the end: imitators send it both here and in pieces. */
function startEvents(block: Json, call: number): readonly AnswerEvent[] {
  if (block.type === 'text') return pieceOf(block.text)
  if (block.type === 'thinking') return [...thoughtOf(block.thinking), ...sealOf(block.signature)]
  if (block.type === 'redacted_thinking') {
    const data = textIn(block.data)
    return data ? [{ ...seal(data), redacted: true }] : []
  }
  if (block.type !== 'tool_use') return []
  const id = boundedCallId(textIn(block.id) ?? '') || `toolu_${call}`
  return [{ type: 'tool', choice: 0, call, id, name: textIn(block.name) ?? '' }]
}

export function blockDelta(reader: BlockReader, index: unknown, delta: Json): readonly AnswerEvent[] {
  if (delta.type === 'text_delta') return pieceOf(delta.text)
  if (delta.type === 'thinking_delta') return thoughtOf(delta.thinking)
  if (delta.type === 'signature_delta') return sealOf(delta.signature)
  const open = reader.open.get(index)
  if (!open) return []
  if (delta.type === 'citations_delta') {
    if (isObject(delta.citation)) open.citations.push(delta.citation)
    return []
  }
  if (delta.type !== 'input_json_delta') return unknownPieces(delta)
  const json = textIn(delta.partial_json) ?? ''
  open.json += json
  if (json === '') return []
  return [
    open.block.type === 'tool_use'
      ? { type: 'tool', choice: 0, call: open.call, json }
      : { type: 'vendor-call', text: json },
  ]
}

/** Pieces of an unknown kind are only counted. */
function unknownPieces({ type: _, ...delta }: Json): readonly AnswerEvent[] {
  const text = leavesOf(delta)
  return text === '' ? [] : [{ type: 'vendor-call', text }]
}

/** Returns the events that require the whole block. */
export function blockStop(reader: BlockReader, index: unknown): readonly AnswerEvent[] {
  const open = reader.open.get(index)
  if (!open) return []
  reader.open.delete(index)
  const { block, call, json, citations } = open
  if (block.type === 'text') return citations.map(citationOf)
  if (block.type === 'thinking' || block.type === 'redacted_thinking' || typeof block.type !== 'string') return []
  if (block.type === 'tool_use')
    return json === '' ? [{ type: 'tool', choice: 0, call, json: argumentsIn(block.input) }] : []
  const result = RESULTS.has(block.type) ? [{ type: 'vendor-result', length: sizeOf(block.content) } as const] : []
  const value = json === '' ? block : { ...block, input: parsedAsWritten(json) ?? json }
  const isSearch = isSearchUse(value) || (isSearchResult(value) && reader.searches.has(value.tool_use_id))
  if (isSearch) return searchEvents(reader, value)
  return [...result, { type: 'extra', of: 'anthropic', choice: 0, name: block.type, value }]
}

/** Results of calls that the vendor ran, whose length is emitted. */
const RESULTS: ReadonlySet<string> = new Set(['mcp_tool_result', 'web_fetch_tool_result'])
const sizeOf = (content: unknown): number => (content === undefined ? 0 : JSON.stringify(content).length)

/** Reads one of a search's two blocks; the second also yields the search event for other dialects. */
function searchEvents(reader: BlockReader, block: Json): readonly AnswerEvent[] {
  const name = textIn(block.type) ?? ''
  const own = { type: 'extra', of: 'anthropic', choice: 0, name, value: block, isCovered: true } as const
  if (isSearchUse(block)) {
    reader.searches.set(block.id, block)
    return [own]
  }
  const use = reader.searches.get(block.tool_use_id)
  reader.searches.delete(block.tool_use_id)
  return use ? [own, searchEvent(use, block)] : [own]
}

const searchEvent = (use: Json, result: Json | undefined): AnswerEvent => ({
  type: 'search',
  choice: 0,
  by: 'anthropic',
  name: 'server_tool_use',
  search: searchIn(use, result),
  ...(result ? { original: { of: 'anthropic', value: [use, result] } } : {}),
})

function lastSearches(reader: BlockReader): readonly AnswerEvent[] {
  const open = [...reader.searches.values()]
  reader.searches.clear()
  return open.map((use) => searchEvent(use, undefined))
}

export const lastBlocks = (reader: BlockReader): readonly AnswerEvent[] => [
  ...[...reader.open.keys()].flatMap((index) => blockStop(reader, index)),
  ...lastSearches(reader),
]

const pieceOf = (value: unknown): readonly AnswerEvent[] =>
  typeof value === 'string' && value !== '' ? [{ type: 'text', choice: 0, text: value }] : []

const thoughtOf = (value: unknown): readonly AnswerEvent[] =>
  typeof value === 'string' && value !== '' ? [{ type: 'reasoning', choice: 0, text: value }] : []

const sealOf = (value: unknown): readonly AnswerEvent[] =>
  typeof value === 'string' && value !== '' ? [seal(value)] : []

const seal = (value: string) =>
  ({ type: 'reasoning', choice: 0, text: '', signature: unsealed(value, 'anthropic') }) as const

/** Other dialects can express citations of web pages, but not those of the request's documents. */
function citationOf(citation: Json): AnswerEvent {
  const url = textIn(citation.url) ?? textIn(citation.source)
  if (!url || !/^https?:/.test(url))
    return { type: 'extra', of: 'anthropic', choice: 0, name: CITATION, value: objectIn(citation) }
  const quote = textIn(citation.cited_text)
  return { type: 'citation', choice: 0, url, title: textIn(citation.title) ?? '', ...(quote ? { quote } : {}) }
}
