import { isObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import { choiceIndex } from '../choice-index.ts'
import type { Json, StreamDecoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { DONE, END_MARK, unreadableEvent } from '../payload.ts'
import { SameShape } from '../same-shape.ts'
import { ChoiceReader } from './choice-reader.ts'
import { usageOfAnswer } from './usage.ts'

/** Returns the events of a complete response ("The chat completion object"), the same as for its stream. */
export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  return new AnswerReader('message').take(wire)
}

export const decodeStream = (): StreamDecoder => new ChunkReader()

class ChunkReader implements StreamDecoder {
  private readonly answer = new AnswerReader('delta')
  private readonly texts = new SameShape('content', 'text')

  payload(text: string): readonly AnswerEvent[] {
    const same = this.texts.take(text)
    if (same) return [same]
    if (text.startsWith(END_MARK)) return DONE
    const json = parsed(text)
    if (json === undefined) return unreadableEvent(text)
    const events = this.answer.take(json)
    this.texts.learn(text, events)
    return events
  }
}

/** Reads responses and chunks. `contentMember` is the member of a choice with its content (`message` or `delta`). */
class AnswerReader {
  private readonly contentMember: 'message' | 'delta'
  private readonly choices: ChoiceReader[] = []
  private hasStarted = false
  private id = ''

  constructor(contentMember: 'message' | 'delta') {
    this.contentMember = contentMember
  }

  /** Returns start, content of each choice, errors, usage: in this order, as in a stream. */
  take(wire: unknown): readonly AnswerEvent[] {
    if (!isObject(wire)) return []
    const events: AnswerEvent[] = []
    const choices = objectsIn(wire.choices)
    if (!this.hasStarted && Array.isArray(wire.choices)) events.push(this.start(wire))
    for (const [position, choice] of choices.entries())
      for (const event of this.choiceOf(choice, position)) events.push(event)
    for (const event of [wire, ...choices].flatMap(errorsIn)) events.push(event)
    const usage = usageOfAnswer(wire)
    if (usage) events.push({ type: 'usage', usage })
    return events
  }

  private start(wire: Json): AnswerEvent {
    this.hasStarted = true
    this.id = textIn(wire.id) ?? ''
    return { type: 'start', id: this.id || undefined, model: textIn(wire.model) || undefined }
  }

  private choiceOf(choice: Json, position: number): readonly AnswerEvent[] {
    const index = choiceIndex(choice.index, position)
    let reader = this.choices[index]
    if (!reader) {
      reader = new ChoiceReader(index)
      this.choices[index] = reader
    }
    return reader.take(choice, objectIn(choice[this.contentMember]), this.contentMember === 'message', this.id)
  }
}

function errorsIn({ error }: Json): readonly AnswerEvent[] {
  if (isObject(error)) return [{ type: 'error', error }]
  return typeof error === 'string' && error !== '' ? [{ type: 'error', error: { message: error } }] : []
}
