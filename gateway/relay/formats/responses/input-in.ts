import { isObject, type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type {
  ExtraPart,
  Part,
  ReasoningPart,
  Signature,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { partIn } from '../sealed-part.ts'
import { agentMessage } from './agent-message.ts'
import { ownCallIn, ownResultIn } from './client-tools.ts'
import { summaryIn } from './compaction.ts'
import { readContent, readResult } from './content-in.ts'
import { readSeal } from './seal.ts'
import { earlierSearch } from './search-item.ts'
import { thoughtOf } from './thought-item.ts'

/**
 * Reads the turns of a request's `input`. Consecutive items of the model form one turn, so that dialects with
 * reasoning, text and calls in one message get them as one; so do consecutive tool results.
 */
export function readInput(input: unknown): readonly Turn[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }]
  if (input === undefined || input === null) return []
  if (!Array.isArray(input)) throw malformed('input')
  const signatures = callSignatures(input)
  const book: TurnState = { turns: [], hasText: false, hasCall: false, isResults: false }
  for (const item of input) {
    if (!isObject(item)) throw malformed('input')
    take(item, book, signatures)
  }
  return book.turns
}

type OpenTurn = { role: Turn['role']; parts: Part[] }

/**
 * The turns so far. For the last one, tracks whether it has text or a refusal, a call, and only results and other
 * client items: scanning its parts for each item would take quadratic time.
 */
type TurnState = { readonly turns: OpenTurn[]; hasText: boolean; hasCall: boolean; isResults: boolean }

function begin(book: TurnState, role: Turn['role'], parts: Part[]): void {
  book.turns.push({ role, parts })
  book.hasText = false
  book.hasCall = false
  book.isResults = true
  note(book, parts)
}

function join(book: TurnState, open: OpenTurn, parts: readonly Part[]): void {
  for (const part of parts) open.parts.push(part)
  note(book, parts)
}

function note(book: TurnState, parts: readonly Part[]): void {
  for (const part of parts) {
    const { type } = part
    if ((type === 'text' && !part.search) || type === 'refusal') book.hasText = true
    if (type === 'tool-call') book.hasCall = true
    if (type !== 'tool-result' && type !== 'extra') book.isResults = false
  }
}

function take(item: JsonObject, book: TurnState, signatures: UntrustedMap<string, Signature>): void {
  if (isMessage(item)) {
    takeMessage(item, book)
    return
  }
  if (item.type === 'agent_message') {
    begin(book, 'user', [...agentMessage(item)])
    return
  }
  let part = partOf(item, signatures)
  if (!part) return
  if (part.type === 'text' && !part.search) {
    begin(book, 'user', [part])
    return
  }
  const open = book.turns.at(-1)
  if (part.type === 'text' && open?.role === 'assistant') part = withBlocks(part, open.parts)
  const isResult = part.type === 'tool-result' || (part.type === 'extra' && isFromClient(part.name))
  const role = isResult ? 'user' : 'assistant'
  if (open?.role === role && canFollow(book, open, part)) join(book, open, [part])
  else begin(book, role, [part])
}

/** Restores a search whose original blocks precede it in a seal of its vendor. */
function withBlocks(part: TextPart, before: Part[]): TextPart {
  const last = before.at(-1)
  if (last?.type !== 'reasoning' || !part.search) return part
  const { search } = part.search
  if (partIn(last.signature, 'gemini')) return { ...part, search: { by: 'gemini', search } }
  const blocks = partIn(last.signature, 'anthropic')
  if (!Array.isArray(blocks)) return part
  before.pop()
  return { ...part, search: { by: 'anthropic', search }, original: { of: 'anthropic', value: blocks } }
}

const roles = ['user', 'assistant', 'system', 'developer'] as const

/** The type of messages is optional. */
const isMessage = (item: JsonObject): boolean =>
  item.type === 'message' || (item.type === undefined && item.role !== undefined)

/** A message begins a turn, but a message of the model joins adjacent reasoning and calls. */
function takeMessage(item: JsonObject, book: TurnState): void {
  const role = roles.find((known) => known === item.role)
  if (!role) throw malformed('input.role')
  const parts = [...readContent(item.content)]
  const open = book.turns.at(-1)
  if (role === 'assistant' && open?.role === 'assistant' && !isComplete(book)) join(book, open, parts)
  else begin(book, role, parts)
}

/** A turn with text and no calls is a complete message; the model's next text or reasoning begins another. */
const isComplete = ({ hasText, hasCall }: TurnState): boolean => hasText && !hasCall

/**
 * Whether a part belongs to the open turn: results join results, and reasoning after a complete message begins the next
 * turn.
 */
function canFollow(book: TurnState, open: OpenTurn, part: Part): boolean {
  if (open.role === 'user') return book.isResults
  return part.type !== 'reasoning' || !isComplete(book)
}

/** Whether an item that only this dialect has comes from the client, not the model. */
const isFromClient = (name: string): boolean => name.endsWith('_output') || CLIENTS.has(name)

const CLIENTS: ReadonlySet<string> = new Set([
  'mcp_approval_response',
  'item_reference',
  'additional_tools',
  'compaction_trigger',
])

/** Items fully expressed elsewhere: tools that they add, and the request for a summary. */
const COVERED: ReadonlySet<string> = new Set([
  'additional_tools',
  'compaction_trigger',
  'tool_search_call',
  'tool_search_output',
])

/** Whether a summary is requested instead of a response: Codex requests it with an item at the end. */
export const asksForSummary = (input: unknown): boolean =>
  Array.isArray(input) && isObject(input.at(-1)) && input.at(-1).type === 'compaction_trigger'

/** Converts an item to a part of a turn; undefined for items that only carry a call's signature. */
function partOf(item: JsonObject, signatures: UntrustedMap<string, Signature>): Part | undefined {
  switch (item.type) {
    case 'function_call':
      return call(item, item.arguments, signatures)
    case 'custom_tool_call':
      return { ...call(item, item.input, signatures), custom: true }
    case 'function_call_output':
      return result(item)
    case 'custom_tool_call_output':
      return { ...result(item), custom: true }
    case 'reasoning':
      return thought(item)
    default:
      return ownCallIn(item) ?? ownResultIn(item) ?? summaryIn(item) ?? earlierSearch(item) ?? extra(item)
  }
}

function extra(item: JsonObject): ExtraPart {
  const name = textIn(item.type) ?? 'item_reference'
  return { type: 'extra', of: 'responses', name, value: { item }, ...(COVERED.has(name) ? { isCovered: true } : {}) }
}

function call(item: JsonObject, text: unknown, signatures: UntrustedMap<string, Signature>): ToolCallPart {
  const id = textIn(item.call_id) ?? textIn(item.id)
  const name = textIn(item.name)
  if (id === undefined) throw malformed('input.call_id')
  if (name === undefined) throw malformed('input.name')
  const signature = signatures.get(id)
  const namespace = textIn(item.namespace)
  const rest = { ...(namespace === undefined ? {} : { namespace }), ...(signature ? { signature } : {}) }
  return { type: 'tool-call', id, name, arguments: textIn(text) ?? '', ...rest }
}

function result(item: JsonObject): ToolResultPart {
  const callId = textIn(item.call_id)
  if (callId === undefined) throw malformed('input.call_id')
  return { type: 'tool-result', callId, content: readResult(item.output) }
}

/** Returns undefined for an item that was only written to carry the signature of a call. */
function thought(item: JsonObject): ReasoningPart | undefined {
  const { text, seal } = thoughtOf(item)
  if (seal?.callId !== undefined) return undefined
  const id = textIn(item.id)
  const signature = seal?.signature ?? (id === undefined ? undefined : ({ by: 'responses', value: '', id } as const))
  return {
    type: 'reasoning',
    text,
    ...(signature ? { signature } : {}),
    ...(seal?.redacted ? { redacted: true } : {}),
  }
}

/** Returns the signatures of calls, by the id of the call, that earlier responses sent as separate items. */
function callSignatures(items: readonly unknown[]): UntrustedMap<string, Signature> {
  const signatures = new UntrustedMap<string, Signature>()
  for (const item of objectsIn(items)) {
    const text = item.type === 'reasoning' ? textIn(item.encrypted_content) : undefined
    const seal = text ? readSeal(text, undefined) : undefined
    if (seal?.callId !== undefined) signatures.set(seal.callId, seal.signature)
  }
  return signatures
}
