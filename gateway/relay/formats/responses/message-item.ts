import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { EventLog, ItemStatus, OutputItem } from './output-item.ts'

/** Max characters before the end of a text that are searched for a quote, and max characters of all searches. */
const SEARCH_WINDOW = 64 * 1024
const MAX_SEARCHED = 16 * 1024 * 1024

type Kind = 'output_text' | 'refusal'

export class MessageItem implements OutputItem {
  readonly index: number
  readonly #id: string
  readonly #log: EventLog
  readonly #content: JsonObject[] = []
  #kind: Kind | undefined
  #text = ''
  #annotations: JsonObject[] = []
  /** The end of the text, so that the whole is only joined once, when it has ended. */
  #end = ''
  #looked = 0
  #scores: JsonObject[] = []
  /** The position of the open part as JSON, serialized once for all pieces of its text. */
  #written = ''

  constructor(index: number, id: string, log: EventLog) {
    this.index = index
    this.#id = id
    this.#log = log
    log.add('response.output_item.added', { output_index: index, item: this.#item('in_progress') })
  }

  text(delta: string, logprobs: readonly JsonObject[] = []): void {
    this.#turnTo('output_text')
    this.#text += delta
    this.#end += delta
    if (this.#end.length > 2 * SEARCH_WINDOW) this.#end = this.#end.slice(-SEARCH_WINDOW)
    if (logprobs.length > 0) {
      for (const token of logprobs) this.#scores.push(token)
      this.#log.add('response.output_text.delta', { ...this.#position(), delta, logprobs })
      return
    }
    this.#written ||= JSON.stringify(this.#position()).slice(1, -1)
    this.#log.addText(this.#written, delta)
  }

  isText(): boolean {
    return this.#kind === 'output_text'
  }

  refusal(delta: string): void {
    this.#turnTo('refusal')
    this.#text += delta
    this.#log.add('response.refusal.delta', { ...this.#position(), delta })
  }

  annotate(annotation: JsonObject): void {
    this.#turnTo('output_text')
    const annotation_index = this.#annotations.push(annotation) - 1
    this.#log.add('response.output_text.annotation.added', { ...this.#position(), annotation_index, annotation })
  }

  /** Adds a citation of a page at the position of its quote, or after the text so far. */
  cite(url: string, title: string, quote: string | undefined): void {
    const end = this.#kind === 'output_text' ? this.#text.length : 0
    const found = quote && this.#kind === 'output_text' ? this.#placeOf(quote) : -1
    const [start_index, end_index] = found < 0 ? [end, end] : [found, found + (quote ?? '').length]
    this.annotate({ type: 'url_citation', start_index, end_index, url, title })
  }

  /** Returns the position of a quote near the end of the text; -1 if it is not found or the limit is reached. */
  #placeOf(quote: string): number {
    const end = this.#end.slice(-SEARCH_WINDOW)
    this.#looked += end.length + quote.length
    if (this.#looked > MAX_SEARCHED) return -1
    const found = lastIndexIn(quote, end)
    return found < 0 ? -1 : this.#text.length - end.length + found
  }

  close(status: ItemStatus): JsonObject {
    this.#closePart()
    const item = this.#item(status)
    this.#log.add('response.output_item.done', { output_index: this.index, item })
    return item
  }

  #turnTo(kind: Kind): void {
    if (this.#kind === kind) return
    this.#closePart()
    this.#kind = kind
    this.#written = ''
    this.#log.add('response.content_part.added', { ...this.#position(), part: this.#part(kind) })
  }

  #closePart(): void {
    if (!this.#kind) return
    const part = this.#part(this.#kind)
    if (this.#kind === 'refusal') this.#log.add('response.refusal.done', { ...this.#position(), refusal: this.#text })
    else this.#log.add('response.output_text.done', { ...this.#position(), text: this.#text, logprobs: this.#scores })
    this.#log.add('response.content_part.done', { ...this.#position(), part })
    this.#content.push(objectIn(part))
    this.#kind = undefined
    this.#text = ''
    this.#end = ''
    this.#annotations = []
    this.#scores = []
  }

  #position() {
    return { item_id: this.#id, output_index: this.index, content_index: this.#content.length }
  }

  #part(kind: Kind): JsonObject {
    if (kind === 'refusal') return { type: 'refusal', refusal: this.#text }
    return { type: 'output_text', text: this.#text, annotations: [...this.#annotations], logprobs: [...this.#scores] }
  }

  #item(status: ItemStatus): JsonObject {
    return { id: this.#id, type: 'message', status, role: 'assistant', content: [...this.#content] }
  }
}

/**
 * Returns the last index of `pattern` in a text; -1 if it does not occur. Unlike `lastIndexOf`, it takes time linear in
 * the sum of the lengths, not in their product (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).
 */
function lastIndexIn(pattern: string, text: string): number {
  if (pattern === '' || pattern.length > text.length) return -1
  const borders = bordersOf(pattern)
  let matched = 0
  let found = -1
  for (let at = 0; at < text.length; at += 1) {
    matched = longer(pattern, borders, matched, text.charCodeAt(at))
    if (matched < pattern.length) continue
    found = at + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** Returns, for each prefix, the length of its longest proper prefix that is also a suffix. */
function bordersOf(pattern: string): Uint32Array {
  const borders = new Uint32Array(pattern.length)
  for (let at = 1; at < pattern.length; at += 1)
    borders[at] = longer(pattern, borders, borders[at - 1] ?? 0, pattern.charCodeAt(at))
  return borders
}

function longer(pattern: string, borders: Uint32Array, before: number, unit: number): number {
  let matched = before
  while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
  return pattern.charCodeAt(matched) === unit ? matched + 1 : 0
}
