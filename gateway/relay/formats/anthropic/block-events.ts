import { objectIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { Signature } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { sealed } from '../signature.ts'
import { WholeObject } from '../whole-object.ts'
import { callSeal } from './call-seal.ts'
import { FOREIGN_INDEX, searchOut } from './search-blocks.ts'

/** An event about a block in a stream; whole responses are assembled from the same events. */
export type BlockEvent =
  | Readonly<{ type: 'content_block_start'; index: number; content_block: Json }>
  | Readonly<{ type: 'content_block_delta'; index: number; delta: Json }>
  | Readonly<{ type: 'content_block_stop'; index: number }>

export type Open =
  | { kind: 'text'; cited: boolean }
  | { kind: 'thinking'; sealed: boolean }
  | { kind: 'tool'; call: number; arguments: WholeObject; custom: boolean }

/**
 * Events waiting until the open call is complete: the pieces of one call form a group, anything else a group of one;
 * groups before `next` are written.
 */
export type WaitingEvents = { groups: AnswerEvent[][]; next: number; calls: Map<number, AnswerEvent[]> }

/** The state of a response's blocks, written one after the other as the vendor's clients require. */
export type BlockWriter = {
  index: number
  open: Open | undefined
  pending: WaitingEvents
  calls: Set<number>
  asides: Record<string, unknown>
  prefix: string
}

export const createBlockWriter = (prefix: string): BlockWriter => ({
  index: 0,
  open: undefined,
  pending: { groups: [], next: 0, calls: new Map() },
  calls: new Set(),
  asides: {},
  prefix,
})

export function contentEvents(writer: BlockWriter, event: AnswerEvent): readonly BlockEvent[] {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return textEvents(writer, event.text)
    case 'media':
      return textEvents(writer, mediaText(event))
    case 'citation':
      return citationEvents(writer, webCitation(event))
    case 'reasoning':
      return reasoningEvents(writer, event)
    case 'tool':
      return toolEvents(writer, event)
    case 'search':
      return event.by === 'anthropic' ? [] : searchEvents(writer, event)
    case 'extra':
      return event.of === 'anthropic' ? extraEvents(writer, event) : []
    default:
      return []
  }
}

/** Text after a citation begins a new block, since a citation applies to its whole block. */
function textEvents(writer: BlockWriter, text: string): readonly BlockEvent[] {
  if (text === '') return []
  if (writer.open?.kind === 'text' && !writer.open.cited) return [delta(writer.index, { type: 'text_delta', text })]
  const start = opened(writer, { kind: 'text', cited: false }, { type: 'text', text: '' })
  return [...start, delta(writer.index, { type: 'text_delta', text })]
}

/** The dialect has no images or audio in responses: an image becomes Markdown, audio its transcript, if any. */
function mediaText({ mime, data, transcript }: Extract<AnswerEvent, { type: 'media' }>): string {
  if (transcript !== undefined) return transcript
  return mime.startsWith('image/') ? `![image](data:${mime};base64,${data})` : ''
}

/** Writes a citation in the form of the vendor's web search; the encrypted index is a placeholder. */
function webCitation({ url, title, quote }: Extract<AnswerEvent, { type: 'citation' }>): Json {
  return { type: 'web_search_result_location', url, title, cited_text: quote ?? '', encrypted_index: FOREIGN_INDEX }
}

/** A citation applies to the preceding text; without one it is dropped. */
function citationEvents(writer: BlockWriter, citation: Json): readonly BlockEvent[] {
  if (writer.open?.kind !== 'text') return []
  writer.open.cited = true
  return [delta(writer.index, { type: 'citations_delta', citation })]
}

/** A signature ends its thinking block, so that the next one gets its own block and signature. */
function reasoningEvents(writer: BlockWriter, { text, signature, redacted }: ReasoningEvent): readonly BlockEvent[] {
  if (redacted) return signature ? redactedEvents(writer, sealed(signature, 'anthropic')) : []
  if (text === '' && !signature) return []
  const start =
    writer.open?.kind === 'thinking'
      ? []
      : opened(writer, { kind: 'thinking', sealed: false }, { type: 'thinking', thinking: '', signature: '' })
  const thought = text === '' ? [] : [delta(writer.index, { type: 'thinking_delta', thinking: text })]
  return [...start, ...thought, ...sealEvents(writer, signature)]
}

function sealEvents(writer: BlockWriter, signature: Signature | undefined): readonly BlockEvent[] {
  if (!signature) return []
  if (writer.open?.kind === 'thinking') writer.open.sealed = true
  return [signatureDelta(writer, sealed(signature, 'anthropic')), ...closed(writer)]
}

const redactedEvents = (writer: BlockWriter, data: string): readonly BlockEvent[] =>
  wholeBlock(writer, { type: 'redacted_thinking', data })

/** Writes a piece of a call. Pieces of a call that has ended are left out. */
function toolEvents(writer: BlockWriter, event: ToolEvent): readonly BlockEvent[] {
  const { call, json = '' } = event
  const { open } = writer
  if (open?.kind === 'tool' && open.call === call) {
    open.arguments.add(json)
    return json === '' || open.custom ? [] : [inputDelta(writer, json)]
  }
  if (writer.calls.has(call)) return []
  writer.calls.add(call)
  const custom = event.custom === true
  const id = event.id || `toolu_${writer.prefix}_${call}`
  const seal = event.signature ? redactedEvents(writer, callSeal(event.signature, id)) : []
  const block = { type: 'tool_use', id, name: event.name ?? '', input: {} }
  const start = opened(writer, { kind: 'tool', call, arguments: new WholeObject(json), custom }, block)
  return [...seal, ...start, ...(json === '' || custom ? [] : [inputDelta(writer, json)])]
}

const inputDelta = (writer: BlockWriter, json: string): BlockEvent =>
  delta(writer.index, { type: 'input_json_delta', partial_json: json })

function extraEvents(writer: BlockWriter, { name, value }: ExtraEvent): readonly BlockEvent[] {
  if (name === CITATION) return citationEvents(writer, objectIn(value))
  if (asides.some((aside) => aside === name)) {
    writer.asides[name] = value
    return []
  }
  const block = objectIn(value)
  if (block.type !== 'server_tool_use') return wholeBlock(writer, block)
  return wholeBlock(writer, { ...block, input: {} }, JSON.stringify(block.input ?? {}))
}

function searchEvents(writer: BlockWriter, { by, search }: SearchEvent): readonly BlockEvent[] {
  const { use, result } = searchOut(search.id === '' ? { ...search, id: writer.prefix } : search, by)
  const useEvents = wholeBlock(writer, { ...use, input: {} }, JSON.stringify(use.input))
  return [...useEvents, ...wholeBlock(writer, result)]
}

/** Writes a block at once, except a tool's input, which is always sent as a delta. */
function wholeBlock(writer: BlockWriter, block: Json, input?: string): readonly BlockEvent[] {
  const before = closed(writer)
  const index = writer.index++
  return [
    ...before,
    { type: 'content_block_start', index, content_block: block },
    ...(input === undefined ? [] : [delta(index, { type: 'input_json_delta', partial_json: input })]),
    { type: 'content_block_stop', index },
  ]
}

function opened(writer: BlockWriter, open: Open, block: Json): readonly BlockEvent[] {
  const before = closed(writer)
  writer.open = open
  return [...before, { type: 'content_block_start', index: writer.index, content_block: block }]
}

const signatureDelta = (writer: BlockWriter, signature: string): BlockEvent =>
  delta(writer.index, { type: 'signature_delta', signature })

/**
 * Ends the open block. Writes the free text of a custom tool, wrapped as the function's one parameter, and an empty
 * signature for a thinking block without one: clients discard thinking without a signature.
 */
export function closed(writer: BlockWriter): readonly BlockEvent[] {
  const { open } = writer
  if (!open) return []
  const text =
    open.kind === 'tool' && open.custom ? [inputDelta(writer, JSON.stringify({ input: open.arguments.json }))] : []
  const seal = open.kind === 'thinking' && !open.sealed ? [signatureDelta(writer, '')] : []
  writer.open = undefined
  return [...text, ...seal, { type: 'content_block_stop', index: writer.index++ }]
}

const delta = (index: number, piece: Json): BlockEvent => ({ type: 'content_block_delta', index, delta: piece })

type ToolEvent = Extract<AnswerEvent, { type: 'tool' }>
type ReasoningEvent = Extract<AnswerEvent, { type: 'reasoning' }>
type SearchEvent = Extract<AnswerEvent, { type: 'search' }>
type ExtraEvent = Extract<AnswerEvent, { type: 'extra' }>

/** The name of the extra event for a citation of something without a URL. */
export const CITATION = 'citation'

/** Members of a message, other than blocks, that only this dialect has; each becomes an extra event under its name. */
export const asides = ['container', 'stop_details'] as const
