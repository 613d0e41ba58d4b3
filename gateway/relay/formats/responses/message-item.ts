import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { EventLog, ItemStatus, OutputItem } from './output-item.ts'

/** Characters before the end of a text among which a quote is looked for, and those of all looks together. */
const LOOKED_THROUGH = 64 * 1024
const MAX_LOOKED = 16 * 1024 * 1024

/** The kinds of parts a message has. */
type Kind = 'output_text' | 'refusal'

/** A message of the model's being written: its text and refusals, each in parts that follow each other. */
export class MessageItem implements OutputItem {
  readonly index: number
  readonly #id: string
  readonly #log: EventLog
  /** The parts that are complete. */
  readonly #content: JsonObject[] = []
  /** The open part: its kind, its text so far and what it cites. */
  #kind: Kind | undefined
  #text = ''
  #annotations: JsonObject[] = []
  /** The end of the text: the whole is put together once, when it has ended. */
  #end = ''
  /** Characters among which quotes have been looked for. */
  #looked = 0
  #scores: JsonObject[] = []
  /** Where the open part stands, as it is written with every piece of its text. */
  #written = ''

  constructor(index: number, id: string, log: EventLog) {
    this.index = index
    this.#id = id
    this.#log = log
    log.add('response.output_item.added', { output_index: index, item: this.#item('in_progress') })
  }

  /** A piece of text, and how likely its tokens were. */
  text(delta: string, logprobs: readonly JsonObject[] = []): void {
    this.#turnTo('output_text')
    this.#text += delta
    this.#end += delta
    if (this.#end.length > 2 * LOOKED_THROUGH) this.#end = this.#end.slice(-LOOKED_THROUGH)
    if (logprobs.length > 0) {
      for (const token of logprobs) this.#scores.push(token)
      this.#log.add('response.output_text.delta', { ...this.#place(), delta, logprobs })
      return
    }
    this.#written ||= JSON.stringify(this.#place()).slice(1, -1)
    this.#log.addText(this.#written, delta)
  }

  /** Whether the open part is text. */
  isText(): boolean {
    return this.#kind === 'output_text'
  }

  /** A piece of a refusal. */
  refusal(delta: string): void {
    this.#turnTo('refusal')
    this.#text += delta
    this.#log.add('response.refusal.delta', { ...this.#place(), delta })
  }

  /** Where the text comes from, in the vendor's own words. */
  annotate(annotation: JsonObject): void {
    this.#turnTo('output_text')
    const annotation_index = this.#annotations.push(annotation) - 1
    this.#log.add('response.output_text.annotation.added', { ...this.#place(), annotation_index, annotation })
  }

  /** A citation of a page, which stands where its quote does, or behind the text so far. */
  cite(url: string, title: string, quote: string | undefined): void {
    const end = this.#kind === 'output_text' ? this.#text.length : 0
    const found = quote && this.#kind === 'output_text' ? this.#placeOf(quote) : -1
    const [start_index, end_index] = found < 0 ? [end, end] : [found, found + (quote ?? '').length]
    this.annotate({ type: 'url_citation', start_index, end_index, url, title })
  }

  /** Where a quote stands near the end of the text; -1 where it does not, and of too many. */
  #placeOf(quote: string): number {
    const end = this.#end.slice(-LOOKED_THROUGH)
    this.#looked += end.length + quote.length
    if (this.#looked > MAX_LOOKED) return -1
    const found = lastPlaceOf(quote, end)
    return found < 0 ? -1 : this.#text.length - end.length + found
  }

  close(status: ItemStatus): JsonObject {
    this.#closePart()
    const item = this.#item(status)
    this.#log.add('response.output_item.done', { output_index: this.index, item })
    return item
  }

  /** Closes the open part and begins another, unless it is of that kind. */
  #turnTo(kind: Kind): void {
    if (this.#kind === kind) return
    this.#closePart()
    this.#kind = kind
    this.#written = ''
    this.#log.add('response.content_part.added', { ...this.#place(), part: this.#part(kind) })
  }

  /** Says the open part as a whole. */
  #closePart(): void {
    if (!this.#kind) return
    const part = this.#part(this.#kind)
    if (this.#kind === 'refusal') this.#log.add('response.refusal.done', { ...this.#place(), refusal: this.#text })
    else this.#log.add('response.output_text.done', { ...this.#place(), text: this.#text, logprobs: this.#scores })
    this.#log.add('response.content_part.done', { ...this.#place(), part })
    this.#content.push(objectIn(part))
    this.#kind = undefined
    this.#text = ''
    this.#end = ''
    this.#annotations = []
    this.#scores = []
  }

  /** Where the open part stands. */
  #place() {
    return { item_id: this.#id, output_index: this.index, content_index: this.#content.length }
  }

  /** The open part as it is. */
  #part(kind: Kind): JsonObject {
    if (kind === 'refusal') return { type: 'refusal', refusal: this.#text }
    return { type: 'output_text', text: this.#text, annotations: [...this.#annotations], logprobs: [...this.#scores] }
  }

  /** The item with the parts that are complete. */
  #item(status: ItemStatus): JsonObject {
    return { id: this.#id, type: 'message', status, role: 'assistant', content: [...this.#content] }
  }
}

/**
 * Where a text holds another for the last time; -1 where it does not. Unlike `lastIndexOf`, it takes time that grows with
 * the sum of their lengths and not with the product (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).
 */
function lastPlaceOf(wanted: string, text: string): number {
  if (wanted === '' || wanted.length > text.length) return -1
  const borders = bordersOf(wanted)
  let matched = 0
  let found = -1
  for (let at = 0; at < text.length; at += 1) {
    matched = longer(wanted, borders, matched, text.charCodeAt(at))
    if (matched < wanted.length) continue
    found = at + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** Of each beginning of a text: how much of its end is a shorter beginning. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  for (let at = 1; at < wanted.length; at += 1)
    borders[at] = longer(wanted, borders, borders[at - 1] ?? 0, wanted.charCodeAt(at))
  return borders
}

/** How much is matched with one unit more. */
function longer(wanted: string, borders: Uint32Array, before: number, unit: number): number {
  let matched = before
  while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
  return wanted.charCodeAt(matched) === unit ? matched + 1 : 0
}
