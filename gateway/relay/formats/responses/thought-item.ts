import { type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { ReasoningPart, ToolCallPart } from '../conversation.ts'
import type { EventLog, OutputItem } from './output-item.ts'
import { readSeal, type Seal } from './seal.ts'

export class ThoughtItem implements OutputItem {
  readonly index: number
  readonly id: string
  readonly #log: EventLog
  #text = ''
  #encrypted: string | undefined

  constructor(index: number, id: string, log: EventLog) {
    this.index = index
    this.id = id
    this.#log = log
    log.add('response.output_item.added', { output_index: index, item: this.#item() })
  }

  text(delta: string): void {
    if (this.#text === '')
      this.#log.add('response.reasoning_summary_part.added', { ...this.#position(), part: this.#part() })
    this.#text += delta
    this.#log.add('response.reasoning_summary_text.delta', { ...this.#position(), delta })
  }

  seal(encrypted: string): void {
    this.#encrypted = encrypted
  }

  close(): JsonObject {
    if (this.#text !== '') {
      this.#log.add('response.reasoning_summary_text.done', { ...this.#position(), text: this.#text })
      this.#log.add('response.reasoning_summary_part.done', { ...this.#position(), part: this.#part() })
    }
    const item = this.#item()
    this.#log.add('response.output_item.done', { output_index: this.index, item })
    return item
  }

  #position() {
    return { item_id: this.id, output_index: this.index, summary_index: 0 }
  }

  #part(): JsonObject {
    return { type: 'summary_text', text: this.#text }
  }

  #item(): JsonObject {
    const summary = this.#text === '' ? [] : [this.#part()]
    const sealed = this.#encrypted === undefined ? {} : { encrypted_content: this.#encrypted }
    return { id: this.id, type: 'reasoning', summary, ...sealed }
  }
}

export const BETWEEN_PARTS = '\n\n'

/**
 * Returns the text of a reasoning item, raw reasoning before summaries, and its seal. Encrypted reasoning without text
 * is hidden from the client.
 */
export function thoughtOf(item: JsonObject): { text: string; seal?: Seal } {
  const texts = [...objectsIn(item.content), ...objectsIn(item.summary)].map((part) => textIn(part.text) ?? '')
  const text = texts.filter((each) => each !== '').join(BETWEEN_PARTS)
  const encrypted = textIn(item.encrypted_content)
  if (!encrypted) return { text }
  const seal = readSeal(encrypted, textIn(item.id))
  const isHidden = text === '' && seal.signature.by === 'responses'
  return { text, seal: isHidden ? { ...seal, redacted: true } : seal }
}

/** Writes reasoning as an input item; undefined if OpenAI has not encrypted it, since OpenAI would not accept it. */
export function thoughtItem({ text, signature }: ReasoningPart): JsonObject | undefined {
  if (signature?.by !== 'responses') return undefined
  const { id, value } = signature
  return {
    type: 'reasoning',
    ...(id === undefined ? {} : { id }),
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(value === '' ? {} : { encrypted_content: value }),
  }
}

/** Returns the reasoning item whose seal a client has stored with its call. */
export const callThought = ({ signature }: ToolCallPart): JsonObject | undefined =>
  signature && thoughtItem({ type: 'reasoning', text: '', signature })
