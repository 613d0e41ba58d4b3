import { type JsonObject, objectIn, present } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { ExtraPart, MediaPart, Part, TextPart, ToolCallPart, ToolResultPart, Turn } from '../conversation.ts'
import { cacheMark, extraContent, extraItem, inputPart, type Writing } from './content-out.ts'
import { searchItem } from './search-item.ts'
import { callThought, thoughtItem } from './thought-item.ts'

/** Writes the `input` of a request: text if it is a single plain user text, else items. */
export function writeInput(turns: readonly Turn[], writing: Writing): string | readonly JsonObject[] {
  const [only] = turns
  const text = turns.length === 1 && only?.role === 'user' && !only.name ? singleText(only.parts) : undefined
  if (text !== undefined) return text
  const written: Written = { items: [], customCalls: new UntrustedSet(), seals: new UntrustedSet() }
  for (const turn of turns) {
    if (turn.name !== undefined) writing.target.drop('name')
    new TurnWriter(turn.role, writing, written).write(turn.parts)
  }
  return written.items
}

type Written = Readonly<{ items: JsonObject[]; customCalls: UntrustedSet<string>; seals: UntrustedSet<unknown> }>

/** Clients of Chat write empty text next to calls and reasoning: no message may be between reasoning and its call. */
const isEmpty = (part: Part): boolean => part.type === 'text' && part.text === ''

function singleText(parts: readonly Part[]): string | undefined {
  const [only] = parts
  const isText = only?.type === 'text' && only.original?.of !== 'responses' && only.search?.by !== 'responses'
  return parts.length === 1 && isText && !only.cache ? only.text : undefined
}

/** Writes the items of one turn: messages for text and media, and separate items for everything else. */
class TurnWriter {
  readonly #role: Turn['role']
  readonly #writing: Writing
  readonly #customCalls: UntrustedSet<string>
  readonly #items: JsonObject[]
  readonly #seals: UntrustedSet<unknown>
  #messageParts: Part[] = []
  /** Media by the model: its messages cannot contain any, so they are written as the user's. */
  #shown: MediaPart[] = []

  constructor(role: Turn['role'], writing: Writing, { items, customCalls, seals }: Written) {
    this.#role = role
    this.#writing = writing
    this.#customCalls = customCalls
    this.#items = items
    this.#seals = seals
  }

  write(parts: readonly Part[]): void {
    const saysMore = !this.#writing.isOwn && this.#role === 'assistant' && parts.some(({ type }) => type !== 'text')
    for (const part of parts) if (!(saysMore && isEmpty(part))) this.#part(part)
    this.#closeMessage()
    if (parts.length === 0) this.#items.push({ role: this.#role, content: '' })
    if (this.#shown.length === 0) return
    this.#items.push({ role: 'user', content: this.#shown.map((part) => inputPart(part, this.#writing)) })
  }

  #part(part: Part): void {
    switch (part.type) {
      case 'text':
        if (part.original?.of === 'responses') this.#item(objectIn(part.original.value))
        else if (part.search?.by === 'responses') this.#item(searchItem(part.search.search))
        else this.#messageParts.push(part)
        break
      case 'refusal':
        this.#messageParts.push(part)
        break
      case 'media':
        if (this.#role === 'assistant') this.#shown.push(part)
        else this.#messageParts.push(part)
        break
      case 'tool-call':
        this.#callThought(part)
        this.#item(this.#call(part))
        break
      case 'tool-result':
        this.#item(this.#result(part))
        break
      case 'reasoning':
        this.#thought(thoughtItem(part))
        break
      case 'extra':
        this.#extra(part)
        break
    }
  }

  #item(item: JsonObject | undefined): void {
    if (!item) return
    this.#closeMessage()
    this.#items.push(item)
  }

  /** Writes the reasoning item that a call was sealed with, unless the client has also returned it as reasoning. */
  #callThought(part: ToolCallPart): void {
    const thought = callThought(part)
    if (thought && !this.#seals.has(thought.encrypted_content)) this.#thought(thought)
  }

  #thought(thought: JsonObject | undefined): void {
    if (thought) this.#seals.add(thought.encrypted_content)
    this.#item(thought)
  }

  #extra(part: ExtraPart): void {
    if (extraContent(part)) this.#messageParts.push(part)
    else if (extraItem(part)) this.#item(extraItem(part))
    else if (part.of !== 'responses') this.#writing.target.drop(`content.${part.name}`)
  }

  #call({ id, namespace, name, arguments: text, custom, cache, original }: ToolCallPart): JsonObject {
    if (original?.of === 'responses') return objectIn(original.value)
    if (cache && !this.#writing.isOwn) this.#writing.target.drop('cache')
    const call_id = callId(id)
    if (!custom)
      return present({ type: 'function_call', call_id, namespace, name, arguments: text === '' ? '{}' : text })
    this.#customCalls.add(id)
    return present({ type: 'custom_tool_call', call_id, namespace, name, input: text })
  }

  /** Writes a tool's result; its error state cannot be expressed and is reported. */
  #result({ callId: id, content, isError, custom, cache, original }: ToolResultPart): JsonObject {
    if (original?.of === 'responses') return objectIn(original.value)
    if (isError) this.#writing.target.drop('isError')
    if (cache && !this.#writing.isOwn) this.#writing.target.drop('cache')
    const isCustom = custom === true || this.#customCalls.has(id)
    return {
      type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
      call_id: callId(id),
      output: this.#output(content),
    }
  }

  #output(content: readonly (TextPart | MediaPart)[]): string | readonly JsonObject[] {
    if (content.length === 0) return ''
    return singleText(content) ?? content.map((part) => inputPart(part, this.#writing))
  }

  #closeMessage(): void {
    if (this.#messageParts.length === 0) return
    const parts = this.#messageParts
    this.#messageParts = []
    const content = singleText(parts) ?? parts.map((part) => this.#saidPart(part))
    this.#items.push({ role: this.#role, content })
  }

  /**
   * Marks on assistant text are written only for clients of this dialect: the vendor's reference has marks only on
   * input.
   */
  #saidMark({ cache }: TextPart): JsonObject {
    const { isOwn, target } = this.#writing
    if (cache && !isOwn) target.drop('cache')
    return isOwn ? cacheMark(cache, this.#writing) : {}
  }

  #saidPart(part: Part): JsonObject {
    if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
    if (part.type === 'text' && this.#role === 'assistant') {
      return { type: 'output_text', text: part.text, ...this.#saidMark(part) }
    }
    if (part.type === 'text' || part.type === 'media') return inputPart(part, this.#writing)
    return extraContent(part) ?? present({})
  }
}

/**
 * OpenAI accepts ids of 64 characters; longer ones are reduced to their last 64 characters, consistently in call and
 * result.
 */
const callId = (id: string): string => (id.length > 64 ? id.slice(-64) : id)
