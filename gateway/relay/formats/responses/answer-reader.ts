import { isObject, type JsonObject, objectIn, objectsIn, present, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { OwnShape, Signature } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { leavesOf } from '../leaves.ts'
import { tokensIn } from '../log-probabilities.ts'
import { boundedCallId } from '../long-call-id.ts'
import { argumentsIn, ownCallShape } from './client-tools.ts'
import { HostedTools } from './hosted-tools.ts'
import { readSeal } from './seal.ts'
import { SEARCH_CALL, searchIn } from './search-item.ts'
import { BETWEEN_PARTS } from './thought-item.ts'
import { readUsage } from './usage.ts'

/** Identifies an item of a response's output: its index, or its id if the upstream sends no index. */
export type ItemIndex = number | string

type ReadItem = {
  call?: number
  /** Pieces of an unknown kind were counted: the item's end repeats them. */
  isCounted?: true
  /** Characters, or log probabilities, already emitted for each text. */
  emitted: Record<string, number>
  hasSaid: boolean
  annotations: number
}

/**
 * Converts the items of a response to events, either whole items or their pieces as they arrive. Content that an item's
 * end repeats is not emitted again, and content missing from the pieces is, so that whole responses and streams yield
 * the same. A class: one is created for each response.
 */
export class AnswerReader {
  events: AnswerEvent[] = []
  hasOutput = false
  readonly #items = new Map<ItemIndex, ReadItem>()
  #calls = 0
  readonly #callOf = new UntrustedMap<string, number>()
  /** Signatures received before their call, by its id. */
  readonly #signatures = new UntrustedMap<string, Signature>()
  #isBegun = false
  /** The item and part of the last reasoning, if nothing else has been emitted since. */
  #thought: string | undefined
  readonly #hosted = new HostedTools()
  /** The tools that the beginning of the response lists. */
  #tools: unknown

  begin(response: JsonObject): void {
    if (this.#isBegun) return
    this.#isBegun = true
    const { id, model, tools } = response
    this.#tools = tools
    this.events.push({
      type: 'start',
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { model } : {}),
    })
  }

  /** Emits the beginning of reasoning, or of a call of a function or custom tool. */
  open(itemIndex: ItemIndex, item: JsonObject): void {
    if (item.type === 'reasoning') this.events.push({ type: 'reasoning-begun' })
    if (item.type === 'function_call' || item.type === 'custom_tool_call') this.#beginCall(itemIndex, item, {})
  }

  /** Emits a piece of a message's text, or the missing end of a whole text, with its log probabilities. */
  text(itemIndex: ItemIndex, part: number, text: unknown, scores: unknown, isWhole = false): void {
    if (Array.isArray(scores) && scores.length > 0) this.#score(itemIndex, part, scores, isWhole)
    const piece = this.#untold(itemIndex, `text ${part}`, text, isWhole)
    if (piece !== '') this.#emit({ type: 'text', choice: 0, text: piece })
  }

  /** Emits new log probabilities: all of a piece, the missing ones of a whole text. */
  #score(itemIndex: ItemIndex, part: number, scores: readonly unknown[], isWhole: boolean): void {
    const item = this.#item(itemIndex)
    const slot = `scores ${part}`
    const before = item.emitted[slot] ?? 0
    const rest = isWhole ? scores.slice(before) : scores
    item.emitted[slot] = before + rest.length
    item.hasSaid ||= rest.length > 0
    const tokens = tokensIn(rest)
    if (tokens.length > 0) this.#emit({ type: 'logprobs', choice: 0, tokens })
  }

  refusal(itemIndex: ItemIndex, part: number, text: unknown, isWhole = false): void {
    const piece = this.#untold(itemIndex, `refusal ${part}`, text, isWhole)
    if (piece !== '') this.#emit({ type: 'refusal', choice: 0, text: piece })
  }

  /** Emits a piece of raw reasoning (`reasoning_text`) or of a summary; parts are separated by an empty line. */
  thought(itemIndex: ItemIndex, part: string, text: unknown, isWhole = false): void {
    const piece = this.#untold(itemIndex, part, text, isWhole)
    if (piece === '') return
    const source = `${itemIndex} ${part}`
    const isNext = this.#thought !== undefined && this.#thought !== source
    this.#emit({ type: 'reasoning', choice: 0, text: isNext ? BETWEEN_PARTS + piece : piece })
    this.#thought = source
  }

  /**
   * Emits a piece of a call's arguments or free text; pieces before the beginning of their call are ignored, since the
   * end of the call repeats them.
   */
  arguments(itemIndex: ItemIndex, text: unknown, isWhole = false): void {
    const { call } = this.#item(itemIndex)
    if (call === undefined) return
    const json = this.#untold(itemIndex, 'arguments', text, isWhole)
    const counted = this.#item(itemIndex).isCounted
    if (json !== '') this.#emit({ type: 'tool', choice: 0, call, json, ...(counted ? { isCounted: true } : {}) })
  }

  /** Emits a piece of the arguments or code of a call that the vendor runs, or the missing end of a whole one. */
  vendorCall(itemIndex: ItemIndex, text: unknown, isWhole = false): void {
    const piece = this.#untold(itemIndex, 'vendor call', text, isWhole)
    if (piece !== '') this.#emit({ type: 'vendor-call', text: piece })
  }

  /** Counts a piece of an unknown kind. */
  unknownPiece(itemIndex: ItemIndex, piece: string): void {
    if (piece === '') return
    this.#item(itemIndex).isCounted = true
    this.#emit({ type: 'vendor-call', text: piece })
  }

  /** Emits the source of a piece of text: web pages are citations, files and others are extras. */
  annotation(itemIndex: ItemIndex, annotation: unknown): void {
    this.#item(itemIndex).annotations += 1
    if (!isObject(annotation)) return
    const { type, url, title } = annotation
    if (type === 'url_citation' && typeof url === 'string') {
      this.#emit({ type: 'citation', choice: 0, url, title: textIn(title) ?? '' })
    } else this.#emit({ type: 'extra', of: 'responses', choice: 0, name: 'annotation', value: annotation })
  }

  close(itemIndex: ItemIndex, item: JsonObject): void {
    if (this.#hosted.note(item)) this.#emitTools()
    switch (item.type) {
      case 'message':
        this.#message(itemIndex, item)
        break
      case 'reasoning':
        this.#reasoning(itemIndex, item)
        break
      case 'function_call':
      case 'custom_tool_call':
        this.#beginCall(itemIndex, item, {})
        this.arguments(itemIndex, item.type === 'function_call' ? item.arguments : item.input, true)
        break
      case 'image_generation_call':
        this.#picture(item)
        break
      case 'computer_call':
        this.vendorCall(itemIndex, leavesOf(item.action ?? item.actions), true)
        this.#other(item)
        break
      case 'mcp_call':
      case 'code_interpreter_call':
        this.vendorCall(itemIndex, item.type === 'mcp_call' ? item.arguments : item.code, true)
        this.events.push({ type: 'vendor-result', length: lengthOf(item.output) + lengthOf(item.outputs) })
        this.#other(item)
        break
      default:
        if (!this.#ownCall(itemIndex, item)) this.#other(item)
        break
    }
  }

  /** Emits a call of a client-run tool with its own item type, which is sent whole; returns false for other items. */
  #ownCall(itemIndex: ItemIndex, item: JsonObject): boolean {
    const shape = ownCallShape(item)
    if (!shape) return false
    this.#beginCall(itemIndex, { ...item, name: shape }, { shape })
    this.arguments(itemIndex, argumentsIn(item, shape), true)
    return true
  }

  /** Emits what the vendor's tools have used so far, in case no usage follows. */
  #emitTools(): void {
    const used = this.#hosted.usedSoFar(this.#tools)
    if (used) this.events.push({ type: 'tools', used })
  }

  /** Emits the usage, then the finish reason or the error. */
  end(response: JsonObject, status: unknown): void {
    const usage = readUsage(response, this.#hosted.used(response))
    if (usage) this.events.push({ type: 'usage', usage })
    const error = isObject(response.error) ? response.error : undefined
    if (error || status === 'failed') {
      this.events.push({ type: 'error', error: error ?? { code: 'server_error', message: '' } })
      return
    }
    const reason = this.#reason(status, objectIn(response.incomplete_details).reason)
    if (reason !== undefined) this.events.push({ type: 'finish', choice: 0, reason })
  }

  /**
   * Returns the finish reason (docs/reference/conversion.md#stop-reasons); undefined while a background response is
   * still in progress.
   */
  #reason(status: unknown, cause: unknown): string | undefined {
    if (status === 'in_progress' || status === 'queued') return undefined
    if (status === 'incomplete') return reasons[textIn(cause) ?? ''] ?? textIn(cause) ?? 'length'
    if (status === 'completed' || typeof status !== 'string') return this.#calls > 0 ? 'tool-calls' : 'stop'
    return status
  }

  #message(itemIndex: ItemIndex, item: JsonObject): void {
    const parts = objectsIn(item.content)
    for (const [index, part] of parts.entries()) {
      if (part.type === 'refusal') this.refusal(itemIndex, index, part.refusal, true)
      else this.text(itemIndex, index, part.text, part.logprobs, true)
    }
    const annotations = parts.flatMap((part) => (Array.isArray(part.annotations) ? part.annotations : []))
    for (const each of annotations.slice(this.#item(itemIndex).annotations)) this.annotation(itemIndex, each)
  }

  #reasoning(itemIndex: ItemIndex, item: JsonObject): void {
    for (const [index, part] of objectsIn(item.content).entries())
      this.thought(itemIndex, `content ${index}`, part.text, true)
    for (const [index, part] of objectsIn(item.summary).entries())
      this.thought(itemIndex, `summary ${index}`, part.text, true)
    const encrypted = textIn(item.encrypted_content)
    if (!encrypted) return
    const { signature, redacted, callId } = readSeal(encrypted, textIn(item.id))
    if (callId !== undefined) {
      this.#callSignature(callId, signature)
      return
    }
    const isSilent = !this.#item(itemIndex).hasSaid
    const isHidden = redacted || (isSilent && signature.by === 'responses')
    this.#emit({ type: 'reasoning', choice: 0, text: '', signature, ...(isHidden ? { redacted: true } : {}) })
  }

  /** Adds a signature to a call, now or when it begins. */
  #callSignature(callId: string, signature: Signature): void {
    const call = this.#callOf.get(callId)
    if (call === undefined) this.#signatures.set(callId, signature)
    else this.#emit({ type: 'tool', choice: 0, call, signature })
  }

  #beginCall(itemIndex: ItemIndex, item: JsonObject, own: Readonly<{ shape?: OwnShape }>): void {
    const read = this.#item(itemIndex)
    if (read.call !== undefined) return
    const id = textIn(item.call_id) ?? textIn(item.id) ?? ''
    read.call = this.#calls
    this.#calls += 1
    if (!this.#callOf.has(id)) this.#callOf.set(id, read.call)
    const signature = this.#signatures.get(id)
    this.#emit({
      type: 'tool',
      choice: 0,
      call: read.call,
      ...(id === '' ? {} : { id: boundedCallId(id) }),
      name: textIn(item.name) ?? '',
      ...(typeof item.namespace === 'string' ? { namespace: item.namespace } : {}),
      ...own,
      ...(item.type === 'custom_tool_call' ? { custom: true } : {}),
      ...(signature ? { signature } : {}),
    })
  }

  /**
   * Emits an image, the result of a tool that OpenAI ran; the item of a failed tool, which has no result, is an extra.
   */
  #picture(item: JsonObject): void {
    const { result, output_format: container, id } = item
    if (typeof result !== 'string') {
      this.#other(item)
      return
    }
    const mime = `image/${textIn(container) ?? 'png'}`
    this.#emit({ type: 'media', choice: 0, mime, data: result, ...(typeof id === 'string' ? { id } : {}) })
  }

  #other(item: JsonObject): void {
    const { type } = item
    if (typeof type !== 'string') return
    const isCovered = type === SEARCH_CALL ? { isCovered: true as const } : {}
    this.#emit({ type: 'extra', of: 'responses', choice: 0, name: type, value: present(item), ...isCovered })
    if (type === SEARCH_CALL)
      this.#emit({ type: 'search', choice: 0, by: 'responses', name: type, search: searchIn(item) })
  }

  /** Emits an event of the output, which ends a sequence of reasoning pieces. */
  #emit(event: AnswerEvent): void {
    this.hasOutput = true
    this.#thought = undefined
    this.events.push(event)
  }

  #item(itemIndex: ItemIndex): ReadItem {
    const known = this.#items.get(itemIndex)
    if (known) return known
    const item: ReadItem = { emitted: {}, hasSaid: false, annotations: 0 }
    this.#items.set(itemIndex, item)
    return item
  }

  /** Returns the part of a text that has not been emitted yet: all of a piece, the missing end of a whole text. */
  #untold(itemIndex: ItemIndex, slot: string, text: unknown, isWhole: boolean): string {
    if (typeof text !== 'string') return ''
    const item = this.#item(itemIndex)
    const before = item.emitted[slot] ?? 0
    const piece = isWhole ? text.slice(before) : text
    item.emitted[slot] = before + piece.length
    item.hasSaid ||= piece !== ''
    return piece
  }
}

const lengthOf = (result: unknown): number => {
  if (typeof result === 'string') return result.length
  return result === undefined || result === null ? 0 : JSON.stringify(result).length
}

/** Reasons of incomplete responses (docs/reference/conversion.md#stop-reasons). */
const reasons: Readonly<Record<string, string>> = { max_output_tokens: 'length', content_filter: 'filter' }
