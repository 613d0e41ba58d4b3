import { type AnswerEvent, byChoice } from '../formats/events.ts'
import { createEventTap, type EventTap } from '../metering/event-tap.ts'
import { AnswerGate } from './answer-gate.ts'
import type { Guard } from './word-guard.ts'

/** A complete response cut before a blocked word: the remaining events, and a tap that has seen all events. */
export type CutAnswer = Readonly<{ events: readonly AnswerEvent[]; tap: EventTap }>

/**
 * Cuts each choice of a response before its first blocked word; undefined if there is none. The whole response is
 * charged, as the upstream bills it. A long response is read in steps, yielding to other requests.
 */
export async function cutWhole(
  { words, note }: Guard,
  events: readonly AnswerEvent[],
  model: string,
): Promise<CutAnswer | undefined> {
  const result: AnswerEvent[] = events.filter((event) => !('choice' in event))
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
  return isCut ? { events: result, tap: tapOf(events, model) } : undefined
}

function tapOf(events: readonly AnswerEvent[], model: string): EventTap {
  const tap = createEventTap(model)
  for (const event of events) tap.take(event)
  tap.filter('')
  return tap
}
