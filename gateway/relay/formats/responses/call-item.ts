import { type JsonObject, present } from '../../../base/json/json.ts'
import type { OwnShape } from '../conversation.ts'
import { unwrapped } from '../free-text.ts'
import { ownCallOut } from './client-tools.ts'
import type { EventLog, ItemStatus, OutputItem } from './output-item.ts'

/** `wrapped`: a custom tool that the upstream knows as a function with one `input`. */
export type CallKind = 'function' | 'custom' | 'wrapped'

export type CallIdentity = Readonly<{ kind: CallKind; callId: string; name: string; namespace: string | undefined }>

/** Writes a call of the client's tool. Free text wrapped in JSON can only be sent once it is complete. */
export class CallItem implements OutputItem {
  readonly index: number
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

  /** Clients parse the arguments, so a call without any gets an empty object. */
  #closeFunction(): void {
    if (this.#text === '') this.piece('{}')
    this.#log.add('response.function_call_arguments.done', { ...this.#position(), arguments: this.#text })
  }

  #closeCustom(): void {
    if (this.#call.kind === 'wrapped') {
      this.#text = unwrapped(this.#text)
      if (this.#text !== '') this.#delta(this.#text)
    }
    this.#log.add('response.custom_tool_call_input.done', { ...this.#position(), input: this.#text })
  }

  #delta(delta: string): void {
    const type = this.#call.kind === 'function' ? 'function_call_arguments' : 'custom_tool_call_input'
    this.#log.add(`response.${type}.delta`, { ...this.#position(), delta })
  }

  #position() {
    return { item_id: this.#id, output_index: this.index }
  }

  /** An item in progress has no arguments yet. */
  #item(status: ItemStatus): JsonObject {
    const { kind, callId, name, namespace } = this.#call
    const text = status === 'in_progress' ? '' : this.#text
    const call = present({ id: this.#id, status, call_id: callId, namespace, name })
    if (kind === 'function') return { ...call, type: 'function_call', arguments: text }
    return { ...call, type: 'custom_tool_call', input: text }
  }
}

const prefixes: Readonly<Record<OwnShape, string>> = {
  local_shell: 'lsh',
  shell: 'sh',
  apply_patch: 'apc',
  tool_search: 'tsc',
}

/** A call of one of OpenAI's own tools, whose item has no pieces: it is sent once its arguments are complete. */
export class OwnCall {
  readonly callId: string
  readonly prefix: string
  readonly #shape: OwnShape
  #json = ''

  constructor(shape: OwnShape, callId: string) {
    this.callId = callId
    this.prefix = prefixes[shape]
    this.#shape = shape
  }

  piece(json: string): void {
    this.#json += json
  }

  item(status: ItemStatus): JsonObject {
    return { status, call_id: this.callId, ...ownCallOut(this.#shape, this.#json) }
  }
}
