import { isObject, objectIn, objectsIn, parsed, textIn } from '../../../base/json/json.ts'
import { choiceIndex } from '../choice-index.ts'
import type { Json, StreamDecoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { DONE, END_MARK, UNREADABLE } from '../payload.ts'
import { SameShape } from '../same-shape.ts'
import { ChoiceReader } from './choice-reader.ts'
import { usageOfAnswer } from './usage.ts'

/** The events of a whole answer ("The chat completion object"), as its stream would have told them. */
export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  return new AnswerReader('message').take(wire)
}

/** Reads a stream of "chat completion chunk objects" and its end mark. */
export const decodeStream = (): StreamDecoder => new ChunkReader()

/** A class: one is made for every stream. */
class ChunkReader implements StreamDecoder {
  private readonly answer = new AnswerReader('delta')
  private readonly texts = new SameShape('content', 'text')

  payload(text: string): readonly AnswerEvent[] {
    const same = this.texts.take(text)
    if (same) return [same]
    if (text.startsWith(END_MARK)) return DONE
    const json = parsed(text)
    if (json === undefined) return UNREADABLE
    const events = this.answer.take(json)
    this.texts.learn(text, events)
    return events
  }
}

/** What answers and chunks have in common. `said` is where a choice holds what was said. */
class AnswerReader {
  private readonly said: 'message' | 'delta'
  private readonly choices: ChoiceReader[] = []
  private hasStarted = false
  private id = ''

  constructor(said: 'message' | 'delta') {
    this.said = said
  }

  /** Start, what each choice says, errors, usage: in this order, as a stream has them. */
  take(wire: unknown): readonly AnswerEvent[] {
    if (!isObject(wire)) return []
    const events: AnswerEvent[] = []
    const choices = objectsIn(wire.choices)
    if (!this.hasStarted && Array.isArray(wire.choices)) events.push(this.start(wire))
    for (const [place, choice] of choices.entries())
      for (const event of this.choiceOf(choice, place)) events.push(event)
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

  private choiceOf(choice: Json, place: number): readonly AnswerEvent[] {
    const index = choiceIndex(choice.index, place)
    let reader = this.choices[index]
    if (!reader) {
      reader = new ChoiceReader(index)
      this.choices[index] = reader
    }
    return reader.take(choice, objectIn(choice[this.said]), this.said === 'message', this.id)
  }
}

/** An error inside a good answer; OpenRouter puts it into the choice. */
function errorsIn({ error }: Json): readonly AnswerEvent[] {
  if (isObject(error)) return [{ type: 'error', error }]
  return typeof error === 'string' && error !== '' ? [{ type: 'error', error: { message: error } }] : []
}
