import { isObject, type JsonObject, numberIn, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import { shortMembersNow } from '../../../base/json/json-spans.ts'
import type { StreamDecoder, StreamPosition } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { leavesOf } from '../leaves.ts'
import { END_MARK, unreadableEvent } from '../payload.ts'
import { AnswerReader, type ItemIndex } from './answer-reader.ts'

/** Reads one stream of `response.*` events (OpenAI's API reference, "Streaming events"). */
export const decodeStream = (): StreamDecoder => new ResponsesDecoder()

/**
 * Returns the first or last event, without output and tools, of a response with too much to parse, such as one that
 * repeats all log probabilities or tools; undefined for other events.
 */
function frameIn(text: string): JsonObject | undefined {
  const event = shortMembersNow(Buffer.from(text), 'response')
  return BEGINNINGS.has(event?.type) || endings.has(event?.type) ? event : undefined
}

const BEGINNINGS: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress'])

/** Events that repeat the content of earlier ones. */
const REPEATING = /^\s*\{\s*"type"\s*:\s*"response\.(?:output_text\.done|content_part\.done|output_item\.done)"/

class ResponsesDecoder implements StreamDecoder {
  readonly #reader = new AnswerReader()
  #isDone = false
  #next = 0
  #id: string | undefined
  #sentError: StreamPosition['sentError']

  payload(text: string): readonly AnswerEvent[] {
    if (text.startsWith(END_MARK)) return this.#done()
    const complete = parsed(text)
    if (complete === undefined && this.#reader.hasOutput && REPEATING.test(text)) return []
    const event = complete ?? frameIn(text)
    if (event === undefined) return unreadableEvent(text)
    if (!isObject(event)) return []
    this.#follow(event)
    if (event.type === 'error' || (event.type === undefined && event.error)) return [failure(event)]
    if (complete === undefined && endings.has(event.type) && !this.#reader.hasOutput) return unreadableEvent(text)
    this.#read(event)
    const { events } = this.#reader
    this.#reader.events = []
    return endings.has(event.type) ? [...events, ...this.#done()] : events
  }

  position(): StreamPosition {
    return { next: this.#next, id: this.#id, sentError: this.#sentError }
  }

  /** Tracks progress; some upstreams number no events. */
  #follow({ type, sequence_number: number, response }: JsonObject): void {
    this.#next = typeof number === 'number' ? number + 1 : this.#next + 1
    if (this.#id === undefined && isObject(response)) this.#id = textIn(response.id)
    if (type === 'response.failed') this.#sentError = 'failed'
    else if (type === 'error') this.#sentError = 'error'
  }

  #read(event: JsonObject): void {
    const reader = this.#reader
    const itemIndex = itemIndexOf(event)
    switch (event.type) {
      case 'response.output_text.delta':
        reader.text(itemIndex, indexIn(event.content_index), event.delta, event.logprobs)
        break
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        reader.arguments(itemIndex, event.delta)
        break
      case 'response.mcp_call_arguments.delta':
      case 'response.code_interpreter_call_code.delta':
        reader.vendorCall(itemIndex, event.delta)
        break
      case 'response.reasoning_summary_text.delta':
        reader.thought(itemIndex, `summary ${indexIn(event.summary_index)}`, event.delta)
        break
      case 'response.reasoning_text.delta':
        reader.thought(itemIndex, `content ${indexIn(event.content_index)}`, event.delta)
        break
      case 'response.refusal.delta':
        reader.refusal(itemIndex, indexIn(event.content_index), event.delta)
        break
      case 'response.output_text.annotation.added':
        reader.annotation(itemIndex, event.annotation)
        break
      case 'response.output_item.added':
        reader.open(itemIndex, objectIn(event.item))
        break
      case 'response.output_item.done':
        reader.close(itemIndex, objectIn(event.item))
        break
      default:
        this.#readFrame(event, itemIndex)
        break
    }
  }

  /** Reads the other events: the beginning and the end of the response, and whole texts that repeat their pieces. */
  #readFrame(event: JsonObject, itemIndex: ItemIndex): void {
    const reader = this.#reader
    const response = objectIn(event.response)
    switch (event.type) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        reader.begin(response)
        break
      case 'response.output_text.done':
        reader.text(itemIndex, indexIn(event.content_index), event.text, event.logprobs, true)
        break
      case 'response.refusal.done':
        reader.refusal(itemIndex, indexIn(event.content_index), event.refusal, true)
        break
      case 'response.function_call_arguments.done':
        reader.arguments(itemIndex, event.arguments, true)
        break
      case 'response.custom_tool_call_input.done':
        reader.arguments(itemIndex, event.input, true)
        break
      default:
        if (endings.has(event.type)) this.#end(response, endings.get(event.type))
        else if (isTextPiece(event.type)) reader.unknownPiece(itemIndex, leavesOf(event.delta))
    }
  }

  /** Some upstreams stream only the end, with the whole response. */
  #end(response: JsonObject, status: string | undefined): void {
    this.#reader.begin(response)
    if (!this.#reader.hasOutput) {
      for (const [index, item] of objectsIn(response.output).entries()) this.#reader.close(index, item)
    }
    const isCut = response.status === 'incomplete' || response.status === 'failed'
    this.#reader.end(response, isCut ? response.status : status)
  }

  #done(): readonly AnswerEvent[] {
    if (this.#isDone) return []
    this.#isDone = true
    return [{ type: 'done' }]
  }
}

const endings: ReadonlyMap<unknown, string> = new Map([
  ['response.completed', 'completed'],
  ['response.incomplete', 'incomplete'],
  ['response.failed', 'failed'],
  ['response.cancelled', 'cancelled'],
])

/** Pieces of kinds that are not read, such as diffs of `apply_patch`; those of audio are no text. */
const isTextPiece = (type: unknown): boolean =>
  typeof type === 'string' && /\.delta$/.test(type) && !/audio\.delta$/.test(type)

const indexIn = (index: unknown): number => numberIn(index) ?? 0

/** Returns the index of an event's item, or the item's id if the upstream sends no index. */
function itemIndexOf({ output_index: index, item_id: id }: JsonObject): ItemIndex {
  if (typeof index === 'number') return index
  return typeof id === 'string' ? id : 0
}

/** An `error` event has its code and message next to its type or, from some upstreams, in an object. */
function failure(event: JsonObject): AnswerEvent {
  if (isObject(event.error)) return { type: 'error', error: event.error }
  if (typeof event.error === 'string') return { type: 'error', error: { message: event.error } }
  const { type: _, sequence_number: __, ...error } = event
  return { type: 'error', error }
}
