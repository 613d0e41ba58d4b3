import { type JsonObject, objectIn, parsed, textIn } from '../../../base/json.ts'
import type { EventLog, ItemStatus, OutputItem } from './output-item.ts'

/** Of a function, of a tool that takes free text, or of such a tool that the upstream knows as a function with one `input`. */
export type CallKind = 'function' | 'custom' | 'wrapped'

/** What is known of a call when it begins. */
export type CallIdentity = Readonly<{ kind: CallKind; callId: string; name: string }>

/** A call of the client's tool being written. Free text that is wrapped in JSON can only be told when it is complete. */
export class CallItem implements OutputItem {
  readonly index: number
  /** What the client calls the call by. */
  readonly callId: string
  readonly #id: string
  readonly #call: CallIdentity
  readonly #log: EventLog
  #text = ''

  constructor(index: number, id: string, call: CallIdentity, log: EventLog) {
    this.index = index
    this.#id = id
    this.callId = call.callId
    this.#call = call
    this.#log = log
    log.add('response.output_item.added', { output_index: index, item: this.#item('in_progress') })
  }

  /** The next piece of its arguments, as JSON or as free text. */
  piece(text: string): void {
    this.#text += text
    if (this.#call.kind !== 'wrapped' && text !== '') this.#delta(text)
  }

  close(status: ItemStatus): JsonObject {
    if (this.#call.kind === 'function') this.#closeFunction()
    else this.#closeCustom()
    const item = this.#item(status)
    this.#log.add('response.output_item.done', { output_index: this.index, item })
    return item
  }

  /** Clients read the arguments as JSON, so that a call without any has an empty object. */
  #closeFunction(): void {
    if (this.#text === '') this.piece('{}')
    this.#log.add('response.function_call_arguments.done', { ...this.#place(), arguments: this.#text })
  }

  /** Free text, taken out of its JSON where the upstream had to be given a function. */
  #closeCustom(): void {
    if (this.#call.kind === 'wrapped') {
      this.#text = unwrapped(this.#text)
      if (this.#text !== '') this.#delta(this.#text)
    }
    this.#log.add('response.custom_tool_call_input.done', { ...this.#place(), input: this.#text })
  }

  #delta(delta: string): void {
    const type = this.#call.kind === 'function' ? 'function_call_arguments' : 'custom_tool_call_input'
    this.#log.add(`response.${type}.delta`, { ...this.#place(), delta })
  }

  #place() {
    return { item_id: this.#id, output_index: this.index }
  }

  /** The item as it stands: one that is in progress has no arguments yet. */
  #item(status: ItemStatus): JsonObject {
    const { kind, callId, name } = this.#call
    const text = status === 'in_progress' ? '' : this.#text
    const call = { id: this.#id, status, call_id: callId, name }
    if (kind === 'function') return { ...call, type: 'function_call', arguments: text }
    return { ...call, type: 'custom_tool_call', input: text }
  }
}

/** The free text in a function's arguments, or the arguments themselves where they hold none. */
const unwrapped = (text: string): string => textIn(objectIn(parsed(text)).input) ?? text
