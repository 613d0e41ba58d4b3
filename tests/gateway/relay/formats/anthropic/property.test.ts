import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { frame, payloadsOf } from './conversation.ts'

const usage = usageOf({
  prompt: 30,
  completion: 8,
  cacheRead: 10,
  cacheWrite: 5,
  cacheWriteHour: 2,
  semantics: 'anthropic',
})

const said = fc.string({ minLength: 1, unit: 'grapheme' })
const piece = fc.oneof(
  said.map((text): AnswerEvent[] => [{ type: 'text', choice: 0, text }]),
  said.map((text): AnswerEvent[] => [{ type: 'reasoning', choice: 0, text }]),
  fc.tuple(said, said).map(([text, value]): AnswerEvent[] => [
    { type: 'reasoning', choice: 0, text },
    { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: `s${value.replaceAll(':', '')}` } },
  ]),
  fc.tuple(said, said).map(([title, quote]): AnswerEvent[] => [
    { type: 'text', choice: 0, text: 'cited' },
    { type: 'citation', choice: 0, url: 'https://a.example', title, quote },
  ]),
  fc
    .dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false }), { noNullPrototype: true })
    .map((input): AnswerEvent[] => [
      { type: 'tool', choice: 0, call: 0, id: 'call', name: 'f' },
      { type: 'tool', choice: 0, call: 0, json: JSON.stringify(input) },
    ]),
)

/** Random responses of several pieces, with numbered calls. */
const answers = fc.array(piece, { maxLength: 8 }).map((pieces) => {
  let calls = 0
  return pieces.flatMap((events) => {
    const call = events[0]?.type === 'tool' ? calls++ : 0
    return events.map((event) =>
      event.type === 'tool' ? { ...event, call, ...(event.id ? { id: `call_${call}` } : {}) } : event,
    )
  })
})

/** Joins consecutive pieces of text, reasoning and arguments. */
function joined(events: readonly AnswerEvent[]): AnswerEvent[] {
  const kept: AnswerEvent[] = []
  for (const event of events) {
    const last = kept.at(-1)
    if (event.type === 'text' && last?.type === 'text')
      kept[kept.length - 1] = { ...last, text: last.text + event.text }
    else if (event.type === 'reasoning' && last?.type === 'reasoning' && !last.signature)
      kept[kept.length - 1] = { ...last, ...event, text: last.text + event.text }
    else if (event.type === 'tool' && last?.type === 'tool' && last.call === event.call)
      kept[kept.length - 1] = { ...last, json: (last.json ?? '') + (event.json ?? '') }
    else if (!['start', 'usage', 'finish', 'done'].includes(event.type)) kept.push(event)
  }
  return kept
}

/** Splits the arguments of calls at the given positions. */
const cut = (events: readonly AnswerEvent[], places: readonly number[]): AnswerEvent[] =>
  events.flatMap((event): AnswerEvent[] => {
    if (event.type !== 'tool' || !event.json) return [event]
    const ends = [...places.map((place) => place % (event.json?.length ?? 1)), event.json.length].sort((a, b) => a - b)
    return ends.map((end, n) => ({ ...event, json: event.json?.slice(ends[n - 1] ?? 0, end) ?? '' }))
  })

function streamed(events: readonly AnswerEvent[]): string {
  const encoder = anthropic.encodeStream(frame)
  return events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
}

function reread(stream: string): AnswerEvent[] {
  const decoder = anthropic.decodeStream()
  return payloadsOf(stream).flatMap((payload) => decoder.payload(JSON.stringify(payload)))
}

describe('a written answer', () => {
  it('means the same when it is read again, whole and streamed', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(), { maxLength: 4 }), (events, places) => {
        const meaning = joined(events)
        expect(joined(anthropic.decodeAnswer(anthropic.encodeAnswer(events, frame, usage)))).toEqual(meaning)
        expect(joined(reread(streamed(cut(events, places))))).toEqual(meaning)
      }),
    )
  })

  it('carries the usage that is charged', () => {
    const whole = anthropic.decodeAnswer(anthropic.encodeAnswer([], frame, usage))
    expect(whole.find((event) => event.type === 'usage')).toEqual({ type: 'usage', usage })
    expect(reread(streamed([])).findLast((event) => event.type === 'usage')).toEqual({ type: 'usage', usage })
  })

  it('is understood by the vendor’s own client, calls interleaved in any order', async () => {
    const inputs = [{ x: 1, s: '}{"' }, { y: [1, 2, { z: null }] }, {}]
    const order = fc.infiniteStream(fc.nat({ max: 2 })).map((stream) => [...stream.take(60)])
    await fc.assert(
      fc.asyncProperty(order, async (calls) => {
        const message = await heard(streamed(interleaved(inputs, calls)))
        const used = message.content.filter((block) => block.type === 'tool_use')
        expect(Object.fromEntries(used.map(({ id, input }) => [id, input]))).toEqual({
          c0: inputs[0],
          c1: inputs[1],
          c2: inputs[2],
        })
        expect(message.stop_reason).toBe('tool_use')
        expect(message.usage).toMatchObject({ input_tokens: 30, output_tokens: 8, cache_read_input_tokens: 10 })
      }),
      { numRuns: 30 },
    )
  })
})

/**
 * Several calls whose arguments arrive character by character: first in the order of the list, then one call after the
 * other.
 */
function interleaved(inputs: readonly object[], order: readonly number[]): AnswerEvent[] {
  const rest = inputs.map((input) => [...JSON.stringify(input)])
  const begun = new Set<number>()
  const next = (call: number): AnswerEvent => {
    const name = begun.has(call) ? {} : { id: `c${call}`, name: 'f' }
    begun.add(call)
    return { type: 'tool', choice: 0, call, ...name, json: rest[call]?.shift() ?? '' }
  }
  const mixed = order.map(next)
  for (const [call, left] of rest.entries()) while (left.length > 0 || !begun.has(call)) mixed.push(next(call))
  return mixed
}

/** The message that the vendor's client builds from a stream. */
function heard(stream: string): Promise<Anthropic.Message> {
  const client = new Anthropic({
    apiKey: 'key',
    maxRetries: 0,
    fetch: async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  })
  const messages = [{ role: 'user', content: 'Hi' }] as const
  return client.messages.stream({ model: 'claude', max_tokens: 1, messages: [...messages] }).finalMessage()
}
