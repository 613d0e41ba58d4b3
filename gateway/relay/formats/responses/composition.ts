import { isObject, type JsonObject, present } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, StreamPosition } from '../codec.ts'
import type { CallShape } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { tokensOut } from '../log-probabilities.ts'
import { partSeal } from '../sealed-part.ts'
import { sealed } from '../signature.ts'
import { type CallIdentity, CallItem, type CallKind, OwnCall } from './call-item.ts'
import { MessageItem } from './message-item.ts'
import { EventLog, type OutputItem } from './output-item.ts'
import { responseObject } from './response-object.ts'
import { sealedCall, sealedThought } from './seal.ts'
import { SEARCH_CALL, searchItem } from './search-item.ts'
import { ThoughtItem } from './thought-item.ts'

/** The kind of a call: free text, free text in a function's arguments, or a function's plain arguments. */
function kindOf(isCustom: boolean | undefined, shape: CallShape | undefined): CallKind {
  if (isCustom) return 'custom'
  return shape === 'custom' ? 'wrapped' : 'function'
}

type Of<T extends AnswerEvent['type']> = Extract<AnswerEvent, { type: T }>

/**
 * Writes a response as the items and events of the Responses API. Messages and reasoning are consecutive; calls stay
 * open until the end, since their pieces may be interleaved. A class: one is created for each response.
 */
export class Composition {
  readonly log = new EventLog()
  readonly #frame: AnswerFrame
  readonly #output: (JsonObject | undefined)[] = []
  readonly #calls = new Map<number, CallItem | OwnCall>()
  /** The calls whose signature has been written, which happens only once for each call. */
  readonly #signed = new Set<number>()
  #openItem: MessageItem | ThoughtItem | undefined
  #reason: string | undefined
  #scores: JsonObject[] = []
  #isBegun = false

  constructor(frame: AnswerFrame) {
    this.#frame = frame
  }

  /** Takes an event. Further choices cannot be expressed, and errors are written by the relay. */
  add(event: AnswerEvent): void {
    if (event.type !== 'start' && !('choice' in event)) return
    this.#begin()
    if (event.type === 'start' || event.choice !== 0) return
    switch (event.type) {
      case 'text':
        this.#message().text(event.text, this.#scores)
        this.#scores = []
        break
      case 'logprobs':
        if (!event.isRefusal) for (const token of tokensOut(event.tokens)) this.#scores.push(token)
        break
      case 'refusal':
        this.#message().refusal(event.text)
        break
      case 'citation':
        if (this.#openItem instanceof MessageItem) this.#openItem.cite(event.url, event.title, event.quote)
        break
      case 'reasoning':
        this.#reasoning(event)
        break
      case 'tool':
        this.#tool(event)
        break
      case 'media':
        this.#media(event)
        break
      case 'search':
        if (event.by !== 'responses') this.#search(event)
        break
      case 'extra':
        this.#extra(event)
        break
      case 'finish':
        this.#reason = event.reason
    }
  }

  position(): StreamPosition {
    return { next: this.log.next(), output: this.#output.filter((item) => item !== undefined) }
  }

  end(usage: Usage): JsonObject {
    this.#begin()
    this.#settleScores()
    const incomplete = this.#reason === undefined ? undefined : incompleteReasons[this.#reason]
    const last = this.#output.length - 1
    const close = (item: OutputItem) => {
      const isCut = incomplete !== undefined && item.index === last
      this.#output[item.index] = item.close(isCut ? 'incomplete' : 'completed')
    }
    if (this.#openItem) close(this.#openItem)
    const cutCall = incomplete === undefined ? undefined : [...this.#calls.values()].at(-1)
    for (const call of this.#calls.values()) {
      if (call instanceof CallItem) close(call)
      else this.#whole(call.prefix, call.item(call === cutCall ? 'incomplete' : 'completed'))
    }
    const response = responseObject(this.#frame, {
      status: incomplete === undefined ? 'completed' : 'incomplete',
      output: this.#output.filter((item) => item !== undefined),
      incomplete,
      usage,
    })
    this.log.add(incomplete === undefined ? 'response.completed' : 'response.incomplete', { response })
    return response
  }

  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    const response = responseObject(this.#frame, { status: 'in_progress', output: [] })
    this.log.add('response.created', { response })
    this.log.add('response.in_progress', { response })
  }

  #message(): MessageItem {
    if (this.#openItem instanceof MessageItem) return this.#openItem
    this.#closeOpenItem()
    const index = this.#position()
    const message = new MessageItem(index, this.#id('msg', index), this.log)
    this.#openItem = message
    return message
  }

  /** Returns the open reasoning item, or a new one; OpenAI's keeps the id that its seal belongs to. */
  #thought(id?: string): ThoughtItem {
    if (this.#openItem instanceof ThoughtItem) return this.#openItem
    this.#closeOpenItem()
    const index = this.#position()
    const thought = new ThoughtItem(index, id ?? this.#id('rs', index), this.log)
    this.#openItem = thought
    return thought
  }

  /** Adds a piece of reasoning; a signature ends the item, and redacted reasoning is a separate item. */
  #reasoning({ text, signature, redacted }: Of<'reasoning'>): void {
    if (text === '' && !signature) return
    if (redacted) this.#closeOpenItem()
    const thought = this.#thought(signature?.by === 'responses' ? signature.id : undefined)
    if (text !== '') thought.text(text)
    if (!signature) return
    thought.seal(sealedThought(signature, redacted === true, thought.id))
    this.#closeOpenItem()
  }

  /**
   * Adds a piece of a call. A signature that comes with the first piece is written before the call, any other between
   * its pieces.
   */
  #tool(event: Of<'tool'>): void {
    this.#closeOpenItem()
    const { call, id, json, signature } = event
    const known = this.#calls.get(call)
    const callId = known?.callId ?? id ?? `call_${this.#frame.id}_${call}`
    if (signature && !this.#signed.has(call)) {
      this.#signed.add(call)
      this.#whole('rs', { type: 'reasoning', summary: [], encrypted_content: sealedCall(signature, callId) })
    }
    const item = known ?? this.#newCall(event, callId)
    if (json !== undefined) item.piece(json)
  }

  #newCall({ call, name = '', namespace, custom, shape }: Of<'tool'>, callId: string): CallItem | OwnCall {
    const item =
      shape === undefined || shape === 'function' || shape === 'custom'
        ? this.#callItem({ kind: kindOf(custom, shape), callId, name, namespace })
        : new OwnCall(shape, callId)
    this.#calls.set(call, item)
    return item
  }

  #callItem(identity: CallIdentity): CallItem {
    const index = this.#position()
    const id = this.#id(identity.kind === 'function' ? 'fc' : 'ctc', index)
    return new CallItem(index, id, identity, this.log)
  }

  /** An image becomes the result of an OpenAI tool; for audio, only the transcript can be written. */
  #media({ mime, data, transcript }: Of<'media'>): void {
    if (!mime.startsWith('image/')) {
      if (transcript) this.#message().text(transcript)
      return
    }
    this.#closeOpenItem()
    const output_format = mime.slice('image/'.length)
    this.#whole('ig', { type: 'image_generation_call', status: 'completed', result: data, output_format })
  }

  #extra({ of, name, value }: Of<'extra'>): void {
    if (of !== 'responses' || !isObject(value)) return
    if (name === 'annotation') {
      if (this.#openItem instanceof MessageItem) this.#openItem.annotate(value)
      return
    }
    this.#closeOpenItem()
    this.#whole('it', value)
  }

  /**
   * Writes another vendor's search in the form of OpenAI's: in progress, then completed. The original that must be
   * returned to that vendor precedes it.
   */
  #search({ search, original }: Of<'search'>): void {
    this.#closeOpenItem()
    const seal = original && sealed(partSeal(original.of, original.value), 'responses')
    if (seal) this.#whole('rs', { type: 'reasoning', summary: [], encrypted_content: seal })
    const output_index = this.#position()
    const item = { ...searchItem(search), id: this.#id('ws', output_index) }
    const position = { output_index, item_id: item.id }
    this.log.add('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } })
    for (const state of ['in_progress', 'searching', 'completed'])
      this.log.add(`response.${SEARCH_CALL}.${state}`, position)
    this.#output[output_index] = item
    this.log.add('response.output_item.done', { output_index, item })
  }

  #whole(prefix: string, fields: JsonObject): void {
    const output_index = this.#position()
    const item = { id: this.#id(prefix, output_index), ...present(fields) }
    this.#output[output_index] = item
    this.log.add('response.output_item.added', { output_index, item })
    this.log.add('response.output_item.done', { output_index, item })
  }

  /**
   * Log probabilities without a following text are added to the text before them, if any; answer-losses.ts reports
   * others.
   */
  #settleScores(): void {
    if (this.#scores.length === 0 || !(this.#openItem instanceof MessageItem) || !this.#openItem.isText()) return
    this.#openItem.text('', this.#scores)
    this.#scores = []
  }

  #closeOpenItem(): void {
    if (!this.#openItem) return
    this.#settleScores()
    this.#output[this.#openItem.index] = this.#openItem.close('completed')
    this.#openItem = undefined
  }

  #position(): number {
    return this.#output.push(undefined) - 1
  }

  #id(prefix: string, index: number): string {
    return `${prefix}_${this.#frame.id}_${index}`
  }
}

/**
 * Finish reasons that make a response incomplete; with all others it is completed
 * (docs/reference/conversion.md#stop-reasons).
 */
const incompleteReasons: Readonly<Record<string, string>> = { length: 'max_output_tokens', filter: 'content_filter' }
