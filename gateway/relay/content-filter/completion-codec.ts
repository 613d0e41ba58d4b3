import { isObject, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { AnswerFrame, Codec, Json, StreamDecoder, StreamEncoder } from '../formats/codec.ts'
import { type AnswerEvent, byChoice } from '../formats/events.ts'
import { finishIn, finishOut } from '../formats/openai/finish.ts'
import { usageIn, usageOut } from '../formats/openai/usage.ts'
import { eventsOf } from '../formats/payload.ts'

export type AnswerCodec = Pick<Codec, 'decodeAnswer' | 'encodeAnswer' | 'decodeStream' | 'encodeStream'>

/** OpenAI's legacy completions ("The completion object"): choices contain only text, complete or streamed. */
export const completionCodec: AnswerCodec = {
  decodeAnswer: eventsIn,
  encodeAnswer(events, frame, usage) {
    const choices = [...byChoice(events)].sort(([one], [other]) => one - other)
    return {
      ...headOf(frame),
      choices: choices.map(([index, own]) => choiceOf(index, textOf(own), reasonIn(own))),
      usage: usageOut(usage),
    }
  },
  decodeStream: (): StreamDecoder => ({
    payload: (text) => eventsOf(text, eventsIn),
  }),
  encodeStream: (frame): StreamEncoder => ({
    add(event) {
      if (event.type === 'text') return chunk(frame, choiceOf(event.choice, event.text, null))
      if (event.type === 'finish') return chunk(frame, choiceOf(event.choice, '', finishOut(event.reason, false)))
      return ''
    },
    end(usage) {
      const figures = { ...headOf(frame), choices: [], usage: usageOut(usage) }
      return `${frame.wantsUsage ? `data: ${JSON.stringify(figures)}\n\n` : ''}data: [DONE]\n\n`
    },
  }),
}

function eventsIn(json: unknown): readonly AnswerEvent[] {
  const { choices, usage: figures, error } = objectIn(json)
  const usage = usageIn(figures)
  const events = objectsIn(choices).flatMap(({ text, index, finish_reason }, at): AnswerEvent[] => {
    const choice = typeof index === 'number' ? index : at
    const reason = textIn(finish_reason)
    return [
      ...(typeof text === 'string' && text !== '' ? [{ type: 'text' as const, choice, text }] : []),
      ...(reason ? [{ type: 'finish' as const, choice, reason: finishIn(reason) }] : []),
    ]
  })
  return [
    ...events,
    ...(isObject(error) ? [{ type: 'error' as const, error }] : []),
    ...(usage ? [{ type: 'usage' as const, usage }] : []),
  ]
}

const headOf = ({ id, created, model }: AnswerFrame): Json => ({
  id: `cmpl-${id}`,
  object: 'text_completion',
  created,
  model,
})

const choiceOf = (index: number, text: string, finish_reason: string | null): Json => ({
  text,
  index,
  logprobs: null,
  finish_reason,
})

const chunk = (frame: AnswerFrame, choice: Json): string =>
  `data: ${JSON.stringify({ ...headOf(frame), choices: [choice] })}\n\n`

const textOf = (events: readonly AnswerEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

function reasonIn(events: readonly AnswerEvent[]): string {
  const finish = events.findLast(({ type }) => type === 'finish')
  return finishOut(finish?.type === 'finish' ? finish.reason : undefined, false)
}
