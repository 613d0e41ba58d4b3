import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ChoiceWriter } from './choice-writer.ts'
import { usageOut } from './usage.ts'

/** Writes a whole answer ("The chat completion object") from its events. One without choices is an empty answer. */
export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const choices = new Map<number, ChoiceWriter>()
  const writerOf = (choice: number): ChoiceWriter => {
    const known = choices.get(choice)
    if (known) return known
    const writer = new ChoiceWriter(choice, frame)
    choices.set(choice, writer)
    return writer
  }
  for (const event of events) if ('choice' in event) writerOf(event.choice).add(event)
  if (choices.size === 0) writerOf(0)
  return {
    id: `chatcmpl-${frame.id}`,
    object: 'chat.completion',
    created: frame.created,
    model: frame.model,
    choices: [...choices.values()].sort((a, b) => a.index - b.index).map((writer) => writer.write()),
    usage: usageOut(usage),
  }
}
