import { isObject, type JsonObject, objectIn, objectsIn, present, textIn } from '../../../base/json/json.ts'
import type { OwnShape, Signature } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensIn } from '../log-probabilities.ts'
import { boundedCallId } from '../long-call-id.ts'
import { argumentsIn, ownCallShape } from './client-tools.ts'
import { HostedTools } from './hosted-tools.ts'
import { readSeal } from './seal.ts'
import { SEARCH_CALL, searchIn } from './search-item.ts'
import { BETWEEN_PARTS } from './thought-item.ts'
import { readUsage } from './usage.ts'

/** Where an item stands in an answer's output: its index, or its id where an upstream gives no index. */
export type ItemIndex = number | string

/** What has been told of one item. */
type ReadItem = {
  /** Which of the answer's calls it is. */
  call?: number
  /** How many characters of each of its texts have been told. */
  emitted: Record<string, number>
  /** Whether anything of them was not empty. */
  hasSaid: boolean
  /** How many of its annotations have been told. */
  annotations: number
}

/**
 * Turns the items of an answer into events, whole or as their pieces arrive. What the end of an item repeats of its
 * pieces is not told again, and what its pieces left out is, so that whole answers and streams read the same. A class:
 * there is one for each answer.
 */
export class AnswerReader {
  /** Events that nobody has taken yet. */
  events: AnswerEvent[] = []
  /** Whether anything of the output has been told. */
  hasOutput = false
  readonly #items = new Map<ItemIndex, ReadItem>()
  /** The ids of the calls, in the order they came. */
  #calls = 0
  /** Which call has an id: the first of several. */
  readonly #callOf = new Map<string, number>()
  /** Signatures that came before the call they belong to, by its id. */
  readonly #signatures = new Map<string, Signature>()
  #isBegun = false
  /** The part whose thought was told last, while nothing else has been told since. */
  #thought: string | undefined
  readonly #hosted = new HostedTools()

  /** The beginning of an answer, told once however often the upstream says it. */
  begin(response: JsonObject): void {
    if (this.#isBegun) return
    this.#isBegun = true
    const { id, model } = response
    this.events.push({
      type: 'start',
      ...(typeof id === 'string' ? { id } : {}),
      ...(typeof model === 'string' ? { model } : {}),
    })
  }

  /** An item that has begun; only calls have something to tell yet. */
  open(place: ItemIndex, item: JsonObject): void {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') this.#beginCall(place, item, {})
  }

  /** A piece of a message's text, or the whole of it, of which the rest is told, and how likely its tokens were. */
  text(place: ItemIndex, part: number, text: unknown, scores: unknown, isWhole = false): void {
    if (Array.isArray(scores) && scores.length > 0) this.#score(place, part, scores, isWhole)
    const piece = this.#untold(place, `text ${part}`, text, isWhole)
    if (piece !== '') this.#emit({ type: 'text', choice: 0, text: piece })
  }

  /** Log probabilities that have not been told: all of a piece, the rest of a whole. */
  #score(place: ItemIndex, part: number, scores: readonly unknown[], isWhole: boolean): void {
    const item = this.#item(place)
    const slot = `scores ${part}`
    const before = item.emitted[slot] ?? 0
    const rest = isWhole ? scores.slice(before) : scores
    item.emitted[slot] = before + rest.length
    item.hasSaid ||= rest.length > 0
    const tokens = tokensIn(rest)
    if (tokens.length > 0) this.#emit({ type: 'logprobs', choice: 0, tokens })
  }

  /** A piece of a refusal, or the whole of it. */
  refusal(place: ItemIndex, part: number, text: unknown, isWhole = false): void {
    const piece = this.#untold(place, `refusal ${part}`, text, isWhole)
    if (piece !== '') this.#emit({ type: 'refusal', choice: 0, text: piece })
  }

  /** A piece of a raw thought (`reasoning_text`) or of a summary; parts are told apart by an empty line. */
  thought(place: ItemIndex, part: string, text: unknown, isWhole = false): void {
    const piece = this.#untold(place, part, text, isWhole)
    if (piece === '') return
    const source = `${place} ${part}`
    const isNext = this.#thought !== undefined && this.#thought !== source
    this.#emit({ type: 'reasoning', choice: 0, text: isNext ? BETWEEN_PARTS + piece : piece })
    this.#thought = source
  }

  /** A piece of a call's arguments or free text; pieces of calls that have not begun wait for their end. */
  arguments(place: ItemIndex, text: unknown, isWhole = false): void {
    const { call } = this.#item(place)
    if (call === undefined) return
    const json = this.#untold(place, 'arguments', text, isWhole)
    if (json !== '') this.#emit({ type: 'tool', choice: 0, call, json })
  }

  /** Where a piece of text comes from: pages are citations, files and the like are known here alone. */
  annotation(place: ItemIndex, annotation: unknown): void {
    this.#item(place).annotations += 1
    if (!isObject(annotation)) return
    const { type, url, title } = annotation
    if (type === 'url_citation' && typeof url === 'string') {
      this.#emit({ type: 'citation', choice: 0, url, title: textIn(title) ?? '' })
    } else this.#emit({ type: 'extra', of: 'responses', choice: 0, name: 'annotation', value: annotation })
  }

  /** An item as it is in the end. */
  close(place: ItemIndex, item: JsonObject): void {
    this.#hosted.note(item)
    switch (item.type) {
      case 'message':
        this.#message(place, item)
        break
      case 'reasoning':
        this.#reasoning(place, item)
        break
      case 'function_call':
      case 'custom_tool_call':
        this.#beginCall(place, item, {})
        this.arguments(place, item.type === 'function_call' ? item.arguments : item.input, true)
        break
      case 'image_generation_call':
        this.#picture(item)
        break
      default:
        if (!this.#ownCall(place, item)) this.#other(item)
        break
    }
  }

  /** A call of one of the client's tools that have items of their own, which come whole. */
  #ownCall(place: ItemIndex, item: JsonObject): boolean {
    const shape = ownCallShape(item)
    if (!shape) return false
    this.#beginCall(place, { ...item, name: shape }, { shape })
    this.arguments(place, argumentsIn(item, shape), true)
    return true
  }

  /** The end of an answer: its usage, then how it ended or what went wrong. */
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
   * Why the answer ended (docs/reference/conversion.md#stop-reasons); undefined while a background answer is still in
   * the making.
   */
  #reason(status: unknown, cause: unknown): string | undefined {
    if (status === 'in_progress' || status === 'queued') return undefined
    if (status === 'incomplete') return reasons[textIn(cause) ?? ''] ?? textIn(cause) ?? 'length'
    if (status === 'completed' || typeof status !== 'string') return this.#calls > 0 ? 'tool-calls' : 'stop'
    return status
  }

  /** The texts of a message that has been said, then those annotations that its stream left out. */
  #message(place: ItemIndex, item: JsonObject): void {
    const parts = objectsIn(item.content)
    for (const [index, part] of parts.entries()) {
      if (part.type === 'refusal') this.refusal(place, index, part.refusal, true)
      else this.text(place, index, part.text, part.logprobs, true)
    }
    const annotations = parts.flatMap((part) => (Array.isArray(part.annotations) ? part.annotations : []))
    for (const each of annotations.slice(this.#item(place).annotations)) this.annotation(place, each)
  }

  /** A thought and the seal that ends it. */
  #reasoning(place: ItemIndex, item: JsonObject): void {
    for (const [index, part] of objectsIn(item.content).entries())
      this.thought(place, `content ${index}`, part.text, true)
    for (const [index, part] of objectsIn(item.summary).entries())
      this.thought(place, `summary ${index}`, part.text, true)
    const encrypted = textIn(item.encrypted_content)
    if (!encrypted) return
    const { signature, redacted, callId } = readSeal(encrypted, textIn(item.id))
    if (callId !== undefined) {
      this.#callSignature(callId, signature)
      return
    }
    const isSilent = !this.#item(place).hasSaid
    const isHidden = redacted || (isSilent && signature.by === 'responses')
    this.#emit({ type: 'reasoning', choice: 0, text: '', signature, ...(isHidden ? { redacted: true } : {}) })
  }

  /** Gives a call its signature, now or when it begins. */
  #callSignature(callId: string, signature: Signature): void {
    const call = this.#callOf.get(callId)
    if (call === undefined) this.#signatures.set(callId, signature)
    else this.#emit({ type: 'tool', choice: 0, call, signature })
  }

  /** The first piece of a call: its id and its name, and the group it is in. */
  #beginCall(place: ItemIndex, item: JsonObject, besides: Readonly<{ shape?: OwnShape }>): void {
    const read = this.#item(place)
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
      ...besides,
      ...(item.type === 'custom_tool_call' ? { custom: true } : {}),
      ...(signature ? { signature } : {}),
    })
  }

  /** A picture, which is the result of a tool that OpenAI ran; one without a result failed. */
  #picture(item: JsonObject): void {
    const { result, output_format: container, id } = item
    if (typeof result !== 'string') {
      this.#other(item)
      return
    }
    const mime = `image/${textIn(container) ?? 'png'}`
    this.#emit({ type: 'media', choice: 0, mime, data: result, ...(typeof id === 'string' ? { id } : {}) })
  }

  /** Tools that OpenAI ran itself. */
  #other(item: JsonObject): void {
    const { type } = item
    if (typeof type !== 'string') return
    const isCovered = type === SEARCH_CALL ? { isCovered: true as const } : {}
    this.#emit({ type: 'extra', of: 'responses', choice: 0, name: type, value: present(item), ...isCovered })
    if (type === SEARCH_CALL)
      this.#emit({ type: 'search', choice: 0, by: 'responses', name: type, search: searchIn(item) })
  }

  /** Tells an event of the output, which ends a row of thoughts. */
  #emit(event: AnswerEvent): void {
    this.hasOutput = true
    this.#thought = undefined
    this.events.push(event)
  }

  #item(place: ItemIndex): ReadItem {
    const known = this.#items.get(place)
    if (known) return known
    const item: ReadItem = { emitted: {}, hasSaid: false, annotations: 0 }
    this.#items.set(place, item)
    return item
  }

  /** What of a text has not been told: all of a piece, the rest of a whole. */
  #untold(place: ItemIndex, slot: string, text: unknown, isWhole: boolean): string {
    if (typeof text !== 'string') return ''
    const item = this.#item(place)
    const before = item.emitted[slot] ?? 0
    const piece = isWhole ? text.slice(before) : text
    item.emitted[slot] = before + piece.length
    item.hasSaid ||= piece !== ''
    return piece
  }
}

/** Reasons of incomplete answers (docs/reference/conversion.md#stop-reasons). */
const reasons: Readonly<Record<string, string>> = { max_output_tokens: 'length', content_filter: 'filter' }
