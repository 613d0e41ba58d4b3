import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import type { Signature } from '../../../../../gateway/relay/formats/conversation.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { formats } from '../../../../../gateway/relay/formats/format.ts'
import { openai } from '../../../../../gateway/relay/formats/openai/codec.ts'
import { frame, payloadsOf, streamed } from './frames.ts'
import { gist } from './gist.ts'

const usage = usageOf({ prompt: 3, completion: 2, cacheRead: 1 })
const text = fc.string({ minLength: 1, unit: 'grapheme' })
const signature: fc.Arbitrary<Signature> = fc.record({
  by: fc.constantFrom(...formats),
  value: fc.base64String({ minLength: 4 }),
})
const choice = fc.nat(1)
const said: fc.Arbitrary<readonly AnswerEvent[]> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), choice, text }).map((event) => [event]),
  fc.record({ type: fc.constant('refusal' as const), choice, text }).map((event) => [event]),
  fc.record({ type: fc.constant('citation' as const), choice, url: text, title: fc.string() }).map((event) => [event]),
)
const thoughts: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .tuple(choice, fc.array(fc.tuple(fc.array(text, { maxLength: 3 }), signature, fc.boolean()), { maxLength: 3 }))
  .map(([at, blocks]) =>
    blocks.flatMap(([pieces, seal, redacted]): AnswerEvent[] => {
      const thought = { type: 'reasoning' as const, choice: at }
      if (redacted) return [{ ...thought, text: '', redacted: true, signature: seal }]
      return [...pieces.map((piece) => ({ ...thought, text: piece })), { ...thought, text: '', signature: seal }]
    }),
  )
const tools: fc.Arbitrary<readonly AnswerEvent[]> = fc
  .tuple(choice, fc.array(fc.tuple(text, fc.json(), fc.array(fc.nat()), fc.boolean()), { maxLength: 3 }))
  .map(([at, calls]) =>
    calls.flatMap(([name, json, cuts, custom], call): AnswerEvent[] => {
      const tool = { type: 'tool' as const, choice: at, call }
      const first = { ...tool, id: `c${call}`, name, ...(custom ? { custom } : {}) }
      return [first, ...cut(json, cuts).map((piece) => ({ ...tool, json: piece }))]
    }),
  )
const answers = fc
  .tuple(thoughts, fc.array(said, { maxLength: 6 }), tools)
  .map(([before, between, after]): readonly AnswerEvent[] => [...before, ...between.flat(), ...after])

/** Cuts a text into non-empty pieces. */
function cut(whole: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set([0, ...cuts.map((place) => place % whole.length), whole.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => whole.slice(places[index], end))
}

function finished(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const choices = [...new Set(events.flatMap((event) => ('choice' in event ? [event.choice] : [])))]
  const called = (at: number) => events.some((event) => event.type === 'tool' && event.choice === at)
  const ends = (choices.length > 0 ? choices : [0]).map(
    (at): AnswerEvent => ({ type: 'finish', choice: at, reason: called(at) ? 'tool-calls' : 'stop' }),
  )
  return [{ type: 'start' }, ...events, ...ends]
}

const write = (events: readonly AnswerEvent[]): readonly string[] => {
  const encoder = openai.encodeStream(frame({ wantsUsage: true }))
  const text = events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
  return payloadsOf(text).map((payload) => (typeof payload === 'string' ? payload : JSON.stringify(payload)))
}

describe('an answer of any content', () => {
  it('means the same when it was written whole and read again', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const expected = gist([...finished(events), { type: 'usage', usage }])
        expect(gist(openai.decodeAnswer(openai.encodeAnswer(finished(events), frame(), usage)))).toEqual(expected)
      }),
    )
  })

  it('means the same when it was streamed and read again, the first choice being there in any case', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const started = events.some((event) => 'choice' in event && event.choice === 0)
          ? []
          : [{ type: 'text', choice: 0, text: 'a' } as const]
        const all = finished([...started, ...events])
        expect(gist(streamed(write(all)))).toEqual(gist([...all, { type: 'usage', usage }]))
      }),
    )
  })

  it('has the complete arguments of its calls, for any split of the stream', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat()), (json, cuts) => {
        const item = (more: object) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...more }] } }] })
        const pieces = cut(json, cuts).map((piece) => item({ function: { arguments: piece } }))
        const events = streamed([item({ id: 'a', function: { name: 'f', arguments: '' } }), ...pieces])
        const whole = events.map((event) => (event.type === 'tool' ? (event.json ?? '') : '')).join('')
        expect(whole).toBe(json)
      }),
    )
  })
})

describe('a decoder', () => {
  it('never throws, for any upstream response', () => {
    const names = fc.constantFrom(
      'choices',
      'message',
      'delta',
      'content',
      'tool_calls',
      'function',
      'index',
      'usage',
      'audio',
      'reasoning_details',
      'annotations',
      'type',
      'id',
      'name',
      'arguments',
      'error',
    )
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree')),
        fc.dictionary(names, tie('tree')),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.dictionary(names, tree), (wire, said) => {
        openai.decodeAnswer(wire)
        openai.decodeAnswer({ choices: [{ message: said }] })
        streamed([JSON.stringify(wire), JSON.stringify({ choices: [{ delta: said }] })])
      }),
    )
  })
})
