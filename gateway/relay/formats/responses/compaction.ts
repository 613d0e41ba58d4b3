import { type JsonObject, objectsIn, textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, StreamPosition } from '../codec.ts'
import type { TextPart } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { EventLog } from './output-item.ts'
import { responseObject } from './response-object.ts'
import { writeUsage } from './usage.ts'

/** Prefix of the gateway's own summaries; the text follows in base64, readable by any vendor. */
const MARK = 'switchyard:summary:'

const INTRODUCTION = 'Earlier parts of this conversation have been replaced by this summary of them:\n\n'

/**
 * Encodes a summary as the `encrypted_content` of a compaction item. It contains nothing secret: it summarizes what the
 * client itself sent.
 */
const sealedSummary = (text: string): string => MARK + Buffer.from(text).toString('base64')

export const summaryText = (sealed: unknown): string | undefined =>
  typeof sealed === 'string' && sealed.startsWith(MARK)
    ? INTRODUCTION + Buffer.from(sealed.slice(MARK.length), 'base64').toString()
    : undefined

/** Types of summary items in several versions of the API. */
const ITEMS: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction'])

export const isSummary = (item: JsonObject): boolean => ITEMS.has(item.type)

/** Reads a summary by the gateway as text; undefined for OpenAI's, which only OpenAI can read, and for other items. */
export function summaryIn(item: JsonObject): TextPart | undefined {
  const text = isSummary(item) ? summaryText(item.encrypted_content) : undefined
  return text === undefined ? undefined : { type: 'text', text, original: { of: 'responses', value: item } }
}

/**
 * Writes the model's response as a summary: the only item of a response or, for `/v1/responses/compact`, the last one
 * after all user messages (OpenAI's API reference, "Compact a response"). A class: one is created for each response.
 */
export class SummaryWriter {
  readonly log = new EventLog()
  readonly #frame: AnswerFrame
  #text = ''
  #thoughts = ''
  #isBegun = false

  constructor(frame: AnswerFrame) {
    this.#frame = frame
  }

  /** Takes an event; the summary consists of the text, or of the reasoning if there is no text. */
  add(event: AnswerEvent): void {
    this.#begin()
    if (!('choice' in event) || event.choice !== 0) return
    if (event.type === 'text') this.#text += event.text
    if (event.type === 'reasoning') this.#thoughts += event.text
  }

  /** Progress of the response, which has no items before its end. */
  position(): StreamPosition {
    return { next: this.log.next(), output: [] }
  }

  end(usage: Usage): JsonObject {
    this.#begin()
    const { id, created, compaction, request } = this.#frame
    const item = {
      id: `cmp_${id}_0`,
      type: 'compaction',
      encrypted_content: sealedSummary(this.#text.trim() || this.#thoughts),
    }
    this.log.add('response.output_item.added', { output_index: 0, item })
    this.log.add('response.output_item.done', { output_index: 0, item })
    const response = responseObject(this.#frame, { status: 'completed', output: [item], usage })
    this.log.add('response.completed', { response })
    if (compaction !== 'object') return response
    const output = [...userMessages(request.input), item]
    return { id: `resp_${id}`, object: 'response.compaction', created_at: created, output, usage: writeUsage(usage) }
  }

  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    const response = responseObject(this.#frame, { status: 'in_progress', output: [] })
    this.log.add('response.created', { response })
    this.log.add('response.in_progress', { response })
  }
}

/** Returns the user's messages as items; earlier summaries are part of the new one. */
function userMessages(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [message([{ type: 'input_text', text: input }])]
  return objectsIn(input).flatMap((item) => {
    if (item.role !== 'user' || (item.type !== undefined && item.type !== 'message')) return []
    const text = textIn(item.content)
    return [{ ...item, type: 'message', ...(text === undefined ? {} : { content: [{ type: 'input_text', text }] }) }]
  })
}

const message = (content: readonly JsonObject[]): JsonObject => ({ type: 'message', role: 'user', content })
