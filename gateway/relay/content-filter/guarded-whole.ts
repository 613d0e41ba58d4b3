import { type AnswerEvent, byChoice } from '../formats/events.ts'
import { createEventTap, type EventTap } from '../metering/event-tap.ts'
import { AnswerGate } from './answer-gate.ts'
import type { Guard } from './word-guard.ts'

/** A complete response cut before a blocked word: the remaining events, and a tap that has seen only those. */
export type CutAnswer = Readonly<{ events: readonly AnswerEvent[]; tap: EventTap }>

/**
 * Cuts each choice of a response before its first blocked word; undefined if there is none. What remains is charged:
 * the upstream's input figures, and a new count of the remaining text. A long response is read in steps, yielding to
 * other requests.
 */
export async function cutWhole(
  { words, note }: Guard,
  events: readonly AnswerEvent[],
  model: string,
): Promise<CutAnswer | undefined> {
  const result: AnswerEvent[] = events.flatMap((event) => ('choice' in event ? [] : [withoutOutput(event)]))
  let isCut = false
  for (const [choice, own] of byChoice(events)) {
    const gate = new AnswerGate(words, {
      pass(step) {
        for (const event of step.events) result.push(event)
      },
      cut(before, word) {
        isCut = true
        note(word)
        for (const event of before) result.push(event)
        result.push({ type: 'finish', choice, reason: 'filter' })
      },
    })
    await gate.takeYielding({ size: 0, events: own })
    gate.end()
  }
  return isCut ? { events: result, tap: tapOf(result, model) } : undefined
}

const withoutOutput = (event: AnswerEvent): AnswerEvent =>
  event.type === 'usage'
    ? { type: 'usage', usage: { ...event.usage, completion: 0, reasoning: 0, audioOutput: 0 } }
    : event

/** A tap that has not seen the end counts the text itself. */
function tapOf(events: readonly AnswerEvent[], model: string): EventTap {
  const tap = createEventTap(model)
  for (const event of events) if (event.type !== 'finish' && event.type !== 'done') tap.take(event)
  tap.filter('')
  return tap
}
