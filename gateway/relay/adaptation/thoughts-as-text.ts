import type { Wire } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'

const OPEN = '<think>\n'
const CLOSE = '\n</think>\n'

/**
 * The same wire, whose answers have what the model thought in their text, between `<think>` and `</think>`
 * (spec/relay.md §3.9 `thinking_to_content`).
 */
export const thoughtsAsText = (wire: Wire): Wire => ({
  ...wire,
  decodeAnswer: (json) => wire.decodeAnswer(json).flatMap(createFold()),
  decodeStream() {
    const [decoder, fold] = [wire.decodeStream(), createFold()]
    return { payload: (text) => decoder.payload(text).flatMap(fold) }
  },
})

/** Fresh state for one answer: the thoughts of each choice are closed before whatever comes after them. */
function createFold(): (event: AnswerEvent) => readonly AnswerEvent[] {
  const thinking = new Set<number>()
  return (event) => {
    if (!('choice' in event)) return [event]
    const { choice } = event
    if (event.type === 'reasoning') {
      if (event.text === '') return []
      const text = thinking.has(choice) ? event.text : OPEN + event.text
      thinking.add(choice)
      return [{ type: 'text', choice, text }]
    }
    return thinking.delete(choice) ? [{ type: 'text', choice, text: CLOSE }, event] : [event]
  }
}
